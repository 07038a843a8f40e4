import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { ANNOTATIONS, LABELS } from '../../../../webhooks/kruise/names.ts'
import {
  aDaemonPod,
  aRollout,
  entryFor,
  known,
  LARGE,
  marked,
  rolloutPlan,
} from '../../../support/builders/rollouts.ts'

const NODES = Object.fromEntries(['a', 'b', 'c', 'd'].map((node) => [node, { disk: 'large', zone: node }]))
const stale = (node: string, more: object = {}) => aDaemonPod({ node, by: [entryFor('large', 'old')], ...more })
const FOUR = Object.keys(NODES).map((node) => stale(node))

interface Case {
  readonly pods?: readonly Built[]
  readonly rollingUpdate?: object
  readonly spec?: object
  readonly status?: object
  readonly annotations?: Readonly<Record<string, string>>
}
/** Of a DaemonSet of OpenKruise, whose status names the current revision. */
function planOf({ pods = FOUR, rollingUpdate = {}, spec = {}, status = {}, annotations = {} }: Case, settings = {}) {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1, ...rollingUpdate } }
  const seen = aRollout({
    ...{ nodes: NODES, pods, annotations },
    spec: { updateStrategy, ...spec },
    status: { desiredNumberScheduled: 4, daemonSetHash: 'h1', ...status },
  })
  return rolloutPlan(seen, { remembered: known(seen), settings })
}
const wordsOf = (given: Case, settings = {}) =>
  planOf(given, settings).actions.map((action) => ('ref' in action ? `${action.do} ${action.ref.name}` : action.do))

describe('PATCH-ROLL-20 with a partition pods are deleted, one by one', () => {
  it('under their uid and version', () => {
    const { actions, againInMs } = planOf({})
    const expects = { uid: 'uid-agent-a', resourceVersion: '11' }
    expect(actions).toMatchObject([{ do: 'remove', expects, because: 'PATCH-ROLL-20 PatchChanged' }])
    expect(againInMs).toBe(5_000)
  })

  it.each([
    { name: 'a partition of none marks', rollingUpdate: { partition: 0 }, words: 'merge' },
    { name: 'a percentage is rounded down', rollingUpdate: { partition: '24%' }, words: 'merge' },
    { name: 'and counts from one node on', rollingUpdate: { partition: '25%' }, words: 'remove' },
    { name: 'what is no partition marks', rollingUpdate: { partition: 'half' }, words: 'merge' },
    { name: 'OnDelete has no partition', spec: { updateStrategy: { type: 'OnDelete' } }, words: 'merge' },
    { name: 'a native DaemonSet has none', spec: { updateStrategy: { type: 'RollingUpdate' } }, words: 'merge' },
  ])('$name', ({ words, ...given }) => {
    expect(wordsOf(given)[0]).toBe(`${words} agent-a`)
  })

  it.each([
    { name: 'a pod of an older base stays', pods: [stale('a', { with: { [LABELS.revision]: 'h0' } })], words: [] },
    {
      name: 'the base is what follows the last dash',
      pods: [stale('a', { with: { [LABELS.revision]: 'agent-h1' } })],
      words: ['remove agent-a'],
    },
    { name: 'a pod that was marked before is not any more', pods: [marked(stale('a'))], words: ['merge agent-a'] },
  ])('$name', ({ words, pods }) => {
    const others = ['b', 'c', 'd'].map((node) => aDaemonPod({ node, by: [LARGE] }))
    expect(wordsOf({ pods: [...pods, ...others] })).toEqual(words)
  })
})

describe('PATCH-ROLL-21 deletions stay within the budget of the strategy', () => {
  const unready = stale('d', { readyFor: -1 })
  it.each([
    { name: 'one by default', words: ['remove agent-a'] },
    { name: 'as many as it says', rollingUpdate: { maxUnavailable: 2 }, words: ['remove agent-a', 'remove agent-b'] },
    {
      name: 'a percentage is rounded up',
      rollingUpdate: { maxUnavailable: '30%' },
      words: ['remove agent-a', 'remove agent-b'],
    },
    {
      name: 'one where there is only a surge',
      rollingUpdate: { maxSurge: 3, maxUnavailable: 0 },
      words: ['remove agent-a'],
    },
    { name: 'a Node without a pod counts', pods: FOUR.slice(1), words: [] },
    {
      name: 'so does a pod that is too young',
      pods: [...FOUR.slice(1), stale('a', { readyFor: 4_000 })],
      spec: { minReadySeconds: 5 },
      words: ['remove agent-a'],
    },
    {
      name: 'a pod that is not available anyway goes first, and for nothing',
      pods: [...FOUR.slice(0, 3), unready],
      words: ['remove agent-d'],
    },
    { name: 'none while it is paused', rollingUpdate: { paused: true }, words: [] },
    {
      name: 'on selected Nodes alone',
      rollingUpdate: { selector: { matchLabels: { zone: 'c' } } },
      words: ['remove agent-c'],
    },
  ])('$name', ({ words, spec = {}, rollingUpdate = {}, ...given }) => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1, ...rollingUpdate } }
    expect(wordsOf({ ...given, spec: { ...spec, updateStrategy } })).toEqual(words)
  })
})

describe('PATCH-ROLL-22 a preDelete hook is waited for', () => {
  it('so the pod is prepared, and OpenKruise deletes it', () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }
    const held = planOf({ spec: { updateStrategy, lifecycle: { preDelete: { labelsHandler: { hook: 'x' } } } } })
    const metadata = { labels: { [LABELS.lifecycle]: 'PreparingDelete' } }
    expect(held.actions).toMatchObject([{ do: 'merge', ref: { name: 'agent-a' }, patch: { metadata } }])
  })
})

describe('PATCH-ROLL-23 a progressive DaemonSet with a partition waits', () => {
  it.each([
    { name: 'by its field', given: { spec: { scaleStrategy: { partitionedScaling: true } } } },
    { name: 'by its annotation', given: { annotations: { [ANNOTATIONS.progressive]: 'true' } } },
  ])('$name', ({ given }) => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }
    const { actions, notices, others } = planOf({ ...given, spec: { ...given.spec, updateStrategy } })
    expect([actions, notices.map(({ reason }) => reason)]).toEqual([[], ['NodePatchesDeferred']])
    expect(JSON.stringify(others)).toContain('"reason":"Deferred","message":"0/4 pods current"')
  })

  it('until the partition is none', () => {
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }
    expect(wordsOf({ spec: { updateStrategy, scaleStrategy: { partitionedScaling: true } } })).toHaveLength(4)
  })
})

describe('PATCH-ROLL-24 the mode is a setting', () => {
  it.each([
    { mode: 'Mark', words: ['merge agent-a', 'merge agent-b', 'merge agent-c', 'merge agent-d'] },
    { mode: 'Delete', words: ['remove agent-a'] },
    { mode: 'None', words: [] },
  ])('$mode', ({ mode, words }) => {
    expect(wordsOf({ rollingUpdate: { partition: 0 } }, { rolloutMode: mode })).toEqual(words)
    const native = { spec: { updateStrategy: { type: 'RollingUpdate' } } }
    expect(wordsOf(native, { rolloutMode: mode })).toEqual(words)
  })

  it('nothing is deleted where the user deletes', () => {
    expect(wordsOf({ spec: { updateStrategy: { type: 'OnDelete' } } }, { rolloutMode: 'Delete' })).toEqual([])
  })
})

describe('PATCH-ROLL-6 the owner decides when a marked pod goes', () => {
  it.each([
    { name: 'OnDelete', updateStrategy: { type: 'OnDelete' } },
    { name: 'a surge', updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
    { name: 'paused', updateStrategy: { type: 'RollingUpdate', rollingUpdate: { paused: true } } },
    { name: 'a selector', updateStrategy: { rollingUpdate: { selector: { matchLabels: { zone: 'c' } } } } },
    {
      name: 'PATCH-INPLACE-1 InPlaceIfPossible',
      updateStrategy: { rollingUpdate: { rollingUpdateType: 'InPlaceIfPossible' } },
    },
  ])('so with $name all are marked', ({ updateStrategy }) => {
    expect(wordsOf({ spec: { updateStrategy } })).toEqual(FOUR.map(({ metadata: { name } }) => `merge ${name}`))
  })
})
