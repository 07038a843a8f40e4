import { describe, expect, it } from 'vitest'
import { ANNOTATIONS, LABELS } from '../../../../webhooks/kruise/names.ts'
import {
  aDaemonPod,
  aRollout,
  entryFor,
  known,
  LARGE,
  MOMENT,
  marked,
  rolloutPlan,
  stampsOf,
} from '../../../support/builders/rollouts.ts'

const CURRENT = aDaemonPod({ by: [LARGE] })
const OUTDATED = aDaemonPod({ by: [entryFor('large', 'old')] })
const PLAIN = aDaemonPod()

/** `mark agent-n1 PatchChanged`. */
function wordsOf(pods: Parameters<typeof aRollout>[0], wishes: Parameters<typeof rolloutPlan>[1] = {}) {
  const seen = aRollout(pods)
  const { actions } = rolloutPlan(seen, { remembered: known(seen), ...wishes })
  return actions.map((action) => ('ref' in action ? `${action.because} ${action.ref.name}` : action.do))
}

describe('PATCH-ROLL-5 a stale pod is marked, so that its owner takes it for an old one', () => {
  it('with the labels that it had, under its uid and version', () => {
    const seen = aRollout({ pods: [OUTDATED] })
    const { actions } = rolloutPlan(seen, { remembered: known(seen) })
    const saved = { [LABELS.revision]: 'h1', [LABELS.generation]: '1' }
    const text = JSON.stringify({ reason: 'PatchChanged', at: new Date(MOMENT).toISOString(), labels: saved })
    expect(actions).toMatchObject([
      {
        do: 'merge',
        ref: { namespace: 'demo', name: 'agent-n1' },
        expects: { uid: 'uid-agent-n1', resourceVersion: '11' },
        patch: {
          metadata: {
            labels: { [LABELS.revision]: 'h1-stale', [LABELS.generation]: null },
            annotations: { [ANNOTATIONS.stale]: text },
          },
        },
      },
    ])
  })

  it('a pod without a generation, as those of OpenKruise, gets none to lose', () => {
    const { [LABELS.generation]: _, ...labels } = OUTDATED.metadata.labels
    const seen = aRollout({ pods: [{ ...OUTDATED, metadata: { ...OUTDATED.metadata, labels } }] })
    const { actions } = rolloutPlan(seen, { remembered: known(seen) })
    expect(actions).toMatchObject([{ patch: { metadata: { labels: { [LABELS.revision]: 'h1-stale' } } } }])
    expect(JSON.stringify(actions)).not.toContain(LABELS.generation)
  })

  it('a long revision stays a label value', () => {
    const seen = aRollout({ pods: [aDaemonPod({ with: { [LABELS.revision]: 'a'.repeat(63) } })] })
    const { actions } = rolloutPlan(seen, { remembered: known(seen) })
    const label = `${'a'.repeat(57)}-stale`
    expect(actions).toMatchObject([{ patch: { metadata: { labels: { [LABELS.revision]: label } } } }])
    expect(label).toHaveLength(63)
  })
})

describe('PATCH-ROLL-2, PATCH-HASH-5 the component decides, and the base does not', () => {
  it.each([
    { name: 'a pod with what its Node calls for is current', pods: [CURRENT], words: [] },
    {
      name: 'so is one of an older base',
      pods: [aDaemonPod({ metadata: { annotations: stampsOf([LARGE], undefined, 'h0') } })],
      words: [],
    },
    { name: 'and one without a stamp, where nothing applies', pods: [aDaemonPod({ node: 'n3' })], words: [] },
    { name: 'one of another patch is stale', pods: [OUTDATED], words: ['PATCH-ROLL-5 PatchChanged agent-n1'] },
    { name: 'one that was never patched', pods: [PLAIN], words: ['PATCH-ROLL-5 NotPatched agent-n1'] },
    {
      name: 'one for which nothing applies any more goes back to the template',
      list: [entryFor('small')],
      pods: [CURRENT],
      words: ['PATCH-ROLL-5 PatchChanged agent-n1'],
    },
    { name: 'all, where the list is gone', list: '', pods: [CURRENT], words: ['PATCH-ROLL-5 PatchChanged agent-n1'] },
    {
      name: 'a terminating pod is left',
      pods: [aDaemonPod({ metadata: { deletionTimestamp: '2026-11-18T12:00:00Z' } })],
      words: [],
    },
    { name: 'one that has failed too', pods: [aDaemonPod({ status: { phase: 'Failed' } })], words: [] },
    { name: 'and one of an unknown Node', pods: [aDaemonPod({ node: 'gone' })], words: [] },
  ])('$name', ({ words, ...given }) => {
    expect(wordsOf(given)).toEqual(words)
  })
})

describe('PATCH-ROLL-2 the Node of a pod is the one that it is bound to, or will be', () => {
  const field = (values: readonly string[], more: object = {}) => ({
    ...{ key: 'metadata.name', operator: 'In', values },
    ...more,
  })
  const bound = (...terms: readonly object[]) => ({
    nodeName: undefined,
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
  })
  it.each([
    { name: 'by its affinity', spec: bound({ matchFields: [field(['n1'])] }), found: 1 },
    { name: 'in any term', spec: bound({}, { matchFields: [field(['n1'])] }), found: 1 },
    { name: 'not of two values', spec: bound({ matchFields: [field(['n1', 'n2'])] }), found: 0 },
    { name: 'not of another operator', spec: bound({ matchFields: [field(['n1'], { operator: 'NotIn' })] }), found: 0 },
    { name: 'not without an affinity', spec: { nodeName: undefined }, found: 0 },
  ])('$name', ({ spec, found }) => {
    expect(wordsOf({ pods: [aDaemonPod({ spec })] })).toHaveLength(found)
  })
})

describe('PATCH-ROLL-8 never marked', () => {
  const gated = (status: string) => ({
    spec: { nodeName: 'n1', readinessGates: [{ conditionType: 'InPlaceUpdateReady' }] },
    status: { conditions: [{ type: 'InPlaceUpdateReady', status }] },
  })
  it.each([
    {
      name: 'a pod that its lifecycle hook holds',
      pod: aDaemonPod({ with: { [LABELS.lifecycle]: 'PreparingDelete' } }),
    },
    { name: 'one that is updated in place now', pod: aDaemonPod(gated('False')) },
    { name: 'a terminal one', pod: aDaemonPod({ status: { phase: 'Succeeded' } }) },
  ])('$name', ({ pod }) => {
    expect(wordsOf({ pods: [pod] })).toEqual([])
  })

  it.each([
    {
      name: 'another state of the lifecycle is no obstacle',
      pod: aDaemonPod({ with: { [LABELS.lifecycle]: 'Normal' } }),
    },
    { name: 'nor an in-place update that is over', pod: aDaemonPod(gated('True')) },
  ])('$name', ({ pod }) => {
    expect(wordsOf({ pods: [pod] })).toHaveLength(1)
  })

  it('a hundred at once, and the next ones at once after', () => {
    const nodes = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`n${i}`, { disk: 'large' }]))
    const seen = aRollout({ nodes, pods: Object.keys(nodes).map((node) => aDaemonPod({ node })) })
    const { actions, againInMs } = rolloutPlan(seen, { remembered: known(seen) })
    expect([actions.length, againInMs]).toEqual([100, 1])
  })
})

describe('PATCH-ROLL-7 a mark is taken back', () => {
  const restored = {
    labels: { [LABELS.revision]: 'h1', [LABELS.generation]: '1' },
    annotations: { [ANNOTATIONS.stale]: null },
  }
  it.each([
    { name: 'the patch is as it was', given: {} },
    { name: 'the Node is', given: { list: [LARGE, entryFor('small')] } },
  ])('where $name', ({ given }) => {
    const seen = aRollout({ ...given, pods: [marked(CURRENT)] })
    expect(rolloutPlan(seen, { remembered: known(seen) }).actions).toMatchObject([
      { expects: { uid: 'uid-agent-n1', resourceVersion: '11' }, patch: { metadata: restored } },
    ])
  })

  it.each([
    {
      name: 'PATCH-GATE-1, PATCH-UP-1 the gate is off',
      given: {},
      settings: { featureGates: ['AdvancedDaemonSetNodeLabelPatches=false'] },
    },
    {
      name: 'PATCH-ROLL-10 the DaemonSet opts out',
      given: { annotations: { [ANNOTATIONS.rollout]: 'OnPodRecreate' } },
    },
    { name: 'PATCH-ROLL-24 the mode is None', given: {}, settings: { rolloutMode: 'None' } },
    { name: 'the list cannot be read any more', given: { list: '{' } },
  ])('where $name, also on an unknown Node, and no pod is marked', ({ given, settings = {} }) => {
    const pods = [marked(OUTDATED), aDaemonPod({ node: 'n2' }), marked(aDaemonPod({ node: 'gone' }))]
    const words = ['PATCH-ROLL-7 agent-n1', 'PATCH-ROLL-7 agent-gone']
    expect(wordsOf({ ...given, pods }, { settings })).toEqual(words)
  })

  it('not from a pod that is stale, that is terminating, or whose label another writer has changed', () => {
    const relabelled = marked(CURRENT)
    const other = { ...relabelled.metadata, labels: { ...relabelled.metadata.labels, [LABELS.revision]: 'h2' } }
    const ending = { ...marked(CURRENT).metadata, deletionTimestamp: '2026-11-18T12:00:00Z' }
    const pods = [marked(OUTDATED), { ...relabelled, metadata: other }, { ...relabelled, metadata: ending }]
    expect(wordsOf({ pods })).toEqual([])
  })

  it('what others have made of the annotation is survived', () => {
    for (const text of ['{', '[]', '{"labels":{"pod-template-generation":7},"at":5}']) {
      const pod = marked(CURRENT)
      const annotations = { ...pod.metadata.annotations, [ANNOTATIONS.stale]: text }
      const seen = aRollout({ pods: [{ ...pod, metadata: { ...pod.metadata, annotations } }] })
      const { actions } = rolloutPlan(seen, { remembered: known(seen) })
      expect(actions).toMatchObject([{ patch: { metadata: { labels: { [LABELS.revision]: 'h1' } } } }])
    }
  })
})

describe('PATCH-ROLL-12 a marked pod beside its available replacement wakes its owner', () => {
  const fresh = (readyFor: number) => aDaemonPod({ name: 'fresh', by: [LARGE], readyFor })
  const old = marked(OUTDATED, 'PatchChanged', MOMENT - 61_000)
  it.each([
    { name: 'once it stands there for ten seconds', pods: [old, fresh(11_000)], words: ['PATCH-ROLL-12 agent-n1'] },
    { name: 'not before', pods: [old, fresh(9_000)], words: [] },
    { name: 'and minReadySeconds', pods: [old, fresh(11_000)], spec: { minReadySeconds: 5 }, words: [] },
    { name: 'not while it is unready', pods: [old, fresh(-1)], words: [] },
    { name: 'not alone', pods: [old], words: [] },
    { name: 'at most once a minute', pods: [marked(OUTDATED), fresh(11_000)], words: [] },
  ])('$name', ({ words, ...given }) => {
    expect(wordsOf(given)).toEqual(words)
  })

  it('by another time in its annotation, and nothing else', () => {
    const seen = aRollout({ pods: [old, fresh(11_000)] })
    const { actions, againInMs } = rolloutPlan(seen, { remembered: known(seen) })
    const text = `{"reason":"PatchChanged","at":"${new Date(MOMENT).toISOString()}","labels":{"${LABELS.revision}":"h1","${LABELS.generation}":"1"}}`
    expect(actions).toMatchObject([{ patch: { metadata: { annotations: { [ANNOTATIONS.stale]: text } } } }])
    expect(againInMs).toBe(60_000)
  })
})
