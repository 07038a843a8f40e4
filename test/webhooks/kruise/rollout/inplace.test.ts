import { describe, expect, it } from 'vitest'
import { ANNOTATIONS, LABELS } from '../../../../webhooks/kruise/names.ts'
import { isOverwritten } from '../../../../webhooks/kruise/rollout/inplace.ts'
import { withWholes } from '../../../../webhooks/kruise/rollout/reconcile.ts'
import { anEntry } from '../../../support/builders/patched-daemonsets.ts'
import {
  aDaemonPod,
  aRollout,
  known,
  LARGE,
  marked,
  rolloutPlan,
  stampsOf,
} from '../../../support/builders/rollouts.ts'
import { readerOf } from '../../../support/fakes/readers.ts'

const IMAGE = anEntry({ spec: { containers: [{ name: 'agent', image: 'agent:patched' }] } })
/** As OpenKruise leaves a pod: the hash of the newer template, and the stamp as it was. */
const UPDATED = aDaemonPod({ with: { [LABELS.revision]: 'h2' }, metadata: { annotations: stampsOf([IMAGE]) } })
const updated = {
  ...UPDATED,
  metadata: { ...UPDATED.metadata, labels: { ...UPDATED.metadata.labels, [LABELS.revision]: 'h2' } },
}
const wholeWith = (image: string) => ({ spec: { containers: [{ name: 'agent', image }] } })

function planOf(pod: Parameters<typeof marked>[0], image: string) {
  const seen = aRollout({ list: [IMAGE], pods: [pod] })
  const pods = seen.pods.map((each) => ({ ...each, whole: wholeWith(image) }))
  return rolloutPlan({ ...seen, pods }, { remembered: known(seen) }).actions
}

describe('PATCH-INPLACE-2 an in-place update writes what the template says', () => {
  it('where the patches are still there, the stamp takes the newer base', () => {
    const [action] = planOf(updated, 'agent:patched')
    const stamp = stampsOf([IMAGE], undefined, 'h2')[ANNOTATIONS.combinedHash]
    expect(action).toMatchObject({
      because: 'PATCH-INPLACE-2',
      patch: { metadata: { annotations: { [ANNOTATIONS.combinedHash]: stamp } } },
    })
  })

  it('PATCH-INPLACE-3 where one is not, the pod is replaced, never in place', () => {
    expect(planOf(updated, 'agent:2')).toMatchObject([{ because: 'PATCH-ROLL-5 InPlaceOverwritten' }])
  })

  it('and stays marked until it goes', () => {
    const held = marked(updated, 'InPlaceOverwritten')
    const text = JSON.stringify({ reason: 'InPlaceOverwritten', at: 0, labels: { [LABELS.revision]: 'h2' } })
    const annotations = { ...held.metadata.annotations, [ANNOTATIONS.stale]: text }
    const seen = aRollout({ list: [IMAGE], pods: [{ ...held, metadata: { ...held.metadata, annotations } }] })
    const pods = seen.pods.map((each) => ({ ...each, whole: wholeWith('agent:2') }))
    expect(rolloutPlan({ ...seen, pods }, { remembered: known(seen) }).actions).toEqual([])
  })

  it('patches that do not merge any more leave it as it is', () => {
    const bad = anEntry({ spec: { containers: [{ image: 'x' }] } })
    const stamped = { ...updated, metadata: { ...updated.metadata, annotations: stampsOf([bad]) } }
    const seen = aRollout({ list: [bad], pods: [stamped] })
    const pods = seen.pods.map((each) => ({ ...each, whole: wholeWith('agent:2') }))
    const { actions, others } = rolloutPlan({ ...seen, pods }, { remembered: known(seen) })
    expect(actions).toEqual([])
    expect(JSON.stringify(others)).toContain('PatchFailed')
  })

  it('a pod of the base of its stamp is not looked at', () => {
    expect(planOf(aDaemonPod({ by: [IMAGE] }), 'agent:2')).toEqual([])
  })
})

const RESOURCES = { containers: [{ name: 'agent', resources: { limits: { cpu: '1' } } }] }
const entry = (patch: object) => ({ index: 0, priority: 0, hash: '', patch: { ...patch } })
describe('PATCH-INPLACE-2 compares what the patches set, and of it what such an update writes', () => {
  it.each([
    {
      name: 'a label that is gone',
      patch: { metadata: { labels: { a: '1' } } },
      merged: { metadata: { labels: { a: '1' } } },
      pod: {},
      lost: true,
    },
    {
      name: 'a label that is there',
      patch: { metadata: { labels: { a: '1' } } },
      merged: { metadata: { labels: { a: '1' } } },
      pod: { metadata: { labels: { a: '1', b: '2' } } },
      lost: false,
    },
    {
      name: 'an annotation of another value',
      patch: { metadata: { annotations: { a: '1' } } },
      merged: { metadata: { annotations: { a: '1' } } },
      pod: { metadata: { annotations: { a: '2' } } },
      lost: true,
    },
    {
      name: 'a label that came back',
      patch: { metadata: { labels: { a: null } } },
      merged: {},
      pod: { metadata: { labels: { a: '1' } } },
      lost: true,
    },
    {
      name: 'an amount written otherwise',
      patch: { spec: RESOURCES },
      merged: { spec: RESOURCES },
      pod: { spec: { containers: [{ name: 'agent', resources: { limits: { cpu: '1000m' } } }] } },
      lost: false,
    },
    {
      name: 'another amount',
      patch: { spec: RESOURCES },
      merged: { spec: RESOURCES },
      pod: { spec: { containers: [{ name: 'agent', resources: { limits: { cpu: '2' } } }] } },
      lost: true,
    },
    {
      name: 'an image that the patch does not set',
      patch: { spec: RESOURCES },
      merged: { spec: { containers: [{ name: 'agent', image: 'a:1', ...RESOURCES.containers[0] }] } },
      pod: { spec: { containers: [{ name: 'agent', image: 'a:2', resources: { limits: { cpu: '1' } } }] } },
      lost: false,
    },
    {
      name: 'a container that nobody knows',
      patch: { spec: { containers: [{ name: 'other', image: 'x' }] } },
      merged: { spec: {} },
      pod: {},
      lost: false,
    },
    {
      name: 'a directive',
      patch: { metadata: { labels: { $retainKeys: ['a'] } }, spec: { containers: ['no object'] } },
      merged: {},
      pod: {},
      lost: false,
    },
    {
      name: 'an environment, which it does not write',
      patch: { spec: { containers: [{ name: 'agent', env: [{ name: 'A', value: '1' }] }] } },
      merged: { spec: { containers: [{ name: 'agent', env: [{ name: 'A', value: '1' }] }] } },
      pod: {},
      lost: false,
    },
  ])('$name', ({ patch, merged, pod, lost }) => {
    expect(isOverwritten({ ...pod }, { ...merged }, [entry(patch)])).toBe(lost)
  })
})

it('PATCH-INPLACE-2 many pods are read ten at a time', async () => {
  const nodes = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`n${i}`, { disk: 'large' }]))
  const pods = Object.keys(nodes).map((node) => aDaemonPod({ node, by: [LARGE], with: { [LABELS.revision]: 'h2' } }))
  const [all, atOnce] = [readerOf(...pods), { now: 0, most: 0 }]
  const live: typeof all = {
    ...all,
    async get(of, ref) {
      atOnce.now += 1
      atOnce.most = Math.max(atOnce.most, atOnce.now)
      const found = await all.get(of, ref)
      atOnce.now -= 1
      return found
    },
  }
  const seen = await withWholes(aRollout({ nodes, pods }).pods, live)
  expect([seen.filter(({ whole }) => whole !== undefined).length, atOnce.most]).toEqual([25, 10])
})
