import { describe, expect, it } from 'vitest'
import type { MemoryCluster } from '../../../../../src/cluster/memory/memory-cluster.ts'
import { needsOf } from '../../../../../src/cluster/needs.ts'
import type { Built, KubeObject } from '../../../../../src/cluster/port.ts'
import { asCluster } from '../../../../../src/process/memory-cluster.ts'
import { countedReader } from '../../../../../src/reconcile/calls.ts'
import { defineController } from '../../../../../src/reconcile/controller.ts'
import { settle } from '../../../../../src/reconcile/settle.ts'
import { TENDPOINT } from '../../../../../webhooks/tars/tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../../../../webhooks/tars/texitedrecord/schema.ts'
import { TFRAMEWORKCONFIG } from '../../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { tserverController } from '../../../../../webhooks/tars/tserver/reconcile/reconcile.ts'
import { TSERVER, type TServer } from '../../../../../webhooks/tars/tserver/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../../../../webhooks/tars/workloads.ts'
import { CTRL, SETTINGS } from '../../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../../support/builders/framework-configs.ts'
import { aMount, aRelease, aServant, aTServer } from '../../../../support/builders/servers.ts'
import { aService } from '../../../../support/builders/workloads.ts'
import { clusterOf, NOW } from '../../../../support/clusters.ts'
import { settled as settledBy } from '../../../../support/turns.ts'

const KEY = { namespace: 'demo', name: 'demo-echo' }
const OWNED = [TENDPOINT, TEXITEDRECORD, SERVICE, STATEFULSET]

const settled = (cluster: MemoryCluster) => settledBy('tserver', cluster)
/** Created, so that it has the defaults of its schema. */
async function clusterWith(server: Built, ...there: readonly Built[]) {
  const cluster = clusterOf(...there)
  await cluster.create(TSERVER, server)
  return cluster
}
async function settledCluster(server = aTServer({ release: aRelease() }), ...there: readonly Built[]) {
  const cluster = await clusterWith(server, ...there)
  await settled(cluster)
  return cluster
}

/** A person who deletes the Service half a minute after the worker has begun. */
const deleting = defineController<TServer, KubeObject>({
  name: 'person',
  of: TSERVER,
  watches: [],
  writes: [{ resource: SERVICE, verbs: ['remove'] }],
  observe: (key, { live }) => live.get(SERVICE, key),
  plan({ metadata: { uid = '', ownerReferences } }, { at }) {
    if (ownerReferences !== undefined) return { actions: [] }
    if (at.getTime() < Date.parse(NOW) + 30_000) return { actions: [], againInMs: 30_000 }
    return { actions: [{ do: 'remove', of: SERVICE, ref: KEY, expects: { uid }, because: 'it is in the way' }] }
  },
})

describe('a server that comes to rest', () => {
  it('WR-10, WK-4 costs five writes, and a second pass none', async () => {
    const cluster = await clusterWith(aTServer({ release: aRelease() }))
    expect((await settled(cluster)).writes).toHaveLength(5)
    expect(await settled(cluster)).toEqual({ writes: [], reasons: [] })
  })
  it.each(OWNED)('TS-R5 $kind that was deleted comes back', async (of) => {
    const cluster = await settledCluster()
    await cluster.remove(of, KEY)
    const { writes } = await settled(cluster)
    expect(writes).toEqual([`${of === TEXITEDRECORD ? 'create' : 'apply'} ${of.kind}`])
  })
  it.each(OWNED)(
    'WK-12, TX-R1 $kind whose labels were taken off is found by a live read, and gets them back',
    async (of) => {
      const cluster = await settledCluster()
      const { labels } = (await cluster.get(of, KEY))?.metadata ?? {}
      await cluster.merge(of, KEY, { metadata: { labels: null } })
      const { writes, reasons } = await settled(cluster)
      expect(writes).toEqual([`${of === TEXITEDRECORD ? 'merge' : 'apply'} ${of.kind}`])
      expect(reasons).toEqual([])
      expect((await cluster.get(of, KEY))?.metadata.labels).toEqual(labels)
    },
  )
  it('TS-R6, WK-12 a foreign object without labels is found by a live read, and is an event', async () => {
    const cluster = await clusterWith(aTServer(), aService({ labels: {} }))
    const { writes, reasons } = await settled(cluster)
    expect(writes).toEqual(['apply TEndpoint', 'create TExitedRecord', 'merge TServer'])
    expect(reasons).toEqual(['OutControl'])
    expect((await cluster.get(SERVICE, KEY))?.metadata.ownerReferences).toBeUndefined()
  })
  it.each([
    {
      case: 'replaced a minute after the worker found it',
      forMs: 60_000,
      made: ['apply Service', 'apply StatefulSet'],
    },
    { case: 'not replaced before', forMs: 59_999, made: [] },
  ])('TS-R6 a foreign object without labels that is deleted is $case', async ({ forMs, made }) => {
    const cluster = await clusterWith(aTServer(), aService({ labels: {} }))
    const { writes } = await settledBy('tserver', cluster, { beside: [deleting], forMs })
    const firsts = ['apply TEndpoint', 'create TExitedRecord', 'merge TServer']
    expect(writes).toEqual([...firsts, 'remove Service', ...made])
  })
  it('TS-R6 a foreign object without labels costs one refused write and ten reads a minute', async () => {
    const cluster = await clusterWith(aTServer(), aService({ labels: {} }))
    const seen = asCluster(cluster, needsOf({ controllers: [tserverController] }, 'worker').reads, CTRL)
    let reads = 0
    const live = countedReader(cluster, () => {
      reads += 1
    })
    const watched = { ...seen, readers: { ...seen.readers, live } }
    const options = { settings: SETTINGS, profile: 'seed', at: new Date(NOW), forMs: 599_999 } as const
    const { results } = await settle([tserverController], watched, options)
    const outcomes = results.map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'overtaken')).toHaveLength(11) // the status that it writes first wakes it
    expect(reads).toBeLessThanOrEqual(11 * 10)
  })
  it('MP-34 becomes a DaemonSet, and a StatefulSet again', async () => {
    const cluster = await settledCluster()
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { daemonSet: true } } })
    expect((await settled(cluster)).writes).toEqual([
      'remove Service',
      'remove StatefulSet',
      'merge TServer',
      'apply DaemonSet',
    ])
    expect(await cluster.get(STATEFULSET, KEY)).toBeUndefined()
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { daemonSet: false } } })
    expect((await settled(cluster)).writes).toEqual([
      'remove DaemonSet',
      'apply Service',
      'merge TServer',
      'apply StatefulSet',
    ])
    expect(await cluster.get(DAEMONSET, KEY)).toBeUndefined()
  })
  it.each([
    { was: true, hides: [DAEMONSET], goes: ['remove DaemonSet'], comes: ['apply Service'], last: 'apply StatefulSet' },
    {
      was: false,
      hides: [SERVICE, STATEFULSET],
      goes: ['remove Service', 'remove StatefulSet'],
      comes: [],
      last: 'apply DaemonSet',
    },
  ])('MP-34, TS-R4 without labels, $goes comes before $last', async ({ was, hides, goes, comes, last }) => {
    const cluster = await settledCluster(aTServer({ k8s: { daemonSet: was } }))
    for (const of of hides) await cluster.merge(of, KEY, { metadata: { labels: null } })
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { daemonSet: !was } } })
    const { writes } = await settled(cluster)
    expect(writes.filter((write) => write !== 'merge TServer')).toEqual([...goes, ...comes, last])
    for (const of of hides) expect(await cluster.get(of, KEY)).toBeUndefined()
  })
  it('MP-34, TS-R6 a foreign DaemonSet without labels is left, and the StatefulSet comes beside it', async () => {
    const cluster = await settledCluster(aTServer({ k8s: { daemonSet: true } }))
    await cluster.merge(DAEMONSET, KEY, { metadata: { labels: null, ownerReferences: null } })
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { daemonSet: false } } })
    expect((await settled(cluster)).writes).toContain('apply StatefulSet')
    expect(await cluster.get(DAEMONSET, KEY)).toBeDefined()
  })
  it('MP-4 gets a headless Service again', async () => {
    const cluster = await settledCluster()
    await cluster.merge(SERVICE, KEY, { spec: { clusterIP: '10.0.0.7' } })
    expect((await settled(cluster)).writes).toEqual(['remove Service', 'apply Service'])
    expect(await cluster.get(SERVICE, KEY)).toMatchObject({ spec: { clusterIP: 'None' } })
  })
  it('MP-31 gets another StatefulSet with its first claim, and an event says what follows', async () => {
    const cluster = await settledCluster()
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { mounts: [aMount({ of: 'tLocalVolume' })] } } })
    const { writes, reasons } = await settled(cluster)
    expect(writes).toEqual(['remove StatefulSet', 'apply StatefulSet'])
    expect(reasons).toEqual(['Recreated'])
  })
  it('TE-R1, TE-R2, TS-R2 has what changes of it in its TEndpoint', async () => {
    const cluster = await settledCluster()
    await cluster.merge(TSERVER, KEY, { spec: { tars: { servants: [aServant({ capacity: 7 })] } } })
    expect((await settled(cluster)).writes).toEqual(['apply TEndpoint'])
    expect(await cluster.get(TENDPOINT, KEY)).toMatchObject({ spec: { tars: { servants: [{ capacity: 7 }] } } })
    await cluster.merge(TSERVER, KEY, { metadata: { labels: { mine: 'x' } } })
    expect((await settled(cluster)).writes).toEqual([])
  })
  it('TF-R1, MP-17 a server without a release shows the node image of its namespace', async () => {
    const cluster = await settledCluster(aTServer(), aTFrameworkConfig())
    const image = async () => JSON.stringify((await cluster.get(STATEFULSET, KEY)) ?? {})
    expect(await image()).toContain('"tarscloud/tars.tarsnode:v1"')
    await cluster.merge(TFRAMEWORKCONFIG, { ...KEY, name: 'tars-framework' }, { nodeImage: { image: 'other:v2' } })
    expect((await settled(cluster)).writes).toEqual(['apply StatefulSet'])
    expect(await image()).toContain('"other:v2"')
    await cluster.remove(TFRAMEWORKCONFIG, { ...KEY, name: 'tars-framework' })
    await settled(cluster)
    expect(await image()).not.toContain('v2')
  })
})

describe('PATCH-API-4, PATCH-T-28 node patches of a TServer', () => {
  const [list, source] = ['daemonset.kruise.io/patches', 'daemonset.kruise.io/patches-source']
  const daemon = (annotations: Readonly<Record<string, string>> = {}) =>
    aTServer({ release: aRelease(), k8s: { daemonSet: true }, annotations })
  const noted = async (cluster: MemoryCluster) => {
    const { [list]: patches, [source]: by } = (await cluster.get(DAEMONSET, KEY))?.metadata.annotations ?? {}
    return [patches, by]
  }
  const annotate = (cluster: MemoryCluster, of: typeof TSERVER | typeof DAEMONSET, value: string | null) =>
    cluster.merge(of, KEY, { metadata: { annotations: { [list]: value } } })

  it('come, change and go with its annotation, and a second pass writes nothing', async () => {
    const cluster = await settledCluster(daemon())
    expect(await noted(cluster)).toEqual([undefined, undefined])
    for (const value of ['[]', '[ ]']) {
      await annotate(cluster, TSERVER, value)
      expect((await settled(cluster)).writes).toEqual(['apply DaemonSet'])
      expect(await noted(cluster)).toEqual([value, 'tserver'])
      expect((await settled(cluster)).writes).toEqual([])
    }
    await annotate(cluster, DAEMONSET, 'by hand')
    await settled(cluster)
    expect(await noted(cluster)).toEqual(['[ ]', 'tserver'])
    await annotate(cluster, TSERVER, null)
    await settled(cluster)
    expect(await noted(cluster)).toEqual([undefined, undefined])
  })

  it('set on the DaemonSet by hand survive a sync', async () => {
    const cluster = await settledCluster(daemon())
    await annotate(cluster, DAEMONSET, '[]')
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { updateStrategy: { type: 'OnDelete' } } } })
    expect((await settled(cluster)).writes).toEqual(['apply DaemonSet'])
    expect(await noted(cluster)).toEqual(['[]', undefined])
  })
})
