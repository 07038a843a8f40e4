import { readdirSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../src/faults.ts'
import { aDaemon, aResource, TEMPLATES } from './daemon.ts'

describe('SY-FAIL-3 a pass that fails is tried again', () => {
  it('a read after 1 s, give or take a half, then twice as long, up to a minute; what is there stays (SY-FAIL-6)', async () => {
    const { started, store, within, quietly, content, sync, clock } = await aDaemon()
    await started()
    store.broken = new Fault('STORE_UNREACHABLE', 'away')
    store.put({ '/a': '2' })
    const reads = () => store.reads.length
    await within(20, () => reads() === 2)
    const pauses: number[] = []
    for (let i = 0; i < 8; i++) {
      const [from, before] = [clock.tick(), reads()]
      await within(80_000, () => reads() > before)
      pauses.push((clock.tick() - from) / 1_000)
    }
    for (const [i, wanted] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
      expect(Math.abs((pauses[i] ?? 0) - wanted)).toBeLessThan(0.5)
    }
    expect(content('a')).toBe('1')
    expect(sync.progress.waiting).toEqual([]) // readiness does not flip back
    store.broken = undefined
    store.change()
    await within(200, () => content('a') === '2')
    await quietly(100_000)
    expect(reads()).toBe(11)
  })

  it('what only a change can cure is tried at the longest pause, and at once when its input changes', async () => {
    const { started, store, within, quietly, commands, content } = await aDaemon({
      conf: { 'a.toml': aResource('a', 'check_cmd = "check"'), 'b.toml': aResource('b') },
    })
    await started()
    const checks = () => commands.started.filter((line) => line === 'check').length
    commands.ok = false
    store.put({ '/a': '2' })
    await within(200, () => checks() === 2)
    for (let i = 0; i < 5; i++) {
      store.put({ '/b': `${i}` })
      await quietly(1_000)
    }
    expect([checks(), content('a')]).toEqual([2, '1'])
    await within(61_000, () => checks() === 3)
    commands.ok = true
    store.put({ '/a': '3' })
    await within(200, () => content('a') === '3')
    await quietly(100_000)
    expect(checks()).toBe(4)
  })

  it('a template that is mended is passed again by SIGHUP (SY-EXIT-10)', async () => {
    const { sync, within, lay, content } = await aDaemon({ templates: { a: '{{if}}' } })
    await sync.start()
    await within(10, () => sync.progress.waiting.some(({ reason }) => reason.includes('template: a:1')))
    lay('templates/a', TEMPLATES.a)
    await sync.reread()
    await within(10, () => content('a') === '1')
    await within(0, () => sync.progress.waiting.length === 0)
  })
})

describe('SY-FAIL-6 a store that has lost all values of a resource', () => {
  it('is rendered as the template decides, counted and warned of', async () => {
    const { started, store, within, content, metric, lines } = await aDaemon()
    await started()
    store.put({ '/a': undefined })
    await within(200, () => content('a') === '')
    expect(await metric('emptied_total')).toContain('tars_sync_emptied_total{resource="a.toml"} 1')
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ resource: 'a.toml', msg: 'the store has no value of the resource any more' }),
    ])
  })
})

describe('SY-FAIL-8 a reload is owed until it works', () => {
  it('one that fails twice runs again without a change, and the file is not written again', async () => {
    const { started, store, within, commands, path, out, quietly, metric } = await aDaemon()
    await started()
    commands.ok = false
    store.put({ '/a': '2' })
    await within(20, () => commands.started.length === 2)
    const { ino } = statSync(path('a'))
    expect(readdirSync(out)).toContain('.a.reload')
    await within(1_050, () => commands.started.length === 3)
    expect(await metric('reload_pending')).toContain('tars_sync_reload_pending{resource="a.toml"} 1')
    commands.ok = true
    await within(2_050, () => commands.started.length === 4)
    await quietly(100_000)
    expect(commands.started).toHaveLength(4)
    expect(statSync(path('a')).ino).toBe(ino)
    await within(0, () => !readdirSync(out).includes('.a.reload'))
    expect(await metric('reload_pending')).toContain('tars_sync_reload_pending{resource="a.toml"} 0')
  })

  it('also while the store is away', async () => {
    const { started, store, within, commands } = await aDaemon()
    await started()
    commands.ok = false
    store.put({ '/a': '2' })
    await within(20, () => commands.started.length === 2)
    store.broken = new Fault('STORE_UNREACHABLE', 'away')
    commands.ok = true
    await within(2_000, () => commands.started.length === 3)
  })

  it('SY-FAIL-3 one that works while the store is away calls off no read, and is no pass', async () => {
    const { sync, store, within, quietly, commands, lay, content, metric } = await aDaemon()
    lay('out/a', 'old')
    lay('out/.a.reload', '')
    store.broken = new Fault('STORE_UNREACHABLE', 'away')
    await sync.start()
    await within(100, () => commands.started.length === 1)
    await quietly(0)
    expect(await metric('reload_pending')).toContain('tars_sync_reload_pending{resource="a.toml"} 0')
    expect(sync.progress.waiting).toEqual([{ resource: 'a.toml', reason: 'the store cannot be read' }])
    expect(await metric('resource_up')).toContain('tars_sync_resource_up{resource="a.toml"} 0')
    expect((await metric('renders_total')).join()).not.toContain('result="unchanged"')
    store.broken = undefined
    await within(2_000, () => content('a') === '1')
  })

  it('a marker of an earlier run is made up for at the start, though nothing changes', async () => {
    const { started, commands, lay, out } = await aDaemon()
    lay('out/a', '1')
    lay('out/.a.reload', '')
    await started()
    expect(commands.started).toEqual(['reload a'])
    expect(readdirSync(out).sort()).toEqual(['.keep', 'a'])
  })
})

describe('SY-PIPE-16 a slow reload holds up no other', () => {
  it('others are passed and reloaded while it runs, and 8 are at work at a time', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `r${i}`)
    const conf = Object.fromEntries(
      names.map((name) => [
        `${name}.toml`,
        aResource(name, `check_cmd = "check ${name}"\nreload_cmd = "reload ${name}"`),
      ]),
    )
    const { started, store, within, commands, quietly, content } = await aDaemon({ conf, values: {} })
    await started()
    commands.started.length = 0
    commands.held = (line) => line === 'reload r0'
    store.put({ '/r0': '1' })
    await within(200, () => commands.running.length === 1)
    store.put(Object.fromEntries(names.map((name) => [`/${name}`, '2'])))
    await within(300, () => names.slice(1).every((name) => content(name) === '2'))
    expect(content('r0')).toBe('1')
    commands.held = (line) => line.startsWith('check')
    store.put(Object.fromEntries(names.map((name) => [`/${name}`, '3'])))
    await within(300, () => commands.running.filter((line) => line.startsWith('check')).length === 8)
    await quietly(1_000)
    expect(commands.running).toHaveLength(9)
    commands.end('reload r0')
  })
})

describe('SY-EXIT-9 it ends in good order', () => {
  it('a check is ended, the target is the old one, and no stage file stays', async () => {
    const { started, store, within, commands, sync, content, out } = await aDaemon({
      conf: { 'a.toml': aResource('a', 'check_cmd = "check"\nreload_cmd = "reload"') },
    })
    await started()
    commands.held = (line) => line === 'check'
    store.put({ '/a': '2' })
    await within(200, () => commands.running.length === 1)
    await sync.stop()
    expect(content('a')).toBe('1')
    expect(readdirSync(out)).toEqual(['.keep', 'a'])
    expect(store.watchers).toBe(0)
  })

  it('a reload may go on for the shutdown-timeout, then it is ended and stays owed', async () => {
    const { started, store, within, commands, sync, clock, out } = await aDaemon({
      args: ['-watch', '-shutdown-timeout', '5s'],
    })
    await started()
    commands.held = () => true
    store.put({ '/a': '2' })
    await within(200, () => commands.running.length === 1)
    let isOver = false
    const stopped = sync.stop().then(() => {
      isOver = true
    })
    await within(4_900, () => clock.tick() > 0)
    expect(isOver).toBe(false)
    await within(5_100, () => isOver)
    await stopped
    expect(readdirSync(out)).toEqual(['.a.reload', '.keep', 'a'])
  })

  it('nothing starts after that', async () => {
    const { started, store, sync, quietly, content } = await aDaemon()
    await started()
    await sync.stop()
    store.put({ '/a': '2' })
    await quietly(1_000_000)
    expect(content('a')).toBe('1')
  })
})
