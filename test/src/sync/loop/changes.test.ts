import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../src/faults.ts'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { aDaemon, aResource, settled } from './daemon.ts'

const TWO = { 'a.toml': aResource('a'), 'b.toml': aResource('b') }

describe('SY-FAIL-1 SY-PIPE-15 SY-SEED-3 a daemon passes at its start, and after each change', () => {
  it('the start passes all; a change passes what it is about, and nothing else', async () => {
    const { started, store, within, content, commands } = await aDaemon({ conf: TWO })
    await started()
    expect([...commands.started].sort()).toEqual(['reload a', 'reload b'])
    store.put({ '/b': '2' })
    await within(20, () => content('b') === '2')
    await settled(() => commands.started.length === 3)
    expect(commands.started[2]).toBe('reload b')
    expect(store.reads).toHaveLength(2)
  })

  it('is not ready before it knows what there is to pass', async () => {
    const { sync } = await aDaemon({ conf: TWO })
    expect(sync.progress.waiting).toEqual([{ resource: 'conf.d', reason: 'has not been read yet' }])
    const starting = sync.start()
    expect(sync.progress.waiting).toHaveLength(1)
    await starting
    expect(sync.progress).toMatchObject({ resources: 2, waiting: [{ resource: 'a.toml' }, { resource: 'b.toml' }] })
  })

  it('SY-BE-4 SY-SEED-6 one watch for all resources, of the keys that cover theirs', async () => {
    const conf = { ...TWO, 'c.toml': 'src = "a"\ndest = "OUT/c"\nkeys = ["/b/x", "/b"]' }
    const { started, store } = await aDaemon({ conf })
    await started()
    expect(store.watches.map((keys) => keys.map(({ path }) => path))).toEqual([['/a', '/b']])
  })

  it('a change during a pass leads to exactly one more', async () => {
    const { started, store, within, content, commands, quietly } = await aDaemon()
    await started()
    commands.held = () => true
    store.put({ '/a': '2' })
    await within(20, () => commands.running.length === 1)
    store.put({ '/a': '3' })
    store.put({ '/a': '4' })
    await quietly(1_000)
    expect(content('a')).toBe('2')
    commands.held = () => false
    commands.end('reload a')
    await within(300, () => content('a') === '4')
    await within(0, () => commands.started.length === 3)
    await quietly(1_000)
    expect(commands.started).toEqual(['reload a', 'reload a', 'reload a'])
  })

  it('SY-BE-2 a word that nothing has changed is harmless: the store is read again, and nothing runs', async () => {
    const { started, store, within, quietly, commands } = await aDaemon()
    await started()
    const [reads, runs] = [store.reads.length, commands.started.length]
    store.change()
    await within(20, () => store.reads.length > reads)
    await quietly(1_000)
    expect([store.reads.length, commands.started.length]).toEqual([reads + 1, runs])
  })

  it('SY-SEED-9 what waits for a change is woken by it, and asks for nothing until then', async () => {
    const { started, store, quietly } = await aDaemon({ conf: TWO })
    await started()
    const { length } = store.reads
    await quietly(500_000)
    expect([store.reads.length, store.watches.length]).toEqual([length, 1])
  })

  it('SY-REDIS-6 a change during a read is read, too', async () => {
    const { started, store, within, content } = await aDaemon()
    await started()
    store.beforeAnswer = async () => {
      store.beforeAnswer = async () => {}
      store.put({ '/a': '3' })
    }
    store.put({ '/a': '2' })
    await within(500, () => content('a') === '3')
  })

  it('a store without the keys of anything is never asked', async () => {
    const { started, store, content } = await aDaemon({ conf: { 'a.toml': 'src = "a"\ndest = "OUT/a"' } })
    await started()
    expect(content('a')).toBe('')
    expect([store.reads, store.watches]).toEqual([[], []])
  })
})

describe('SY-FAIL-4 changes come together without waiting for quiet', () => {
  it('the first is answered after 20 ms', async () => {
    const { started, store, quietly, within, content } = await aDaemon()
    await started()
    await quietly(1_000)
    store.put({ '/a': '2' })
    await quietly(19)
    expect(content('a')).toBe('1')
    await within(1, () => content('a') === '2')
  })

  it('while they go on, a pass starts no sooner than 200 ms after the last one, and no later', async () => {
    const { started, store, quietly, within, content } = await aDaemon()
    await started()
    await quietly(1_000)
    store.put({ '/a': '2' })
    await within(20, () => content('a') === '2')
    for (let i = 0; i < 9; i++) {
      store.put({ '/a': `x${i}` })
      await quietly(20)
    }
    expect(content('a')).toBe('2')
    await within(20, () => content('a') === 'x8')
    expect(store.reads).toHaveLength(3)
  })

  it.each([
    { name: 'of all', args: ['-watch', '-debounce', '0'], more: '' },
    { name: 'of its own', args: ['-watch'], more: 'debounce = 0' },
  ])('a debounce of 0 waits for nothing, $name', async ({ args, more }) => {
    const { started, store, within, content } = await aDaemon({ conf: { 'a.toml': aResource('a', more) }, args })
    await started()
    for (const value of ['2', '3']) {
      store.put({ '/a': value })
      await within(0, () => content('a') === value)
    }
  })
})

describe('SY-FAIL-2 a watch that ends is begun again', () => {
  it('after a pause that doubles, and it is seen in metrics; what changed meanwhile is caught up with', async () => {
    const { started, store, clock, within, content, metric } = await aDaemon()
    await started()
    expect(await metric('watch_connected')).toContain('tars_sync_watch_connected{source="fake"} 1')
    store.broken = new Fault('STORE_UNREACHABLE', 'away')
    store.cut()
    await settled(() => store.watchers === 0)
    await clock.waitFor(250) // between 0 and 500 ms, by chance 0.5
    await within(250, () => store.watches.length === 2)
    await clock.waitFor(500)
    expect(await metric('watch_connected')).toContain('tars_sync_watch_connected{source="fake"} 0')
    expect(await metric('watch_reconnects_total')).toContain('tars_sync_watch_reconnects_total{source="fake"} 2')
    store.broken = undefined
    store.putQuietly({ '/a': '2' })
    await within(500, () => store.watchers === 1)
    await within(200, () => content('a') === '2')
  })

  it('SY-CLI-12 a store that sends no word of changes is polled, with one warning', async () => {
    const { store, within, content, lines, sync } = await aDaemon({ args: ['-watch', '-interval', '60'] })
    store.broken = new Fault('STORE_SENDS_NO_CHANGES', 'never')
    await sync.start()
    await settled(() => store.watches.length === 1)
    store.broken = undefined
    await within(2_000, () => sync.progress.waiting.length === 0)
    store.putQuietly({ '/a': '2' })
    await within(66_000, () => content('a') === '2')
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(store.watches).toHaveLength(1)
  })
})

describe('SY-FAIL-5 every interval all is looked at again', () => {
  it('a target that was changed by hand is set right, and a change without word is found', async () => {
    const { started, store, within, content, path, commands } = await aDaemon({
      conf: TWO,
      args: ['-watch', '-interval', '60'],
    })
    await started()
    writeFileSync(path('a'), 'by hand')
    store.putQuietly({ '/b': '2' })
    await within(60_000, () => content('a') === '1' && content('b') === '2')
    await settled(() => commands.started.length === 4)
  })

  it('SY-RES-5 so is a resource file that no word came of', async () => {
    const { started, within, content, layResource } = await aDaemon({ args: ['-watch', '-interval', '60'] })
    await started()
    layResource('b.toml', aResource('b'))
    await within(66_000, () => content('b') === '1')
  })
})

describe('SY-PIPE-14 without -watch', () => {
  it('all is passed at the start, and again an interval after the end; new resource files count', async () => {
    const { started, store, within, quietly, content, layResource, commands } = await aDaemon({
      args: ['-interval', '60'],
    })
    await started()
    expect(store.watches).toEqual([])
    store.putQuietly({ '/a': '2' })
    layResource('b.toml', aResource('b'))
    await quietly(58_000)
    expect([content('a'), commands.started]).toEqual(['1', ['reload a']])
    await within(1_000, () => commands.started.length === 3)
    expect([content('a'), content('b')]).toEqual(['2', '1'])
  })

  it('SY-FAIL-11 retries of one resource put off no poll of the others', async () => {
    const conf = { 'a.toml': aResource('a').replace('"a"', '"missing"'), 'b.toml': aResource('b') }
    const { sync, store, within, content } = await aDaemon({ conf, args: ['-interval', '600'] })
    await sync.start()
    await within(10, () => content('b') === '1')
    for (const value of ['2', '3']) {
      store.putQuietly({ '/b': value })
      await within(610_000, () => content('b') === value)
    }
  })

  it.each(['is missing', 'cannot be read'])('polls go on while conf.d %s, with what was there', async (what) => {
    const files = { ...realFiles }
    const { started, store, within, content, folder, lines } = await aDaemon({
      args: ['-interval', '60'],
      host: { files },
    })
    await started()
    if (what === 'is missing') rmSync(join(folder, 'conf.d'), { recursive: true })
    else files.walk = () => Promise.reject(new Error('EIO'))
    for (const value of ['2', '3']) {
      store.putQuietly({ '/a': value })
      await within(61_000, () => content('a') === value)
    }
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: expect.stringMatching(/conf\.d.*: what was there goes on$/) }),
    )
  })
})
