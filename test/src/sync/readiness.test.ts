import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import { detailOf } from '../../../src/sync/readiness.ts'
import { aDaemon, aResource } from './loop/daemon.ts'

describe('6.2 what /readyz says', () => {
  it('SY-FAIL-2 since when the watch is down, until it is up again', async () => {
    const { started, store, within, sync, clock } = await aDaemon()
    await started()
    expect(detailOf(sync.progress)).toEqual({ ready: true, waiting: [], failing: [] })
    store.broken = new Fault('STORE_UNREACHABLE', 'away')
    const lost = clock.now().toISOString()
    store.cut()
    await within(100_000, () => store.watches.length > 4)
    expect(detailOf(sync.progress)).toMatchObject({ ready: true, watchDownSince: lost })
    store.broken = undefined
    await within(60_000, () => store.watchers === 1)
    expect(detailOf(sync.progress)).toEqual({ ready: true, waiting: [], failing: [] })
  })

  it('SY-FAIL-2 a store that sends no changes is not one whose watch is down', async () => {
    const { sync, within, store } = await aDaemon()
    store.broken = new Fault('STORE_SENDS_NO_CHANGES', 'it sends none')
    await sync.start()
    await within(100, () => store.watches.length === 1)
    expect(detailOf(sync.progress)).not.toHaveProperty('watchDownSince')
  })

  it('which resource has not passed, and which one fails that has: with the reason, and without flipping', async () => {
    const { started, store, within, sync, lay, commands } = await aDaemon({
      conf: { 'a.toml': aResource('a', 'check_cmd = "check"'), 'b.toml': aResource('b') },
    })
    await started()
    commands.ok = false
    store.put({ '/a': '2' })
    await within(300, () => sync.progress.failing.length > 0)
    const reason = 'check_cmd: Config check failed: it ended with code 1'
    expect(detailOf(sync.progress)).toEqual({ ready: true, waiting: [], failing: [{ resource: 'a.toml', reason }] })
    lay('conf.d/b.toml', 'nonsense')
    lay('conf.d/c.toml', 'nonsense')
    await sync.reread()
    const none = expect.stringMatching(/^is no TOML/)
    expect(detailOf(sync.progress)).toEqual({
      ready: false,
      waiting: [{ resource: 'c.toml', reason: none }],
      failing: [
        { resource: 'b.toml', reason: none },
        { resource: 'a.toml', reason },
      ],
    })
  })

  it('of a thousand the first, and how many are left out', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ resource: `${i}.toml`, reason: 'x'.repeat(5_000) }))
    const detail = detailOf({ resources: 1_000, waiting: many, failing: many.slice(0, 60) })
    expect([detail.waiting.length, detail.failing.length, detail.leftOut]).toEqual([50, 50, 960])
    expect(JSON.stringify(detail).length).toBeLessThan(50_000)
  })
})
