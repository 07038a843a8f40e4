import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { podFrom } from '../../../../webhooks/tars/pods.ts'
import { plan, tendpointController } from '../../../../webhooks/tars/tendpoint/reconcile.ts'
import { TENDPOINT } from '../../../../webhooks/tars/tendpoint/schema.ts'
import { aCondition, anObjectOf, aPod } from '../../../support/builders/pods.ts'
import { OF_SERVER } from '../../../support/builders/workloads.ts'
import { clusterOf, NOW } from '../../../support/clusters.ts'
import { turnsOf } from '../../../support/turns.ts'

const KEY = { namespace: 'demo', name: 'demo-echo' }
const at = new Date(NOW)
const endpointWith = (fields = {}) => {
  const endpoint = anObjectOf('TEndpoint', fields)
  if (TENDPOINT.isDraft(endpoint)) return endpoint
  throw new Error('it is no TEndpoint')
}
const planned = (endpoint: object, ...pods: readonly ReturnType<typeof aPod>[]) =>
  plan({ endpoint: endpointWith(endpoint), pods: pods.map(podFrom) }).actions

const entry = {
  uid: 'uid-of-demo-echo-0',
  name: 'demo-echo-0',
  startTime: '2026-11-18T08:00:00Z',
  id: 'r1',
  settingState: 'Active',
}
const listing = (...pods: readonly unknown[]) => ({
  do: 'merge',
  of: TENDPOINT,
  subresource: 'status',
  ref: KEY,
  expects: { uid: 'of-server', resourceVersion: '7' },
  patch: { status: { pods } },
  because: 'TE-R3',
})

/** As a kubelet writes it of a container that it lost sight of. */
const containerStatus = {
  name: 'demo-echo',
  image: 'registry.example/demo/echo:r1',
  imageID: '',
  ready: false,
  started: false,
  restartCount: 2,
  resources: { limits: { cpu: '1' } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', startedAt: null, finishedAt: null } },
  lastState: {},
}
const { resources: _, volumeMounts: __, ...named } = containerStatus
const status = {
  phase: 'Running',
  podIP: '10.0.0.1',
  podIPs: [{ ip: '10.0.0.1' }],
  hostIP: '10.1.0.1',
  conditions: [aCondition('Ready')],
  containerStatuses: [containerStatus],
}
const shown = {
  ...entry,
  podIP: '10.0.0.1',
  hostIP: '10.1.0.1',
  presentState: 'Active',
  containerStatuses: [{ ...named, state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } }],
}

describe('TE-R3 the status of a TEndpoint', () => {
  it.each([
    { name: 'has of a pod what the schema names', endpoint: {}, pods: [aPod({ status })], actions: [listing(shown)] },
    { name: 'stays as it is', endpoint: { status: { pods: [shown] } }, pods: [aPod({ status })], actions: [] },
    { name: 'without a pod is as good as none', endpoint: {}, pods: [], actions: [] },
    { name: 'loses the last pod', endpoint: { status: { pods: [shown] } }, pods: [], actions: [listing()] },
    {
      name: 'is sorted by name',
      endpoint: { status: { pods: [] } },
      pods: [aPod({ name: 'b', uid: 'b' }), aPod({ name: 'a', uid: 'a' }), aPod({ name: 'B', uid: 'B' })],
      actions: [listing(...['B', 'a', 'b'].map((name) => ({ ...entry, name, uid: name })))],
    },
    {
      name: 'has a pod of an unknown shape by its metadata',
      endpoint: {},
      pods: [aPod({ status: { podIP: 7 } })],
      actions: [listing(entry)],
    },
    {
      name: 'is not written while it is deleted',
      endpoint: { metadata: { deletionTimestamp: NOW } },
      pods: [aPod()],
      actions: [],
    },
  ])('$name', ({ endpoint, pods, actions }) => {
    expect(planned(endpoint, ...pods)).toEqual(actions)
  })

  it('TE-R5 lists a pod that waits for the registry, and writes no condition of it', () => {
    const conditions = [aCondition('Ready', 'False'), aCondition('tars.io/active', 'False')]
    expect(planned({}, aPod({ status: { conditions } }))).toEqual([listing(entry)])
  })
})

describe('a TEndpoint on a cluster', () => {
  const turned = async (...objects: readonly Built[]) => {
    const cluster = clusterOf(...objects)
    const turn = turnsOf('tendpoint', cluster)
    const results = [await turn(KEY, at), await turn(KEY, at)].map((each) =>
      each?.results.map(({ outcome }) => outcome),
    )
    return { results, pods: (await cluster.get(TENDPOINT, KEY))?.status?.pods }
  }

  it('TE-R3 is written once, and its spec stays', async () => {
    const { results, pods } = await turned(anObjectOf('TEndpoint'), aPod({ status }))
    expect(results).toEqual([['done'], []])
    expect(pods).toEqual([shown])
  })

  it('TE-R3 has the pods with both of its labels, whoever owns them, and no others', async () => {
    const ofOther = (name: string, labels: object) => aPod({ name, labels: { ...OF_SERVER, ...labels } })
    const { pods } = await turned(
      anObjectOf('TEndpoint'),
      aPod(),
      ofOther('other-server', { 'tars.io/ServerName': 'Other' }),
      ofOther('other-case', { 'tars.io/ServerApp': 'demo' }),
      aPod({ name: 'of-no-server', labels: { 'tars.io/ServerApp': 'Demo' } }),
    )
    expect(pods).toEqual([entry])
  })

  it.each([
    { name: 'there is none', objects: [] },
    { name: 'it does not say whose it is', objects: [anObjectOf('TEndpoint', { spec: {} })] },
  ])('has nothing to do where $name', async ({ objects }) => {
    expect((await turned(...objects, aPod())).results).toEqual([undefined, undefined])
  })
})

describe('TE-R3 a pod wakes', () => {
  const [ofPods] = tendpointController.watches.filter(({ resource }) => resource.kind === 'Pod')
  const among = { referring: () => [], all: () => [] }
  const woken = (labels: object) => ofPods?.wakes(aPod({ labels }), among)

  it.each([
    { labels: { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }, keys: [KEY] },
    { labels: { 'tars.io/ServerApp': '__proto__', 'tars.io/ServerName': '' }, keys: [{ ...KEY, name: '__proto__-' }] },
    { labels: { 'tars.io/ServerApp': 'Demo' }, keys: [] },
    { labels: { 'tars.io/ServerName': 'Echo' }, keys: [] },
    { labels: {}, keys: [] },
  ])('by labels $labels: $keys', ({ labels, keys }) => {
    expect(woken(labels)).toEqual(keys)
  })

  it('WR-10 its server once for a burst, and late rather than never', () => {
    expect(ofPods?.gather).toEqual({ quietMs: 100, atMostMs: 1_000 })
    expect(ofPods?.keeps?.carrying).toEqual(['tars.io/ServerApp', 'tars.io/ServerName'])
  })
})
