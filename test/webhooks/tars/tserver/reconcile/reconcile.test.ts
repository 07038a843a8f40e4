import { describe, expect, it } from 'vitest'
import type { Admit } from '../../../../../src/cluster/memory/admission.ts'
import type { Built } from '../../../../../src/cluster/port.ts'
import { TENDPOINT } from '../../../../../webhooks/tars/tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../../../../webhooks/tars/texitedrecord/schema.ts'
import { tserverController } from '../../../../../webhooks/tars/tserver/reconcile/reconcile.ts'
import { rehearsalOf, rehearsed } from '../../../../../webhooks/tars/tserver/reconcile/rehearsal.ts'
import { TSERVER } from '../../../../../webhooks/tars/tserver/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../../../../webhooks/tars/workloads.ts'
import { aMount, aRelease, aTServer } from '../../../../support/builders/servers.ts'
import { aService } from '../../../../support/builders/workloads.ts'
import { clusterAsking, clusterOf, NOW } from '../../../../support/clusters.ts'
import { UNREACHABLE } from '../../../../support/fakes/readers.ts'
import { GIVEN, inShort, stored } from '../../../../support/servers-seen.ts'
import { settled, turnsOf } from '../../../../support/turns.ts'

const KEY = { namespace: 'demo', name: 'demo-echo' }
const at = new Date(NOW)

describe('a TServer on a cluster', () => {
  it('WR-10 a new one costs five writes', async () => {
    const cluster = clusterOf(aTServer({ release: aRelease() }))
    const turn = await turnsOf('tserver', cluster)(KEY, at)
    expect(turn && inShort(turn)).toEqual([
      'apply TEndpoint',
      'create TExitedRecord',
      'apply Service',
      'apply StatefulSet',
      'merge TServer',
    ])
    expect(turn?.results.map(({ outcome }) => outcome)).toEqual(Array(5).fill('done'))
    for (const of of [TENDPOINT, TEXITEDRECORD, SERVICE, STATEFULSET]) expect(await cluster.get(of, KEY)).toBeDefined()
    expect(await cluster.get(TSERVER, KEY)).toMatchObject({ status: { replicas: 1, currentReplicas: 0 } })
  })
  it('WR-10 and no live read', async () => {
    const fails = () => Promise.reject(new Error('a live read'))
    const sight = { cached: clusterOf(aTServer()), live: { get: fails, list: fails, dryRun: fails }, gone: () => [] }
    const turn = await tserverController.turn(KEY, { ...GIVEN, sight })
    expect(turn?.actions).toHaveLength(4)
  })
  it.each([{ there: [] }, { there: [aTServer({ going: true, finalizers: ['a/b'] })] }])(
    'TS-R7 nothing is made of one that is gone or terminating',
    async ({ there }) => {
      expect(await turnsOf('tserver', clusterOf(...there))(KEY, at)).toBeUndefined()
    },
  )
  it.each([
    { spec: { k8s: undefined }, misfit: 'spec.k8s' },
    { spec: { k8s: 'none' }, misfit: 'spec' },
  ])('one that cannot be read: an event names $misfit, and nothing is written', async ({ spec, misfit }) => {
    const turn = await turnsOf('tserver', clusterOf(aTServer({ spec })))(KEY, at)
    const message = expect.stringMatching(new RegExp(`^${misfit} does not fit the schema`))
    expect(turn).toMatchObject({ actions: [], notices: [{ reason: 'Unreadable', message }] })
  })
  it('WK-12 a foreign object without labels is not written over', async () => {
    const cluster = clusterOf(aTServer(), aService({ labels: {} }))
    const turn = await turnsOf('tserver', cluster)(KEY, at)
    expect(turn?.results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'overtaken', 'done'])
    expect((await cluster.get(SERVICE, KEY))?.metadata).not.toHaveProperty('ownerReferences')
    expect(await cluster.get(STATEFULSET, KEY)).toBeUndefined()
  })
})

describe('MP-36, WK-7 what the API server refuses', () => {
  const status = { code: 422, reason: 'Invalid', message: 'no such thing' }
  const refusing = (name: string, ...there: readonly Built[]) => {
    const admit: Admit = async (_, { request: { kind, uid } }) =>
      kind.kind === name ? [{ webhook: 'all.example', response: { uid, allowed: false, status } }] : []
    return clusterAsking(admit, ...there)
  }
  const told = (kind: string, reason = 'SyncFailed') => ({
    type: 'Warning',
    reason,
    message: expect.stringMatching(new RegExp(`^${kind}: .*no such thing`)),
  })
  it.each([
    { kind: 'StatefulSet', goesOn: ['TEndpoint', 'TExitedRecord', 'Service', 'TServer'] },
    { kind: 'TEndpoint', goesOn: ['TExitedRecord', 'Service', 'StatefulSet', 'TServer'] },
    { kind: 'Service', goesOn: ['TEndpoint', 'TExitedRecord', 'TServer'] }, // without it, no StatefulSet
  ])('$kind is an event in its words, and the rest goes on', async ({ kind, goesOn }) => {
    const turn = await turnsOf('tserver', refusing(kind, aTServer()))(KEY, at)
    const done = turn?.results.filter(({ outcome }) => outcome === 'done').map(({ answer }) => answer?.kind)
    expect(done).toEqual(goesOn)
    expect(turn?.notices).toEqual([told(kind)])
  })
  it('a removal, too', async () => {
    const { metadata, ...server } = aTServer({ k8s: { daemonSet: true } })
    const owner = { ...server, metadata: { ...metadata, uid: 'server' } }
    const turn = await turnsOf('tserver', refusing('StatefulSet', owner, stored(STATEFULSET)))(KEY, at)
    expect(turn?.notices).toEqual([told('StatefulSet', 'DeleteError')])
  })
})

describe('MP-31, MP-34, MP-36 what would take the place of a workload and is refused', () => {
  /** Refuses workloads with this value. */
  const isBad = (object: unknown) => JSON.stringify(object).includes('"Sometimes"')
  const admit: Admit = async (_, { request: { object, uid, kind } }) => [
    {
      webhook: 'all.example',
      response: isBad(object) && kind.kind.endsWith('Set') ? { uid, allowed: false, status } : { uid, allowed: true },
    },
  ]
  const status = { code: 422, reason: 'Invalid', message: 'no such policy' }
  const claim = aMount({ of: 'persistentVolumeClaimTemplate' })
  it.each([
    { name: 'MP-31', was: {}, is: { mounts: [claim] }, stays: STATEFULSET, comes: STATEFULSET },
    { name: 'MP-34', was: {}, is: { daemonSet: true }, stays: STATEFULSET, comes: DAEMONSET },
    { name: 'MP-34', was: { daemonSet: true }, is: { daemonSet: false }, stays: DAEMONSET, comes: STATEFULSET },
  ])('$name $stays.kind stays until $comes.kind is accepted', async ({ was, is, stays, comes }) => {
    const cluster = clusterAsking(admit)
    await cluster.create(TSERVER, aTServer({ k8s: was }))
    const run = () => settled('tserver', cluster)
    await run()
    const before = await cluster.get(stays, KEY)
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { ...is, env: [{ name: 'POLICY', value: 'Sometimes' }] } } })
    const { writes, reasons } = await run()
    expect(writes.filter((write) => write.endsWith('Set'))).toEqual([])
    expect(reasons).toEqual(['SyncFailed'])
    expect(await cluster.get(stays, KEY)).toEqual(before)
    await cluster.merge(TSERVER, KEY, { spec: { k8s: { env: null } } })
    expect((await run()).writes).toEqual(expect.arrayContaining([`remove ${stays.kind}`, `apply ${comes.kind}`]))
    expect((await cluster.get(comes, KEY))?.metadata.uid).not.toBe(before?.metadata.uid)
  })
  it('the event has the words of the API server; what cannot be asked is a failure', async () => {
    const cluster = clusterAsking(admit)
    await cluster.create(TSERVER, aTServer())
    await settled('tserver', cluster)
    await cluster.merge(TSERVER, KEY, {
      spec: { k8s: { mounts: [claim], env: [{ name: 'POLICY', value: 'Sometimes' }] } },
    })
    const turn = await turnsOf('tserver', cluster)(KEY, at)
    expect(turn?.notices).toMatchObject([{ message: expect.stringMatching(/^StatefulSet: .*no such policy/) }])
    const wanted = { of: STATEFULSET, object: stored(STATEFULSET) }
    await expect(rehearsed(rehearsalOf(wanted, ''), { live: UNREACHABLE })).rejects.toThrow('out of reach')
  })
})

describe('TS-R5 what wakes a server', () => {
  const wakes = (kind: string, object: object) =>
    tserverController.watches
      .filter(({ resource }) => resource.kind === kind)
      .flatMap((watch) => watch.wakes({ metadata: { name: 'x' }, ...object }, NONE))
  const NONE = { referring: () => [{ namespace: 'demo', name: 'referring' }], all: () => [] }
  it.each(['TEndpoint', 'TExitedRecord', 'Service', 'StatefulSet', 'DaemonSet'])(
    '%s of its name, whatever the owner is',
    (kind) => {
      expect(wakes(kind, { metadata: KEY })).toEqual([KEY])
    },
  )
  it('TS-R8 a pod with both labels', () => {
    const labels = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }
    expect(wakes('Pod', { metadata: { namespace: 'demo', name: 'p', labels } })).toEqual([KEY])
    expect(
      wakes('Pod', { metadata: { namespace: 'demo', name: 'p', labels: { 'tars.io/ServerApp': 'Demo' } } }),
    ).toEqual([])
  })
  it('TF-R1 the TFrameworkConfig of its namespace', () => {
    expect(wakes('TFrameworkConfig', { metadata: { namespace: 'demo', name: 'tars-framework' } })).toEqual([
      { namespace: 'demo', name: 'referring' },
    ])
    expect(tserverController.refersTo(aTServer())).toMatchObject([
      { of: { kind: 'TFrameworkConfig' }, key: { namespace: 'demo', name: 'tars-framework' } },
    ])
  })
})
