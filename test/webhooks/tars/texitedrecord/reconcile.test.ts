import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { performed } from '../../../../src/reconcile/apply.ts'
import { podFrom } from '../../../../webhooks/tars/pods.ts'
import { plan, texitedrecordController } from '../../../../webhooks/tars/texitedrecord/reconcile.ts'
import { TEXITEDRECORD } from '../../../../webhooks/tars/texitedrecord/schema.ts'
import { TFRAMEWORKCONFIG } from '../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { anObjectOf, aPod } from '../../../support/builders/pods.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { clusterOf, NOW } from '../../../support/clusters.ts'
import { turnsOf } from '../../../support/turns.ts'

const KEY = { namespace: 'demo', name: 'demo-echo' }
const at = new Date(NOW)
const LIMIT_10 = { texitedPod: 10, tconfigHistory: 48, timageRelease: 48 }
const second = (count: number) => new Date(Date.parse(NOW) + count * 1_000).toISOString().replace('.000', '')

/** Entries a0, a1 …, the newest first, each a second older than the one before. */
const entries = (many: number, prefix = 'a') =>
  Array.from({ length: many }, (_, count) => ({ uid: `${prefix}${count}`, deleteTime: second(-count) }))
/** Pods that are terminating: p0 is the newest of them. */
const terminating = (many: number, since = 0) =>
  Array.from({ length: many }, (_, count) =>
    aPod({ name: `p${count}`, uid: `p${count}`, deletionTimestamp: second(since - count) }),
  )

interface Case {
  readonly pods?: readonly object[]
  readonly recordLimit?: object
  readonly ended?: readonly Built[]
}
const configWith = (recordLimit: object) => [aTFrameworkConfig({ recordLimit })].find(TFRAMEWORKCONFIG.isDraft)
function planned({ pods = [], recordLimit, ended = [] }: Case) {
  const record = anObjectOf('TExitedRecord', { pods })
  if (!TEXITEDRECORD.isOutline(record)) throw new Error('it is no TExitedRecord')
  return plan({ record, config: recordLimit && configWith(recordLimit), ended: ended.map(podFrom) }, { at }).actions
}
const replacement = (value: unknown, because = 'TX-R2') => ({
  do: 'patch',
  of: TEXITEDRECORD,
  ref: KEY,
  expects: { uid: 'of-server', resourceVersion: '7' },
  operations: [{ op: 'replace', path: '/pods', value }],
  because,
})
const uidsAfter = (given: Case) =>
  planned(given)
    .flatMap((action) => (action.do === 'patch' ? action.operations : []))
    .map((operation) =>
      operation.op === 'replace' && Array.isArray(operation.value) ? operation.value.map(({ uid }) => uid) : [],
    )

const status = { podIP: '10.0.0.1', hostIP: '10.1.0.1' }
const entry = {
  uid: 'uid-of-demo-echo-0',
  name: 'demo-echo-0',
  id: 'r1',
  nodeIP: '10.1.0.1',
  podIP: '10.0.0.1',
  createTime: '2026-11-18T08:00:00Z',
  deleteTime: '2026-11-18T12:00:30Z',
}
const ending = aPod({ status, deletionTimestamp: '2026-11-18T12:00:30Z' })

describe('a TExitedRecord plans', () => {
  it.each([
    {
      name: 'TX-R2 an entry for a pod that is terminating',
      given: { ended: [ending] },
      actions: [replacement([entry])],
    },
    {
      name: 'TX-R2 an entry for a pod that is gone without notice, as of now',
      given: { ended: [aPod({ status })] },
      actions: [replacement([{ ...entry, deleteTime: NOW }])],
    },
    {
      name: 'TX-R2 an entry of what is known of a pod of an unknown shape',
      given: { ended: [aPod({ status: { podIP: 7 }, labels: {}, deletionTimestamp: NOW })] },
      actions: [replacement([{ uid: entry.uid, name: entry.name, createTime: entry.createTime, deleteTime: NOW }])],
    },
    { name: 'TX-R2 nothing where no pod ended', given: { pods: [entry] }, actions: [] },
    { name: 'TX-R3 nothing for a pod that is recorded', given: { pods: [entry], ended: [ending] }, actions: [] },
    {
      name: 'TX-R3 one entry for a pod that is terminating and gone',
      given: { ended: [ending, ending] },
      actions: [replacement([entry])],
    },
    {
      name: 'TX-R4 to cut a list beyond the limit, though no pod ended',
      given: { pods: entries(12), recordLimit: LIMIT_10 },
      actions: [replacement(entries(10), 'TX-R4')],
    },
  ])('$name', ({ given, actions }) => {
    expect(planned(given)).toEqual(actions)
  })

  it('TX-R3 looks at the whole list for a pod, not at its head', () => {
    const pods = [...entries(59), entry]
    expect(planned({ pods, ended: [ending] })).toEqual([])
  })

  it('TX-R4 the newest first', () => {
    const ended = [...terminating(3, 10).toReversed()]
    expect(uidsAfter({ pods: entries(2), ended })).toEqual([['p0', 'p1', 'p2', 'a0', 'a1']])
  })

  it.each([
    { name: 'recordLimit', recordLimit: LIMIT_10, many: 10 },
    { name: 'the fallback without a TFrameworkConfig', recordLimit: undefined, many: 60 },
    { name: 'the fallback where it states none', recordLimit: {}, many: 60 },
    { name: '150 at most', recordLimit: { texitedPod: 1_000_000 }, many: 150 },
    { name: '10 at least', recordLimit: { texitedPod: -1 }, many: 10 },
  ])('TX-R4 TF-R2 as many as $name', ({ recordLimit, many }) => {
    const given = { pods: entries(150), ended: terminating(10_000, 5), ...(recordLimit && { recordLimit }) }
    expect(uidsAfter(given)).toMatchObject([{ length: many }])
    expect(uidsAfter(given)[0]?.[0]).toBe('p0')
  })

  it.each([
    { name: 'ended one after the other', since: (count: number) => second(count) },
    { name: 'ended at once', since: () => NOW },
  ])('WR-10 once for 10,000 pods that are terminating, though the list holds 10 of them: they $name', ({ since }) => {
    const ended = Array.from({ length: 10_000 }, (_, at) => aPod({ name: `p${at}`, deletionTimestamp: since(at) }))
    const [first] = planned({ pods: entries(5), ended, recordLimit: LIMIT_10 })
    const [written] = first?.do === 'patch' ? first.operations : []
    const pods = written?.op === 'replace' && Array.isArray(written.value) ? written.value : []
    expect(pods).toHaveLength(10)
    expect(planned({ pods, ended, recordLimit: LIMIT_10 })).toEqual([])
  })

  it('TX-R4 takes into a full list what ended later than the oldest in it', () => {
    const [late, early] = [terminating(1, 5), terminating(1, -20)]
    expect(uidsAfter({ pods: entries(10), ended: late, recordLimit: LIMIT_10 })).toMatchObject([
      { 0: 'p0', length: 10 },
    ])
    expect(planned({ pods: entries(10), ended: early, recordLimit: LIMIT_10 })).toEqual([])
  })
})

describe('a TExitedRecord on a cluster', () => {
  async function turned(objects: readonly Built[], gone: readonly Built[] = []) {
    const cluster = clusterOf(...objects)
    const turn = turnsOf('texitedrecord', cluster, gone)
    const results = [await turn(KEY, at), await turn(KEY, at)].map((each) =>
      each?.results.map(({ outcome }) => outcome),
    )
    return { results, pods: (await cluster.get(TEXITEDRECORD, KEY))?.pods }
  }
  const there = [aTServer(), anObjectOf('TExitedRecord')]
  const ofOther = aPod({ name: 'other', labels: { 'tars.io/ServerApp': 'demo', 'tars.io/ServerName': 'Echo' } })

  it('TX-R6 records a pod that is terminating at first sight, and not again', async () => {
    const { results, pods } = await turned([...there, ending, aPod({ name: 'alive' }), ofOther])
    expect(results).toEqual([['done'], []])
    expect(pods).toEqual([entry])
  })

  it('TX-R2 records a pod that is gone from its last state, and none of another server', async () => {
    const { results, pods } = await turned(there, [aPod({ status }), ofOther])
    expect(results).toEqual([['done'], []])
    expect(pods).toEqual([{ ...entry, deleteTime: NOW }])
  })

  it.each([
    { name: 'is there still', objects: [ending], gone: [] },
    { name: 'is gone', objects: [], gone: [ending] },
  ])('TX-R2 records a pod that $name, though the app of the record was edited', async ({ objects, gone }) => {
    const { pods } = await turned([aTServer(), anObjectOf('TExitedRecord', { app: 'Nope' }), ...objects], gone)
    expect(pods).toEqual([entry])
  })

  it('TX-R2 records none of a server without an app, as no schema lets in', async () => {
    const { results } = await turned([aTServer({ spec: { app: undefined } }), anObjectOf('TExitedRecord'), ending])
    expect(results).toEqual([[], []])
  })

  it('TX-R3 is looked at again when another writer came first', async () => {
    const cluster = clusterOf(...there, ending)
    const [overtaken] = planned({ ended: [ending] })
    await cluster.merge(TEXITEDRECORD, KEY, { pods: [entry] })
    expect(overtaken && (await performed(overtaken, cluster)).outcome).toBe('overtaken')
    expect(await turnsOf('texitedrecord', cluster)(KEY, at)).toMatchObject({ actions: [] })
  })

  it.each([
    { name: 'has no record', objects: [aTServer()] },
    {
      name: 'has a record that is deleted',
      objects: [aTServer(), anObjectOf('TExitedRecord', { metadata: { deletionTimestamp: NOW } })],
    },
    { name: 'has a record and is gone itself', objects: [anObjectOf('TExitedRecord')] },
    { name: 'has a record of another shape', objects: [aTServer(), anObjectOf('TExitedRecord', { pods: 'none' })] },
  ])('TX-R5 drops the pods of a server that $name', async ({ objects }) => {
    expect((await turned([...objects, ending], [ending])).results).toEqual([undefined, undefined])
  })
})

describe('a TExitedRecord is looked at', () => {
  const watchOf = (kind: string) => texitedrecordController.watches.find(({ resource }) => resource.kind === kind)

  it('TX-R2 WR-10 when a pod of its server changed or is gone, once for a burst', () => {
    expect(watchOf('Pod')).toMatchObject({ keepsGone: true, gather: { quietMs: 100, atMostMs: 1_000 } })
    expect(watchOf('Pod')?.wakes(ending, { referring: () => [], all: () => [] })).toEqual([KEY])
  })

  it('TF-R2 when the TFrameworkConfig of its namespace changed', () => {
    const references = texitedrecordController.refersTo(anObjectOf('TExitedRecord'))
    expect(references).toEqual([{ of: TFRAMEWORKCONFIG, key: { namespace: 'demo', name: 'tars-framework' } }])
    expect(watchOf('TFrameworkConfig')?.wakes(aTFrameworkConfig(), { referring: () => [KEY], all: () => [] })).toEqual([
      KEY,
    ])
  })
})
