import { beforeEach, describe, expect, it } from 'vitest'
import { issueAuthority, LEAF_LIFE } from '../../certs/authority.ts'
import { keepBundles, MUTATING, VALIDATING } from '../../certs/ca-bundle.ts'
import type { ServingPair } from '../../certs/pair.ts'
import type { Gvr } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { isTree } from '../../src/schema.ts'
import { ManualClock } from '../support/fakes/clock.ts'
import { CountedCluster } from '../support/fakes/counted-cluster.ts'
import { notes } from '../support/notes.ts'
import { base64, type ClientConfig, ca, now, other, ours, text, toService, webhooks } from './ca-bundles.ts'

describe('keeping the bundles', () => {
  const configurations = [
    { of: MUTATING, name: 'tars-m' },
    { of: VALIDATING, name: 'tars-v' },
  ]
  const refOf = (of: Gvr) => ({ namespace: '', name: configurations.find((each) => each.of === of)?.name ?? '' })

  let cluster: CountedCluster
  let clock: ManualClock
  let log: ReturnType<typeof notes>
  let renew: (pair: ServingPair) => void
  let pair: ServingPair

  beforeEach(() => {
    cluster = new CountedCluster()
    clock = new ManualClock(now)
    log = notes()
    pair = { cert: '', key: '', ca, notAfter: now }
  })

  const put = (of: Gvr, ...configs: readonly ClientConfig[]) => cluster.put(of, refOf(of), webhooks(...configs))
  const source = {
    current: () => pair,
    onRenewed(listener: (pair: ServingPair) => void) {
      renew = (next) => {
        pair = next
        listener(next)
      }
    },
  }
  const keep = () => keepBundles({ configurations, ours, source, cluster, clock, log })

  async function bundlesOf(of: Gvr): Promise<readonly string[]> {
    const found = (await cluster.get(of, refOf(of)))?.webhooks
    const configs = Array.isArray(found) ? found.map((webhook) => isTree(webhook) && webhook.clientConfig) : []
    return configs.map((config) => (isTree(config) ? text(config.caBundle ?? '') : 'not ours to read'))
  }
  /** Until nothing more is on its way: the fake answers in microtasks. */
  const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))

  it('mends both configurations and says that it saw it', async () => {
    put(MUTATING, toService)
    put(VALIDATING, toService, toService)
    const keeper = keep()
    expect(keeper.observed()).toBe(false)
    await settled()
    expect([await bundlesOf(MUTATING), await bundlesOf(VALIDATING)]).toEqual([[ca], [ca, ca]])
    expect(keeper.observed()).toBe(true)
  })

  it('writes once, whatever the number of replicas', async () => {
    put(MUTATING, toService)
    const keepers = Array.from({ length: 5 }, keep)
    await settled()
    expect(cluster.writes).toEqual({ requested: 5, taken: 1 })
    expect(keepers.every(({ observed }) => observed())).toBe(true)
    expect(log.lines.filter(({ msg }) => msg === 'caBundle not written')).toEqual([])
  })

  it('mends a bundle that is wiped', async () => {
    put(MUTATING, toService)
    const keeper = keep()
    await settled()
    put(MUTATING, { ...toService, caBundle: '' })
    await settled()
    expect(await bundlesOf(MUTATING)).toEqual([ca])
    expect(keeper.observed()).toBe(true)
  })

  it('does not touch the webhooks of others', async () => {
    const foreign = { service: { namespace: 'x', name: 'y' }, caBundle: base64(other) }
    put(MUTATING, foreign, toService)
    keep()
    await settled()
    expect(await bundlesOf(MUTATING)).toEqual([other, ca])
  })

  it('adds a renewed CA to the old one', async () => {
    put(VALIDATING, toService)
    const keeper = keep()
    await settled()
    renew({ ...pair, ca: other })
    expect(keeper.observed()).toBe(false)
    await settled()
    expect(await bundlesOf(VALIDATING)).toEqual([ca + other])
    expect(keeper.observed()).toBe(true)
  })

  it('takes out a CA of ours when the last leaf of it is over (CT-4)', async () => {
    const old = (await issueAuthority(new Date(now.getTime() - 1_000_000))).cert
    put(MUTATING, { ...toService, caBundle: base64(old + other) })
    const keeper = keep()
    await settled()
    expect(await bundlesOf(MUTATING)).toEqual([old + other + ca])
    clock.advance(LEAF_LIFE - 600_000)
    await settled()
    expect(await bundlesOf(MUTATING)).toEqual([old + other + ca])
    expect(keeper.observed()).toBe(true)
    clock.advance(600_000)
    await settled()
    expect(await bundlesOf(MUTATING)).toEqual([other + ca])
  })

  it('comes to rest beside a replica that holds an older CA', async () => {
    const [old, older] = await Promise.all(
      [100, 200].map(async (days) => (await issueAuthority(new Date(now.getTime() - days * 86_400_000))).cert),
    )
    const behind = { current: () => ({ ...pair, ca: String(older) }), onRenewed: () => undefined }
    put(MUTATING, { ...toService, caBundle: base64(`${old}${older}`) })
    keep()
    keepBundles({ configurations, ours, source: behind, cluster, clock, log })
    await settled()
    const before = cluster.writes.taken
    await settled()
    expect(cluster.writes.taken).toBe(before)
    expect((await bundlesOf(MUTATING)).join()).toContain(older)
    clock.advance(60_000)
    await settled()
    expect(cluster.writes.taken - before).toBeLessThan(5)
  })

  it('takes a configuration that does not exist for no failure, and mends it when it comes', async () => {
    const keeper = keep()
    await settled()
    expect(keeper.observed()).toBe(true)
    put(MUTATING, toService)
    await settled()
    expect(await bundlesOf(MUTATING)).toEqual([ca])
    expect(log.lines.filter(({ msg }) => msg !== 'caBundle written')).toEqual([])
  })

  it('logs what the API server answers, and tries again', async () => {
    put(MUTATING, toService)
    cluster.fault = new Fault('CLUSTER_UNREACHABLE', 'cannot reach the API server')
    const keeper = keep()
    await settled()
    expect(keeper.observed()).toBe(false)
    expect(log.lines).toContainEqual(
      expect.objectContaining({ msg: 'caBundle not written', configuration: 'tars-m', attempt: 1 }),
    )
    clock.advance(1_000)
    await settled()
    expect(keeper.observed()).toBe(true)
  })

  it('tries later and later', async () => {
    put(MUTATING, toService)
    keep()
    for (const pause of [0, 500, 1_000, 2_000]) {
      cluster.fault = new Fault('CLUSTER_UNREACHABLE', 'cannot reach the API server')
      clock.advance(Math.max(0, pause - 1))
      const before = cluster.writes.requested
      clock.advance(1)
      await settled()
      expect(cluster.writes.requested).toBe(before + 1)
    }
  })

  it('does nothing more once it is stopped', async () => {
    put(MUTATING, toService)
    cluster.fault = new Fault('CLUSTER_UNREACHABLE', 'cannot reach the API server')
    const keeper = keep()
    await settled()
    keeper.stop()
    put(MUTATING, toService)
    clock.advance(60_000)
    await settled()
    expect(cluster.writes.requested).toBe(1)
    expect(clock.waiting).toBe(0)
  })
})
