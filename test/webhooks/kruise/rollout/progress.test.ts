import { describe, expect, it } from 'vitest'
import { ANNOTATIONS } from '../../../../webhooks/kruise/names.ts'
import { conclude } from '../../../../webhooks/kruise/rollout/plan.ts'
import {
  aDaemonPod,
  aRollout,
  entryFor,
  known,
  LARGE,
  marked,
  rolloutPlan,
} from '../../../support/builders/rollouts.ts'

const CURRENT = aDaemonPod({ by: [LARGE] })
const OUTDATED = aDaemonPod({ node: 'n2', by: [entryFor('large', 'old')] })
const TIME = '2026-11-18T12:00:00Z'
type Given = NonNullable<Parameters<typeof aRollout>[0]>
type Plans = ReturnType<typeof rolloutPlan>
const withContainer = (container: object) => ({ ...LARGE, patch: { spec: { containers: [container] } } })
const UNMERGEABLE = withContainer({ image: 'x' })
const WITHOUT_IMAGE = withContainer({ name: 'added' })
const UNMOUNTABLE = withContainer({ name: 'agent', volumeMounts: [{ name: 'none', mountPath: '/none' }] })

function planOf(given: Given, wishes: Parameters<typeof rolloutPlan>[1] = {}) {
  const seen = aRollout(given)
  return rolloutPlan(seen, { remembered: known(seen), ...wishes })
}
const reasonsOf = ({ notices }: Plans) => notices.map(({ type, reason }) => `${type} ${reason}`)
const condition = (reason: string, message: string, status = 'False') => ({
  ...{ type: 'NodeLabelPatchesSynced', status, reason, message, lastTransitionTime: TIME },
})

describe('PATCH-ROLL-11 the condition says how far it is, and its event what is wrong', () => {
  it.each([
    {
      name: 'all have their patches',
      given: { pods: [CURRENT] },
      says: ['AllPodsPatched', '1/1 pods current', 'True'],
    },
    { name: 'some have not', given: { pods: [CURRENT, OUTDATED] }, says: ['RolloutInProgress', '1/2 pods current'] },
    {
      name: 'one is still marked',
      given: { pods: [marked(CURRENT)] },
      says: ['RolloutInProgress', '0/1 pods current'],
    },
    {
      name: 'a Node has no pod',
      given: { pods: [CURRENT], status: { desiredNumberScheduled: 2 } },
      says: ['RolloutInProgress', '1/2 pods current'],
    },
    {
      name: 'its owner has not looked at it yet',
      given: { status: { observedGeneration: undefined } },
      says: ['RolloutInProgress', '0/0 pods current'],
    },
    { name: 'no Node is to have a pod', given: {}, says: ['AllPodsPatched', '0/0 pods current', 'True'] },
    {
      name: 'the gate is off',
      given: { pods: [CURRENT] },
      settings: { featureGates: ['AdvancedDaemonSetNodeLabelPatches=false'] },
      says: ['FeatureGateDisabled', '1/1 pods current'],
    },
    {
      name: 'PATCH-ROLL-10 it opts out',
      given: { pods: [OUTDATED], annotations: { [ANNOTATIONS.rollout]: 'OnPodRecreate' } },
      says: ['Deferred', '0/1 pods current'],
      event: 'NodePatchesDeferred',
    },
    {
      name: 'it opts out, and a Node has no pod',
      given: {
        pods: [CURRENT],
        status: { desiredNumberScheduled: 2 },
        annotations: { [ANNOTATIONS.rollout]: 'OnPodRecreate' },
      },
      says: ['RolloutInProgress', '1/2 pods current'],
    },
    {
      name: 'it opts out, and all are current',
      given: { pods: [CURRENT], annotations: { [ANNOTATIONS.rollout]: 'OnPodRecreate' } },
      says: ['AllPodsPatched', '1/1 pods current', 'True'],
    },
    {
      name: 'the webhook is away',
      given: { pods: [OUTDATED], more: { bypass: 'not registered' } },
      says: ['WebhookBypassed', '0/1 pods current; not registered'],
      event: 'NodePatchWebhookBypassed',
    },
    {
      name: 'PATCH-ROLL-4 a patch does not merge',
      given: { pods: [aDaemonPod()], list: [UNMERGEABLE] },
      says: ['PatchFailed', expect.stringMatching(/^0\/1 pods current; node n1: patch 0: /)],
      event: 'NodePatchFailed',
    },
    {
      name: 'PATCH-ROLL-4 what a patch makes is no valid pod (PATCH-V-18)',
      given: { pods: [aDaemonPod()], list: [UNMOUNTABLE] },
      says: ['PatchFailed', expect.stringMatching(/^0\/1 pods current; node n1: patch 0\.spec\..* \(PATCH-V-18\)$/)],
      event: 'NodePatchFailed',
    },
    {
      name: 'PATCH-ROLL-4 a container that it adds has no image (PATCH-V-21)',
      given: { pods: [aDaemonPod()], list: [WITHOUT_IMAGE] },
      says: ['PatchFailed', expect.stringContaining('a new container needs an image (PATCH-V-21)')],
      event: 'NodePatchFailed',
    },
    {
      name: 'PATCH-ORD-3 the list cannot be read',
      given: { pods: [CURRENT], list: '{' },
      says: ['InvalidPatches', expect.stringMatching(/^0\/1 pods current; .*PATCH-V-02/)],
      event: 'NodePatchesInvalid',
    },
  ])('$name', ({ given, says: [reason = '', message = '', status], event, settings = {} }) => {
    const plan = planOf(given, { settings })
    expect(plan.others[0]).toMatchObject({
      do: 'merge',
      subresource: 'status',
      expects: { uid: 'd1', resourceVersion: '7' },
      patch: { status: { conditions: [condition(reason, message, status)] } },
    })
    expect(reasonsOf(plan).filter((each) => each.startsWith('Warning'))).toEqual(
      event === undefined ? [] : [`Warning ${event}`],
    )
  })

  it('PATCH-ROLL-4 the pods of other Nodes go on', () => {
    const nodes = { n1: { disk: 'small' }, n2: { disk: 'large' } }
    const small = { ...UNMERGEABLE, selector: { matchLabels: { disk: 'small' } } }
    const pods = [aDaemonPod(), aDaemonPod({ node: 'n2' })]
    const plan = planOf({ list: [LARGE, small], nodes, pods })
    expect(plan.actions).toMatchObject([{ ref: { name: 'agent-n2' }, because: 'PATCH-ROLL-5 NotPatched' }])
    expect(reasonsOf(plan)).toEqual(['Normal NodePatchesRollout', 'Warning NodePatchFailed'])
  })

  const ours = condition('AllPodsPatched', '1/1 pods current', 'True')
  const other = { type: 'Other', status: 'True' }
  const observed = { [ANNOTATIONS.observed]: aRollout().list }

  it('is written on change alone, and then nothing is', () => {
    const { others, actions, againInMs } = planOf({
      ...{ pods: [CURRENT], annotations: observed },
      status: { conditions: [other, ours] },
    })
    expect([others, actions, againInMs]).toEqual([[], [], undefined])
  })

  it('keeps what others say, and since when it is so', () => {
    const since = { ...ours, lastTransitionTime: '2026-01-01T00:00:00Z', message: '3/3 pods current' }
    const conditions = [{ ...ours, lastTransitionTime: '2026-01-01T00:00:00Z' }]
    const { others } = planOf({ pods: [CURRENT], status: { conditions: [since, other] } })
    expect(others[0]).toMatchObject({ patch: { status: { conditions: [other, ...conditions] } } })
    const turned = planOf({ pods: [OUTDATED], status: { conditions: [since] } })
    expect(turned.others[0]).toMatchObject({ patch: { status: { conditions: [{ lastTransitionTime: TIME }] } } })
  })

  it('is written ten seconds apart', () => {
    const seen = aRollout({ pods: [CURRENT, OUTDATED] })
    const first = rolloutPlan(seen, { remembered: known(seen) })
    const soon = rolloutPlan(aRollout({ pods: [CURRENT] }), { remembered: first.remember, at: 4_000 })
    expect([soon.others, soon.againInMs]).toEqual([[], 6_000])
    expect(rolloutPlan(aRollout({ pods: [CURRENT] }), { remembered: soon.remember, at: 10_000 }).others).toHaveLength(2)
  })

  it('is followed by the hash of its list, which no other list has', () => {
    const hashOf = (given: Given) => {
      const [, action] = planOf({ pods: [CURRENT], ...given }).others
      return action !== undefined && 'patch' in action ? action.patch : undefined
    }
    const { list } = aRollout()
    expect(list).toMatch(/^[0-9a-f]{16}$/)
    expect(hashOf({})).toEqual({ metadata: { annotations: { [ANNOTATIONS.observed]: list } } })
    expect(hashOf({ list: JSON.stringify([LARGE], null, 2) })).toEqual(hashOf({}))
    expect(hashOf({ list: [entryFor('large', 'x')] })).not.toEqual(hashOf({}))
    expect(hashOf({ list: '{' })).toBeUndefined()
  })

  it('a wave begins and ends with an event', () => {
    const begins = planOf({ pods: [CURRENT, OUTDATED] })
    expect(begins.notices).toMatchObject([
      { type: 'Normal', reason: 'NodePatchesRollout', message: '1 of 2 pods have outdated patches: 1 PatchChanged' },
    ])
    const goesOn = rolloutPlan(aRollout({ pods: [CURRENT, marked(OUTDATED)] }), { remembered: begins.remember, at: 1 })
    expect(reasonsOf(goesOn)).toEqual([])
    const ends = rolloutPlan(aRollout({ pods: [CURRENT] }), { remembered: goesOn.remember, at: 2 })
    expect(reasonsOf(ends)).toEqual(['Normal NodePatchesSynced'])
    expect(reasonsOf(rolloutPlan(aRollout({ pods: [CURRENT] }), { remembered: ends.remember, at: 3 }))).toEqual([])
  })

  it('a pod learns why it goes, as soon as it was marked', () => {
    const seen = aRollout({ pods: [OUTDATED] })
    const [action] = rolloutPlan(seen, { remembered: known(seen) }).actions
    if (action === undefined) throw new Error('nothing is planned')
    const done = conclude(seen, [{ action, outcome: 'done' }])
    expect(done.notices).toMatchObject([
      { reason: 'NodePatchStale', message: expect.stringContaining('PatchChanged'), about: { uid: 'uid-agent-n2' } },
    ])
    expect(conclude(seen, [{ action, outcome: 'overtaken' }]).notices).toEqual([])
    const [unmarked] = planOf({ pods: [marked(CURRENT)] }).actions
    expect(unmarked && conclude(seen, [{ action: unmarked, outcome: 'done' }]).notices).toEqual([])
  })
})

describe('PATCH-ROLL-11 the numbers of a rollout', () => {
  const numbersOf = (given: Given) =>
    planOf(given).measured.map(
      ({ metric: { name }, labels, value }) => `${name} ${labels.stage ?? ''} ${labels.reason} ${value}`,
    )
  const stale = (changed: number, bare: number) => [
    `daemonset_patches_stale_pods  PatchChanged ${changed}`,
    'daemonset_patches_stale_pods  NodeRelabeled 0',
    `daemonset_patches_stale_pods  NotPatched ${bare}`,
    'daemonset_patches_stale_pods  InPlaceOverwritten 0',
  ]
  const failed = (reason: string) => `daemonset_patches_errors_total reconcile ${reason} 1`
  const told = { status: { conditions: [condition('PatchFailed', '')] } }

  it.each([
    { name: 'of stale pods', given: { pods: [CURRENT, OUTDATED] }, numbers: stale(1, 0) },
    { name: 'of none', given: { pods: [CURRENT] }, numbers: stale(0, 0) },
    {
      name: 'a failure',
      given: { pods: [aDaemonPod()], list: [UNMERGEABLE] },
      numbers: [...stale(0, 1), failed('merge')],
    },
    { name: 'a failure once', given: { pods: [aDaemonPod()], list: [UNMERGEABLE], ...told }, numbers: stale(0, 1) },
    { name: 'a list that cannot be read', given: { list: '{' }, numbers: [...stale(0, 0), failed('parse')] },
    {
      name: 'a bypassed webhook',
      given: { pods: [aDaemonPod()], more: { bypass: 'away' } },
      numbers: [...stale(0, 1), failed('bypassed')],
    },
  ])('$name', ({ given, numbers }) => {
    expect(numbersOf(given)).toEqual(numbers)
  })

  it.each([
    { because: 'PATCH-ROLL-5 PatchChanged', kinds: ['mark'] },
    { because: 'PATCH-ROLL-7', kinds: ['unmark'] },
    { because: 'PATCH-ROLL-20 NotPatched', kinds: ['delete'] },
    { because: 'PATCH-HASH-7', kinds: ['restamp'] },
    { because: 'PATCH-ROLL-12', kinds: [] },
  ])('of marks, by what was done: $because', ({ because, kinds }) => {
    const [found] = planOf({ pods: [OUTDATED] }).actions
    if (found === undefined) throw new Error('nothing is planned')
    const action = { ...found, because }
    const countedAs = (outcome: 'done' | 'overtaken') =>
      conclude(aRollout(), [{ action, outcome }]).measured?.map(({ labels }) => labels.action)
    expect([countedAs('done'), countedAs('overtaken')]).toEqual([kinds, []])
  })
})
