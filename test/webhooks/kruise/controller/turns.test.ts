import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../../../src/fact.ts'
import type { Given, Result } from '../../../../src/reconcile/controller.ts'
import type { Tree } from '../../../../src/schema.ts'
import type { Paces } from '../../../../webhooks/kruise/controller/paces.ts'
import { conclude, plan } from '../../../../webhooks/kruise/controller/plan.ts'
import { POD } from '../../../../webhooks/kruise/controller/resources.ts'
import { observe } from '../../../../webhooks/kruise/controller/seen.ts'
import { budgetOf } from '../../../../webhooks/kruise/controller/strategy.ts'
import { targetNode } from '../../../../webhooks/kruise/owner.ts'
import { SETTINGS } from '../../../support/answerer-parts.ts'
import { NOW } from '../../../support/clusters.ts'
import { aKruiseDaemonSet, aNode, DaemonWorld, KEY } from '../../../support/daemon-world.ts'
import { readerOf } from '../../../support/fakes/readers.ts'

const given = (attempt = 0): Given<Paces> => ({
  ...{ at: new Date(NOW), attempt, profile: 'seed', settings: SETTINGS, facts: NOTHING_KNOWN },
})
const FIVE = ['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => aNode(name))

/** What one turn sees of five Nodes without pods. */
async function seenWith(spec: Tree = {}) {
  const { cluster } = new DaemonWorld(FIVE, aKruiseDaemonSet(spec))
  const seen = await observe(KEY, { cached: cluster, live: cluster, gone: () => [] })
  if (seen === undefined) throw new Error('it sees nothing')
  return seen
}
const creationsOf = async (spec: Tree = {}, attempt = 0) =>
  plan(await seenWith(spec), given(attempt)).actions.flatMap((action) =>
    action.do === 'create' && action.of === POD ? [action] : [],
  )

describe('PATCH-CTL-11, PATCH-CTL-12 before it adopts, a DaemonSet is read live', () => {
  const daemonSet = aKruiseDaemonSet()
  const labels = { app: 'agent', 'controller-revision-hash': 'h' }
  const free = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p1', namespace: 'demo', labels } }
  it.each<{ name: string; live: readonly Built[]; adopted: number }>([
    { name: 'it is there', live: [daemonSet], adopted: 1 },
    { name: 'it is gone', live: [], adopted: 0 },
    { name: 'another has its name', live: [aKruiseDaemonSet({}, { uid: 'd2' })], adopted: 0 },
    { name: 'it is terminating', live: [aKruiseDaemonSet({}, { deletionTimestamp: NOW })], adopted: 0 },
  ])('$name', async ({ live, adopted }) => {
    const cached = readerOf(daemonSet, free)
    const seen = await observe(KEY, { cached, live: readerOf(...live), gone: () => [] })
    expect([seen?.orphans.pods.length, seen?.pods.length]).toEqual([adopted, adopted])
  })
})

describe('PATCH-CTL-16 one turn', () => {
  const progressive = (partition: string) => ({
    updateStrategy: { rollingUpdate: { partition } },
    scaleStrategy: { partitionedScaling: true },
  })
  it.each<[string, Tree, number]>([
    ['as many as the burst', { burstReplicas: 2 }, 2],
    ['a share of the burst, rounded down', { burstReplicas: '50%' }, 2],
    ['one at least', { burstReplicas: '10%' }, 1],
    ['what the partition leaves, which is rounded down', progressive('50%'), 3],
  ])('makes %s', async (_, spec, count) => {
    expect(await creationsOf(spec)).toHaveLength(count)
  })

  it('ends with the first refusal, and the next one begins with another node', async () => {
    const first = await creationsOf()
    expect(first.map(({ follows = false }) => follows)).toEqual([false, true, true, true, true])
    const begins = [0, 1, 5].map(async (attempt) => targetNode((await creationsOf({}, attempt))[0]?.object ?? {}))
    expect(await Promise.all(begins)).toEqual(['n1', 'n2', 'n1'])
  })
})

describe('PATCH-CTL-17 shares', () => {
  it.each<[Tree, number, number]>([
    [{ maxUnavailable: '30%' }, 2, 0],
    [{ maxSurge: '30%', maxUnavailable: 0 }, 0, 2],
    [{}, 1, 0],
  ])('of %o are rounded up', (rollingUpdate, maxUnavailable, maxSurge) => {
    expect(budgetOf({ rollingUpdate }, 5)).toEqual({ maxUnavailable, maxSurge })
  })
})

describe('PATCH-CTL-19 the generation', () => {
  it.each<[Result['outcome'], number | undefined]>([
    ['done', 1],
    ['needless', 1],
    ['gone', 1],
    ['refused', undefined],
    ['failed', undefined],
    ['overtaken', undefined],
  ])('after an action that was %s counts as seen, or does not', async (outcome, observedGeneration) => {
    const seen = await seenWith()
    const [action] = plan(seen, given()).actions
    if (action === undefined) throw new Error('there is no action')
    const [update] = conclude(seen, [{ action, outcome }], given()).actions
    expect(update).toMatchObject({ subresource: 'status', patch: { status: { desiredNumberScheduled: 5 } } })
    const { status } = update?.do === 'merge' ? update.patch : {}
    expect(status).toHaveProperty('updateRevision')
    expect(Object(status).observedGeneration).toBe(observedGeneration)
  })
})

describe('PATCH-CTL-20 a revision', () => {
  it('that a pod names stays beyond the limit', async () => {
    const made = new DaemonWorld(
      [aNode('n1')],
      aKruiseDaemonSet({ updateStrategy: { type: 'OnDelete' }, revisionHistoryLimit: 0 }),
    )
    for (const image of ['agent:1', 'agent:2', 'agent:3']) {
      const containers = [{ name: 'agent', image }]
      await made.change({ spec: { template: { metadata: { labels: { app: 'agent' } }, spec: { containers } } } })
      await made.settle()
    }
    expect((await made.revisions()).map(({ revision }) => revision).sort()).toEqual([1, 3])
  })
})
