import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import {
  aDaemonPod,
  aRollout,
  entryFor,
  known,
  LARGE,
  MOMENT,
  marked,
  rolloutPlan,
} from '../../../support/builders/rollouts.ts'

const CURRENT = aDaemonPod({ by: [LARGE] })
const PLAIN = aDaemonPod()
const SMALL = { n1: { disk: 'small' } }
const LIST = [LARGE, entryFor('small')]
const because = ({ actions }: ReturnType<typeof rolloutPlan>) => actions.map((action) => action.because)

describe('PATCH-ROLL-3 a relabelled Node waits, an edit does not', () => {
  const before = aRollout({ list: LIST, pods: [CURRENT] })
  const relabelled = aRollout({ list: LIST, pods: [CURRENT], nodes: SMALL })
  const first = rolloutPlan(before, { remembered: known(before), at: -10_000 })

  it('for thirty seconds, and then its pod goes', () => {
    const seen = rolloutPlan(relabelled, { remembered: first.remember, at: 5_000 })
    expect([because(seen), seen.againInMs]).toEqual([[], 30_000])
    const waits = rolloutPlan(relabelled, { remembered: seen.remember, at: 34_999 })
    expect([because(waits), waits.againInMs]).toEqual([[], 1])
    const acts = rolloutPlan(relabelled, { remembered: waits.remember, at: 35_000 })
    expect(because(acts)).toEqual(['PATCH-ROLL-5 NodeRelabeled'])
  })

  it('a label that came back begins again', () => {
    const away = rolloutPlan(relabelled, { remembered: first.remember, at: 5_000 })
    const back = rolloutPlan(before, { remembered: away.remember, at: 20_000 })
    const again = rolloutPlan(relabelled, { remembered: back.remember, at: 34_000 })
    expect([because(back), because(again), again.againInMs]).toEqual([[], [], 30_000])
  })

  it('a third label begins again too', () => {
    const away = rolloutPlan(relabelled, { remembered: first.remember, at: 5_000 })
    const none = aRollout({ list: LIST, pods: [CURRENT], nodes: { n1: {} } })
    expect(rolloutPlan(none, { remembered: away.remember, at: 34_000 }).againInMs).toBe(30_000)
  })

  it('a pod that got its first patch by a label waits as well', () => {
    const unpatched = aRollout({ pods: [PLAIN], nodes: { n1: {} } })
    const seen = rolloutPlan(unpatched, { remembered: known(unpatched) })
    const labelled = aRollout({ pods: [PLAIN] })
    const waits = rolloutPlan(labelled, { remembered: seen.remember, at: 1_000 })
    const acts = rolloutPlan(labelled, { remembered: waits.remember, at: 31_000 })
    expect([because(waits), because(acts)]).toEqual([[], ['PATCH-ROLL-5 NodeRelabeled']])
  })

  it('the time is a setting', () => {
    const settings = { relabelStabilizationSeconds: 2 }
    expect(rolloutPlan(relabelled, { remembered: first.remember, settings }).againInMs).toBe(2_000)
  })

  it('a new process takes a stamp of entries that stand there still for a relabelled Node', () => {
    const seen = known(relabelled)
    expect(rolloutPlan(relabelled, { remembered: seen }).againInMs).toBe(30_000)
    const edited = aRollout({ list: [entryFor('large', 'other'), entryFor('small')], pods: [CURRENT], nodes: SMALL })
    expect(because(rolloutPlan(edited, { remembered: known(edited) }))).toEqual(['PATCH-ROLL-5 PatchChanged'])
  })

  it('an edit acts a second after it was seen, also while a Node waits', () => {
    const waits = rolloutPlan(relabelled, { remembered: first.remember, at: 5_000 })
    const edited = aRollout({ list: [LARGE, entryFor('small', 'tiny')], pods: [CURRENT], nodes: SMALL })
    const seen = rolloutPlan(edited, { remembered: waits.remember, at: 6_000 })
    expect([because(seen), seen.againInMs]).toEqual([[], 1_000])
    const acts = rolloutPlan(edited, { remembered: seen.remember, at: 7_000 })
    expect(because(acts)).toEqual(['PATCH-ROLL-5 PatchChanged'])
  })

  it('a list that was observed before this process began is no edit', () => {
    const [, list] = [0, aRollout({ list: LIST }).list]
    const annotations = { 'daemonset.kruise.io/patches-observed': list }
    const seen = aRollout({ list: LIST, pods: [CURRENT], nodes: SMALL, annotations })
    expect(rolloutPlan(seen).remember?.sightings.get('uid-agent-n1')?.reason).toBe('NodeRelabeled')
    expect(rolloutPlan(relabelled).remember?.sightings.get('uid-agent-n1')?.reason).toBe('PatchChanged')
  })
})

describe('PATCH-ROLL-9 a: while the webhook is not in place no pod is marked', () => {
  const seen = aRollout({ pods: [PLAIN], more: { bypass: 'it is not registered' } })
  it('and it is looked at again', () => {
    const { actions, againInMs, others } = rolloutPlan(seen, { remembered: known(seen) })
    expect([actions, againInMs]).toEqual([[], 10_000])
    expect(JSON.stringify(others)).toContain('0/1 pods current; it is not registered')
  })

  it('a mark is taken back all the same', () => {
    const back = aRollout({ pods: [marked(CURRENT)], more: { bypass: 'it is not registered' } })
    expect(because(rolloutPlan(back, { remembered: known(back) }))).toEqual(['PATCH-ROLL-7'])
  })
})

describe('PATCH-ROLL-9 b: three pods in a row that come up without their patches stop the rollout', () => {
  const nodes = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((node) => [node, { disk: 'large' }]))
  const old = (node: string) => aDaemonPod({ node })
  /** Came up so many seconds before the moment. */
  const fresh = (node: string, seconds: number, by?: readonly object[]) =>
    aDaemonPod({ node, name: `new-${node}`, age: seconds * 1_000, ...(by && { by }) })
  const listed = (pods: readonly Built[], more = {}) => aRollout({ nodes, pods, ...more })
  const began = rolloutPlan(listed(['a', 'b', 'c', 'd', 'e'].map(old)), {
    remembered: { ...known(listed([])), since: MOMENT - 60_000 },
  }).remember

  it.each([
    { name: 'three do', pods: [fresh('a', 9), fresh('b', 8), fresh('c', 7)], bypassed: 3 },
    { name: 'two do not', pods: [fresh('a', 9), fresh('b', 8)], bypassed: 2 },
    {
      name: 'nor with one between that has them',
      pods: [fresh('a', 9), fresh('b', 8, [LARGE]), fresh('c', 7)],
      bypassed: 1,
    },
    { name: 'a pod with another patch counts', pods: [fresh('a', 9, [entryFor('large', 'x')])], bypassed: 1 },
    { name: 'one of before the list was seen does not', pods: [fresh('a', 60)], bypassed: 0 },
    { name: 'nor one of the second after, for times are whole seconds', pods: [fresh('a', 59)], bypassed: 0 },
    { name: 'nor one on a Node that may have got its labels after it', pods: [fresh('f', 9)], bypassed: 0 },
    { name: 'nor one that is marked', pods: [marked(fresh('a', 9))], bypassed: 0 },
    {
      name: 'nor while the webhook is known to be away',
      pods: [fresh('a', 9)],
      more: { more: { bypass: 'away' } },
      bypassed: 0,
    },
  ])('$name', ({ pods, bypassed, more = {} }) => {
    const remembered = began && { ...began, marks: new Map() }
    expect(rolloutPlan(listed(pods, more), { remembered }).remember?.bypassed).toBe(bypassed)
  })

  it('what applied to the pod before counts, while the new one is being made and no longer', () => {
    const bare = { ...began, marks: new Map() }
    const bypassedAfter = (seconds: number) => {
      const { remember } = rolloutPlan(listed([]), {
        remembered: { ...known(listed([])), ...bare },
        at: seconds * 1_000,
      })
      const made = listed([fresh('a', -seconds)])
      return rolloutPlan(made, { remembered: remember, at: seconds * 1_000 + 1_000 }).remember?.bypassed
    }
    expect([bypassedAfter(30), bypassedAfter(90)]).toEqual([1, 0])
  })

  const three = listed([fresh('a', 9), fresh('b', 8), fresh('c', 7), old('d'), marked(old('e'))])
  const open = rolloutPlan(three, { remembered: began, at: 10_000 })

  it('a replacement of a pod that was marked counts, even in the second in which the list was seen', () => {
    const expected = began?.sightings.get('uid-agent-a')?.expected ?? ''
    const marks = new Map([['a', { component: expected, uid: 'uid-agent-a', at: MOMENT - 60_000, waitMs: 300_000 }]])
    const remembered = began && { ...began, marks }
    expect(rolloutPlan(listed([fresh('a', 60)]), { remembered }).remember?.bypassed).toBe(1)
  })

  it('marked pods lose their mark, and the event and the condition say why', () => {
    expect(open.actions).toMatchObject([{ because: 'PATCH-ROLL-7', ref: { name: 'agent-e' } }])
    expect(open.notices.map(({ reason }) => reason)).toEqual(['NodePatchWebhookBypassed'])
    expect(JSON.stringify(open.others)).toContain('WebhookBypassed')
  })

  it('it stays so, however often it is looked at', () => {
    const later = rolloutPlan(three, { remembered: open.remember, at: 7_200_000 })
    expect(later.actions.map(({ because: why }) => why)).toEqual(['PATCH-ROLL-7'])
  })

  it('a pod that comes up with its patches ends it', () => {
    const healed = listed([fresh('a', 9), fresh('b', 8), fresh('c', 7), fresh('d', 1, [LARGE])])
    const { actions, remember } = rolloutPlan(healed, { remembered: open.remember, at: 400_000 })
    expect([remember?.bypassed, actions.length]).toEqual([0, 3])
  })

  it('another list does', () => {
    const edited = aRollout({ nodes, list: [entryFor('large', 'new')], pods: [old('a')] })
    const seen = rolloutPlan(edited, { remembered: open.remember })
    expect(because(rolloutPlan(edited, { remembered: seen.remember, at: 1_000 }))).toEqual(['PATCH-ROLL-5 NotPatched'])
  })
})

describe('PATCH-ROLL-9 c: a replacement that is stale again waits', () => {
  const next = (name: string) => aRollout({ pods: [aDaemonPod({ name, age: 3_600_000 })] })
  const first = rolloutPlan(next('p0'), { remembered: known(next('p0')) })

  it('five minutes, then twice as long, up to an hour', () => {
    let remembered = first.remember
    let at = 0
    const waits: (number | undefined)[] = []
    for (let i = 1; i <= 6; i += 1) {
      const seen = rolloutPlan(next(`p${i}`), { remembered, at: at + 1_000 })
      expect(because(seen)).toEqual([])
      at += 1_000 + (seen.againInMs ?? 0)
      while (because(rolloutPlan(next(`p${i}`), { remembered, at })).length === 0) at += 10_000
      waits.push(Math.round((at - (remembered?.marks.get('n1')?.at ?? 0) + MOMENT) / 10_000) * 10)
      const marked = rolloutPlan(next(`p${i}`), { remembered, at }).remember
      remembered = marked && { ...marked, bypassed: 0 } // a pod of another Node came up well meanwhile
    }
    expect(waits).toEqual([300, 600, 1_200, 2_400, 3_600, 3_600])
  })

  it.each([
    {
      name: 'not where another component is expected',
      seen: aRollout({ list: [entryFor('large', 'b')], pods: [PLAIN] }),
    },
    { name: 'not the same pod, whose mark was taken back', seen: next('p0') },
  ])('$name', ({ seen }) => {
    const remembered = { ...known(seen), marks: first.remember?.marks ?? new Map() }
    expect(because(rolloutPlan(seen, { remembered, at: 1_000 }))).toEqual(['PATCH-ROLL-5 NotPatched'])
  })

  it.each([
    { name: 'for two hours', at: 7_199_000, marks: 1 },
    { name: 'and no longer', at: 7_200_000, marks: 0 },
  ])('a mark is remembered $name', ({ at, marks }) => {
    const seen = aRollout({ pods: [aDaemonPod({ name: 'p1' })], more: { bypass: 'away' } })
    expect(rolloutPlan(seen, { remembered: first.remember, at }).remember?.marks.size).toBe(marks)
  })

  it('a Node whose pod was current begins again', () => {
    const current = rolloutPlan(aRollout({ pods: [aDaemonPod({ name: 'p1', by: [LARGE] })] }), {
      remembered: first.remember,
    })
    expect(current.remember?.marks.size).toBe(0)
  })
})
