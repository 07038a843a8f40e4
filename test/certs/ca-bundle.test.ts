import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueAuthority, LEAF_LIFE } from '../../certs/authority.ts'
import { bundlePatch, keepBundles, MUTATING, VALIDATING } from '../../certs/ca-bundle.ts'
import type { ServingPair } from '../../certs/pair.ts'
import type { Built, Gvr } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { isTree } from '../../src/schema.ts'
import { ManualClock } from '../support/fakes/clock.ts'
import { CountedCluster } from '../support/fakes/counted-cluster.ts'
import { notes } from '../support/notes.ts'

const service = { namespace: 'tars-system', name: 'tars-webhook-service' }
const ours = { service, url: 'https://127.0.0.1:9443' }
const toService = { service: { ...service, path: '/validating', port: 443 } }
const now = new Date()

let ca: string
let other: string
beforeAll(async () => {
  ca = (await issueAuthority(now)).cert
  other = (await issueAuthority(now, 'CN=other')).cert
})

type ClientConfig = Readonly<Record<string, unknown>>
const webhooks = (...configs: readonly ClientConfig[]) => ({
  webhooks: configs.map((clientConfig, i) => ({ name: `w${i}.tars.io`, clientConfig })),
})
const configuration = (...configs: readonly ClientConfig[]): Built => ({
  metadata: { name: 'tars', resourceVersion: '7' },
  ...webhooks(...configs),
})
const base64 = (text: string) => Buffer.from(text).toString('base64')
const text = (value: unknown) => Buffer.from(String(value), 'base64').toString()

function addedTo(found: Built): readonly string[] {
  const operations = bundlePatch(found, ours, { ca }) ?? []
  return operations.flatMap((operation) => (operation.op === 'add' ? [text(operation.value)] : []))
}

describe('the patch of a bundle (CT-5)', () => {
  it('is tied to the version and to each name', () => {
    expect(bundlePatch(configuration(toService, { url: 'https://example.com/' }, toService), ours, { ca })).toEqual([
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'test', path: '/webhooks/0/name', value: 'w0.tars.io' },
      { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: base64(ca) },
      { op: 'test', path: '/webhooks/2/name', value: 'w2.tars.io' },
      { op: 'add', path: '/webhooks/2/clientConfig/caBundle', value: base64(ca) },
    ])
  })

  it.each([
    { name: 'our Service', clientConfig: toService, count: 1 },
    { name: 'a Service of our name elsewhere', clientConfig: { service: { ...service, namespace: 'x' } }, count: 0 },
    { name: 'another Service', clientConfig: { service: { ...service, name: 'x' } }, count: 0 },
    { name: 'our URL with another path', clientConfig: { url: 'https://127.0.0.1:9443/mutating' }, count: 1 },
    { name: 'our host with another port', clientConfig: { url: 'https://127.0.0.1:9444/mutating' }, count: 0 },
    {
      name: 'a URL that only begins like ours',
      clientConfig: { url: 'https://127.0.0.1:9443.example.com/' },
      count: 0,
    },
    { name: 'nothing', clientConfig: {}, count: 0 },
  ])('touches $count webhooks for $name', ({ clientConfig, count }) => {
    expect(addedTo(configuration(clientConfig))).toHaveLength(count)
  })

  it('knows no URL of ours where none is configured', () => {
    const found = configuration({ url: 'https://127.0.0.1:9443/mutating' })
    expect(bundlePatch(found, { service }, { ca })).toBeUndefined()
  })

  it.each([
    { name: 'is not there', bundle: () => ({}), becomes: () => ca },
    { name: 'is empty', bundle: () => ({ caBundle: '' }), becomes: () => ca },
    { name: 'is a placeholder', bundle: () => ({ caBundle: 'Cg==' }), becomes: () => ca },
    { name: 'holds what others put in', bundle: () => ({ caBundle: base64(other) }), becomes: () => other + ca },
    {
      name: 'ends in a certificate cut off',
      bundle: () => ({ caBundle: base64(`${other}-----BEGIN CERTIFICATE-----\nMIIB`) }),
      becomes: () => other + ca,
    },
    {
      name: 'holds the other with lines of its own',
      bundle: () => ({ caBundle: base64(other.replaceAll('\n', '\r\n')) }),
      becomes: () => `${other.replaceAll('\n', '\r\n').trimEnd()}\n${ca}`,
    },
  ])('is the union when the bundle $name', ({ bundle, becomes }) => {
    expect(addedTo(configuration({ ...toService, ...bundle() }))).toEqual([becomes()])
  })

  it.each([
    { name: 'ours alone', bundle: () => ca },
    { name: 'ours among others', bundle: () => other + ca + other },
    { name: 'ours with other line ends', bundle: () => ca.replaceAll('\n', '\r\n') },
  ])('is none when the bundle holds $name', ({ bundle }) => {
    expect(bundlePatch(configuration({ ...toService, caBundle: base64(bundle()) }), ours, { ca })).toBeUndefined()
  })

  it('adds each CA of ours that is missing', () => {
    const found = configuration({ ...toService, caBundle: base64(ca) })
    const operations = bundlePatch(found, ours, { ca: ca + other }) ?? []
    expect(operations.at(-1)).toMatchObject({ value: base64(ca + other) })
  })

  it('is none for a configuration without webhooks', () => {
    expect(bundlePatch({ metadata: { name: 'tars' } }, ours, { ca })).toBeUndefined()
  })
})

describe('CAs of ours that others of ours have replaced (CT-4)', () => {
  const DAY = 86_400_000
  const aged = (days: number, name?: string) => issueAuthority(new Date(now.getTime() - days * DAY), name)
  const certs: Record<string, string> = {}
  beforeAll(async () => {
    for (const days of [0, 10, 29, 31, 100, 200]) certs[`ours${days}`] = (await aged(days)).cert
    certs.foreign = (await aged(1_000, 'CN=other')).cert
    certs.alike = (await aged(1_000, 'CN=tars-admission CA, O=other')).cert
  })
  const bundleOf = (names: string) =>
    names
      .split(' ')
      .map((name) => certs[name] ?? name)
      .join('')

  it.each([
    {
      name: 'the older leaves after the lifetime of a leaf',
      bundle: 'ours100 ours31',
      inForce: 'ours31',
      kept: 'ours31',
    },
    { name: 'the older stays for the lifetime of a leaf', bundle: 'ours100 ours29', inForce: 'ours29' },
    { name: 'only the newest two stay', bundle: 'ours100 ours10 ours0', inForce: 'ours0', kept: 'ours10 ours0' },
    {
      name: 'however many there are',
      bundle: 'ours10 ours200 ours0 ours100 ours31',
      inForce: 'ours0',
      kept: 'ours10 ours0',
    },
    {
      name: 'foreign ones stay, whatever their age',
      bundle: 'foreign ours100 alike ours31',
      inForce: 'ours31',
      kept: 'foreign alike ours31',
    },
    {
      name: 'also where the pair is of a foreign CA',
      bundle: 'ours100 foreign ours31',
      inForce: 'foreign',
      kept: 'foreign ours31',
    },
    {
      name: 'one in force that is missing comes as the others leave',
      bundle: 'ours200 ours100 foreign',
      inForce: 'ours31',
      kept: 'foreign ours31',
    },
    { name: 'one in force from a backup stays, and so does a newer one', bundle: 'ours100 ours31', inForce: 'ours100' },
    {
      name: 'one in force from a backup stays among newer ones',
      bundle: 'ours200 ours100 ours31',
      inForce: 'ours200',
      kept: 'ours200 ours31',
    },
    { name: 'one that stands there twice replaces nothing', bundle: 'ours31 ours31', inForce: 'ours31' },
    { name: 'what is no certificate hides nothing', bundle: 'junk ours100 ours31', inForce: 'ours31', kept: 'ours31' },
  ])('$name', ({ bundle, inForce, kept = bundle }) => {
    const found = configuration({ ...toService, caBundle: base64(bundleOf(bundle)) })
    const operations = bundlePatch(found, ours, { ca: bundleOf(inForce), now })
    const written = operations?.flatMap((operation) => (operation.op === 'add' ? [text(operation.value)] : []))
    expect(written).toEqual(kept === bundle ? undefined : [bundleOf(kept)])
  })
})

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
