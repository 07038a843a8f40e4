import { describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { NODE, POD } from '../../../../webhooks/kruise/controller/resources.ts'
import { aKruiseDaemonSet, aNode, DaemonWorld } from '../../../support/daemon-world.ts'

const NODES = [aNode('n1', { disk: 'large' }), aNode('n2'), aNode('n3')]
const patchTo = (image: unknown) => [
  { selector: { matchLabels: { disk: 'large' } }, patch: { spec: { containers: [{ name: 'agent', image }] } } },
]
const PATCHES = patchTo('agent:large')
const world = (spec: Tree = {}, nodes = NODES) => new DaemonWorld(nodes, aKruiseDaemonSet(spec))
const template = (image: string) => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'agent', image }] },
})
const rolling = (rollingUpdate: Tree) => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } })
const [OLD, NEW] = [
  ['n1 agent:1', 'n2 agent:1', 'n3 agent:1'],
  ['n1 agent:2', 'n2 agent:2', 'n3 agent:2'],
]

describe('PATCH-CTL-16 pods', () => {
  it('are made one a node, each with its patches, and PATCH-CTL-14 none twice', async () => {
    const made = world({ patches: PATCHES })
    await made.settle()
    expect(await made.pods()).toEqual(['n1 agent:large', 'n2 agent:1', 'n3 agent:1'])
    expect((await made.settle()).writes).toEqual([])
  })

  it('are bound to their node, tolerate what daemons tolerate, and say what they were made of', async () => {
    const made = world({ patches: PATCHES })
    await made.settle()
    const pods = await made.cluster.list(POD, { namespace: 'demo' })
    const large = pods.find(({ spec }) => spec?.nodeName === 'n1')
    const [current] = await made.revisions()
    expect(large?.metadata).toMatchObject({
      annotations: {
        'daemonset.kruise.io/applied-patches': '0',
        'daemonset.kruise.io/patch-combined-hash': expect.stringMatching(/^[a-z0-9]+-[0-9a-f]{16}$/),
        'daemonset.kruise.io/revision': current?.metadata.labels?.['controller-revision-hash'],
      },
      ownerReferences: [{ apiVersion: 'apps.kruise.io/v1beta1', kind: 'DaemonSet', uid: 'd1', controller: true }],
    })
    expect(large?.spec?.tolerations).toHaveLength(6)
    const plain = pods.find(({ spec }) => spec?.nodeName === 'n2')
    expect(Object.keys(plain?.metadata.annotations ?? {})).toEqual(['daemonset.kruise.io/revision'])
  })

  it('whose patch cannot be merged are not made, with an event; those of other nodes are', async () => {
    const made = world({ patches: [{ ...PATCHES[0], patch: { spec: { $patch: 'no' } } }] })
    const { reasons } = await made.settle()
    expect(await made.pods()).toEqual(['n2 agent:1', 'n3 agent:1'])
    expect(reasons).toContain('NodePatchFailed')
  })

  it('are no more than the burst in a turn, and under a partition node by node where asked', async () => {
    const few = world({ burstReplicas: 1 })
    await few.settle()
    expect(await few.pods()).toEqual(OLD)
    const partitioned = world({ ...rolling({ partition: 1 }), scaleStrategy: { partitionedScaling: true } })
    await partitioned.settle()
    expect(await partitioned.pods()).toEqual(OLD.slice(0, 2))
  })
})

describe('PATCH-CTL-17 updates', () => {
  it.each<[string, Tree, readonly string[]]>([
    ['replace all pods', {}, NEW],
    ['go beside the old pods under maxSurge', rolling({ maxSurge: 1 }), NEW],
    ['wait for the user', { updateStrategy: { type: 'OnDelete' } }, OLD],
    ['wait while paused', rolling({ paused: true }), OLD],
    ['leave a partition', rolling({ partition: 2 }), ['n1 agent:1', 'n2 agent:1', 'n3 agent:2']],
    ['leave a share, rounded down', rolling({ partition: '50%' }), ['n1 agent:1', 'n2 agent:2', 'n3 agent:2']],
    [
      'take selected nodes',
      rolling({ selector: { matchLabels: { disk: 'large' } } }),
      ['n1 agent:2', 'n2 agent:1', 'n3 agent:1'],
    ],
    ['take none by a selector that cannot be read', rolling({ selector: { matchExpressions: [{}] } }), OLD],
  ])('%s', async (_, spec, expected) => {
    const made = world(spec)
    await made.settle()
    await made.change({ spec: { template: template('agent:2') } })
    await made.settle()
    expect(await made.pods()).toEqual(expected)
  })

  it('PATCH-CTL-13 of a patch reach its nodes alone, and PATCH-CTL-21 so do labels of a Node', async () => {
    const made = world({ patches: PATCHES })
    await made.settle()
    await made.change({ spec: { patches: patchTo('agent:huge') } })
    expect((await made.settle()).writes.filter((write) => write === 'remove Pod')).toHaveLength(1)
    await made.cluster.merge(NODE, { namespace: '', name: 'n3' }, { metadata: { labels: { disk: 'large' } } })
    expect((await made.settle()).writes.filter((write) => write === 'remove Pod')).toHaveLength(1)
    expect(await made.pods()).toEqual(['n1 agent:huge', 'n2 agent:1', 'n3 agent:huge'])
  })

  it('PATCH-CTL-18 act as Standard, with an event, where they were to be in place', async () => {
    const made = world(rolling({ rollingUpdateType: 'InPlaceIfPossible' }))
    expect((await made.settle()).reasons).toEqual(['InPlaceNotSupported'])
    expect((await world().settle()).reasons).toEqual([])
  })

  it.each([
    ['a label', { labelsHandler: { hold: 'yes' } }, { labels: { hold: 'yes' } }, { labels: { hold: null } }],
    ['a finalizer', { finalizersHandler: ['test.io/hold'] }, { finalizers: ['test.io/hold'] }, { finalizers: [] }],
  ])('PATCH-CTL-18 wait for a hook by %s', async (_, preDelete, held, free) => {
    const made = world({ lifecycle: { preDelete } }, [aNode('n1')])
    await made.settle()
    const [pod] = await made.cluster.list(POD, { namespace: 'demo' })
    const ref = { namespace: 'demo', name: pod?.metadata.name ?? '' }
    await made.cluster.merge(POD, ref, { metadata: held })
    await made.change({ spec: { template: template('agent:2') } })
    await made.settle()
    expect(await made.pods()).toEqual(['n1 agent:1'])
    const waiting = await made.cluster.get(POD, ref)
    expect(waiting?.metadata.labels).toMatchObject({ 'lifecycle.apps.kruise.io/state': 'PreparingDelete' })
    await made.cluster.merge(POD, ref, { metadata: free })
    await made.settle()
    expect(await made.pods()).toEqual(['n1 agent:2'])
  })
})

describe('PATCH-CTL-15 nodes', () => {
  it('that come get a pod, those that go lose it, and so do those with a taint', async () => {
    const made = world()
    await made.settle()
    made.cluster.seed([aNode('n4')])
    await made.cluster.merge(
      NODE,
      { namespace: '', name: 'n1' },
      { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } },
    )
    await made.cluster.merge(
      NODE,
      { namespace: '', name: 'n2' },
      { spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } },
    )
    await made.settle()
    expect(await made.pods()).toEqual(['n2 agent:1', 'n3 agent:1', 'n4 agent:1'])
  })

  it('whose pods fail get new ones, later and later', async () => {
    const made = world({}, [aNode('n1')])
    made.fate.phases.set('n1', 'Failed')
    const { writes, reasons } = await made.settle(10_000)
    expect(reasons).toEqual(['FailedDaemonPod'])
    expect(writes.filter((write) => write === 'create Pod').length).toBeLessThan(6)
    expect(writes.filter((write) => write === 'create Pod').length).toBeGreaterThan(2)
  })
})

describe('PATCH-CTL-19 the status', () => {
  it('counts, names the current revision, and is written on change alone', async () => {
    const made = world()
    await made.settle()
    const daemonSet = await made.daemonSet()
    const [current] = await made.revisions()
    const hash = current?.metadata.labels?.['controller-revision-hash']
    const all = { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 3, numberAvailable: 3 }
    const none = { numberUnavailable: 0, numberMisscheduled: 0 }
    const names = { updateRevision: hash, daemonSetHash: hash, observedGeneration: 1 }
    expect(daemonSet?.status).toMatchObject({ ...all, ...none, ...names, updatedNumberScheduled: 3 })
  })

  it('waits for minReadySeconds', async () => {
    const made = world({ minReadySeconds: 5 }, [aNode('n1')])
    await made.settle()
    expect((await made.daemonSet())?.status).toMatchObject({ numberReady: 1, numberAvailable: 0 })
    await made.settle(6_000)
    expect((await made.daemonSet())?.status).toMatchObject({ numberReady: 1, numberAvailable: 1 })
  })
})

describe('PATCH-CTL-11 revisions', () => {
  it('hold template and patches, and rise again when an old one comes back', async () => {
    const made = world()
    await made.settle()
    await made.change({ spec: { patches: PATCHES } })
    await made.settle()
    await made.change({ spec: { patches: [] } })
    await made.settle()
    const told = (await made.revisions()).map(({ data, revision }) => [
      isTree(data?.spec) && 'patches' in data.spec,
      revision,
    ])
    expect(told.sort()).toEqual([
      [false, 3],
      [true, 2],
    ])
  })

  it('PATCH-CTL-20 are kept as far as the limit goes, the newest of the old ones', async () => {
    const made = world({ revisionHistoryLimit: 1 }, [aNode('n1')])
    for (const image of ['agent:1', 'agent:2', 'agent:3', 'agent:4']) {
      await made.change({ spec: { template: template(image) } })
      await made.settle()
    }
    expect((await made.revisions()).map(({ revision }) => revision).sort()).toEqual([3, 4])
  })
})

describe('a worker that is killed (RL-8)', () => {
  it.each([
    { name: 'an update within maxUnavailable', rollingUpdate: { maxUnavailable: 2 } },
    { name: 'an update with a surge', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    { name: 'an update of a part', rollingUpdate: { partition: 1 } },
  ])('after any write of $name: the next one brings it to the same end', async ({ rollingUpdate }) => {
    const seen = async (made: DaemonWorld) => ({
      pods: await made.pods(),
      revisions: (await made.revisions()).map(({ revision }) => revision).sort(),
      status: (await made.daemonSet())?.status,
    })
    const changed = async () => {
      const made = world(rolling(rollingUpdate))
      await made.settle()
      await made.change({ spec: { template: template('agent:2'), patches: PATCHES } })
      return made
    }
    const undisturbed = await changed()
    await undisturbed.settle()
    let writes = 0
    for (let hadEnded = false; !hadEnded; writes += 1) {
      const made = await changed()
      hadEnded = await made.killedAfter(writes)
      await made.settle()
      expect(await seen(made), `killed after ${writes}`).toEqual(await seen(undisturbed))
    }
    expect(writes).toBeGreaterThan(5)
  })
})
