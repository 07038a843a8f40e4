import { describe, expect, it } from 'vitest'
import type { Built, KubeObject } from '../../../../src/cluster/port.ts'
import type { Watch } from '../../../../src/reconcile/controller.ts'
import { ANNOTATIONS, LABELS } from '../../../../webhooks/kruise/names.ts'
import { DAEMON_POD } from '../../../../webhooks/kruise/rollout/pod-schema.ts'
import { rolloutControllers } from '../../../../webhooks/kruise/rollout/reconcile.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import {
  aDaemonPod,
  entryFor,
  LARGE,
  MOMENT,
  MUTATING_CONFIGURATION,
  marked,
} from '../../../support/builders/rollouts.ts'
import { clusterOf } from '../../../support/clusters.ts'
import { settled, turnsOf } from '../../../support/turns.ts'

const [NATIVE, KRUISE, ALPHA] = rolloutControllers
const KEY = { namespace: 'demo', name: 'agent' }
const POD = { namespace: 'demo', name: 'agent-n1' }
const node = (name: string, labels: Readonly<Record<string, string>> = { disk: 'large' }) => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name, labels } },
})
const listed = (...annotation: readonly object[]): Built => aDaemonSet({ annotation })

describe('PATCH-ROLL-1 one watch of pods serves all DaemonSets', () => {
  it('of those with a revision, reduced to what the rollout reads', () => {
    for (const { watches } of rolloutControllers) {
      const pods = watches.find(({ resource: { kind } }) => kind === 'Pod')
      expect(pods?.keeps?.carrying).toEqual([LABELS.revision])
      expect(pods?.keeps?.fields?.filter((field) => field.startsWith('spec.'))).toHaveLength(3)
      expect(watches.find(({ resource: { kind } }) => kind === 'Node')?.keeps).toEqual({ fields: ['metadata.labels'] })
    }
  })

  it('PATCH-REV-1, PATCH-INPLACE-1 no revision is written, and no pod but by its metadata', () => {
    const kinds = rolloutControllers.flatMap(({ writes }) => writes.map(({ resource: { kind } }) => kind))
    expect(new Set(kinds)).toEqual(new Set(['Pod', 'DaemonSet']))
  })

  it('a DaemonSet without patches costs no look at Nodes, and nothing is written', async () => {
    const cluster = clusterOf(aDaemonSet(), aDaemonPod(), node('n1'))
    expect(await settled('daemonset-patches', cluster)).toEqual({ writes: [], reasons: [] })
  })

  it.each([
    { name: 'is gone', objects: [] },
    {
      name: 'is terminating',
      objects: [
        {
          ...listed(LARGE),
          metadata: { ...listed(LARGE).metadata, deletionTimestamp: '2026-11-18T12:00:00Z', finalizers: ['x'] },
        },
      ],
    },
  ])('one that $name too', async ({ objects }) => {
    const cluster = clusterOf(...objects, aDaemonPod(), node('n1'))
    expect(await settled('daemonset-patches', cluster)).toEqual({ writes: [], reasons: [] })
  })

  it('a stale pod is marked, and a second pass writes nothing', async () => {
    const cluster = clusterOf(
      MUTATING_CONFIGURATION,
      listed(LARGE),
      aDaemonPod(),
      node('n1'),
      aDaemonPod({ node: 'n2', metadata: { ownerReferences: [] } }),
    )
    const { writes, reasons } = await settled('daemonset-patches', cluster, { forMs: 60_000 })
    expect(writes).toEqual(['merge DaemonSet', 'merge DaemonSet', 'merge Pod'])
    expect(reasons).toEqual(['NodePatchesRollout', 'NodePatchStale'])
    expect((await cluster.get(DAEMON_POD, POD))?.metadata.labels).toEqual({
      app: 'agent',
      [LABELS.revision]: 'h1-stale',
    })
    expect(await settled('daemonset-patches', cluster, { forMs: 60_000 })).toEqual({ writes: [], reasons: [] })
  })

  it('PATCH-ROLL-9 where the webhook is not registered no pod is, and its DaemonSet says so', async () => {
    const { writes, reasons } = await settled('daemonset-patches', clusterOf(listed(LARGE), aDaemonPod(), node('n1')))
    expect([writes, reasons]).toEqual([['merge DaemonSet', 'merge DaemonSet'], ['NodePatchWebhookBypassed']])
  })

  it('marks are followed where the list and its trace are gone', async () => {
    const cluster = clusterOf(aDaemonSet(), marked(aDaemonPod()), node('n1'))
    expect((await settled('daemonset-patches', cluster)).writes).toContain('merge Pod')
    expect((await cluster.get(DAEMON_POD, POD))?.metadata.labels?.[LABELS.revision]).toBe('h1')
  })

  it('a list that is gone leaves its pods to the template', async () => {
    const observed = aDaemonSet({ annotations: { [ANNOTATIONS.observed]: 'another' } })
    const cluster = clusterOf(MUTATING_CONFIGURATION, observed, aDaemonPod({ by: [LARGE] }), node('n1'))
    expect((await settled('daemonset-patches', cluster)).writes).toContain('merge Pod')
  })

  it('a pod that was updated in place is read whole', async () => {
    const image = anEntry({ spec: { containers: [{ name: 'agent', image: 'agent:patched' }] } })
    const pod = aDaemonPod({
      by: [image],
      with: { [LABELS.revision]: 'h2' },
      spec: { containers: [{ name: 'agent', image: 'agent:2' }] },
    })
    const cluster = clusterOf(MUTATING_CONFIGURATION, listed(image), pod, node('n1'))
    expect((await settled('daemonset-patches', cluster)).reasons).toContain('NodePatchesRollout')
    expect((await cluster.get(DAEMON_POD, POD))?.metadata.annotations?.[ANNOTATIONS.stale]).toContain(
      'InPlaceOverwritten',
    )
  })

  it('a DaemonSet of two versions belongs to the newer one', async () => {
    const of = (apiVersion: string) => ({ ...listed(LARGE), apiVersion })
    const at = new Date(MOMENT)
    const beta = clusterOf(of('apps.kruise.io/v1beta1'), aDaemonPod(), node('n1'))
    expect((await turnsOf(KRUISE?.name ?? '', beta)(KEY, at))?.actions).not.toEqual([])
    expect(await turnsOf(ALPHA?.name ?? '', beta)(KEY, at)).toBeUndefined()
  })
})

describe('PATCH-ROLL-1 a change of a Node wakes the DaemonSets for which other patches apply now', () => {
  const watch = NATIVE?.watches.find(({ resource: { kind } }) => kind === 'Node')
  const named = (name: string, ...entries: readonly object[]): Built => {
    const made = listed(...entries)
    return { ...made, metadata: { ...made.metadata, name } }
  }
  const all = [named('large', LARGE), named('small', entryFor('small')), named('both', LARGE, entryFor('small'))]
  const none = { ...aDaemonSet(), metadata: { name: 'none', namespace: 'demo' } }
  const woken = (before?: KubeObject, now?: KubeObject) =>
    wakesOf(watch, before, now, [...all, none]).map(({ name }) => name)

  it.each([
    {
      name: 'a label that decides',
      before: node('n', { disk: 'large' }),
      now: node('n', { disk: 'small' }),
      keys: ['large', 'small', 'both'],
    },
    {
      name: 'one that decides for some',
      before: node('n', { disk: 'large' }),
      now: node('n', {}),
      keys: ['large', 'both'],
    },
    {
      name: 'another label',
      before: node('n', { disk: 'large' }),
      now: node('n', { disk: 'large', rack: '1' }),
      keys: [],
    },
    { name: 'no label', before: node('n'), now: node('n'), keys: [] },
    { name: 'a new Node', before: undefined, now: node('n', {}), keys: ['large', 'small', 'both'] },
    { name: 'a Node that is gone', before: node('n'), now: undefined, keys: ['large', 'small', 'both'] },
  ])('$name', ({ before, now, keys }) => {
    expect(woken(before, now)).toEqual(keys)
  })

  it('a full pass wakes none by Nodes, since DaemonSets wake themselves', () => {
    expect(watch?.wakes(node('n'), { all: () => [KEY], referring: () => [KEY] })).toEqual([])
  })

  it('PATCH-T-42 among 100 DaemonSets with ten patches in less than 5 ms', () => {
    const ten = Array.from({ length: 10 }, (_, i) => ({ ...LARGE, selector: { matchLabels: { [`key-${i}`]: 'on' } } }))
    const hundred = Array.from({ length: 100 }, (_, i) => named(`d${i}`, ...ten))
    const labels = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`label-${i}`, String(i)]))
    const times = Array.from({ length: 20 }, (_, i) => {
      const began = performance.now()
      const keys = wakesOf(
        watch,
        node('n', { ...labels, own: `a${i}` }),
        node('n', { ...labels, 'key-3': 'on', own: `b${i}` }),
        hundred,
      )
      expect(keys).toHaveLength(100)
      return performance.now() - began
    })
    expect(Math.min(...times)).toBeLessThan(5)
  })
})

function wakesOf(
  watch: Watch | undefined,
  before: KubeObject | undefined,
  now: KubeObject | undefined,
  own: readonly Built[],
) {
  return watch?.wakesOnChange?.({ before, now }, () => own) ?? []
}
