import { describe, expect, it } from 'vitest'
import {
  applied,
  failure,
  METRICS,
  marked,
  stalePods,
  supported,
  timed,
  timing,
} from '../../../webhooks/kruise/metrics.ts'

const AGENT = { group: 'apps', namespace: 'demo', daemonset: 'agent' }
const plain = ({ metric, ...rest }: ReturnType<typeof applied>) => ({ name: metric.name, ...rest })
const named = (name: string) => METRICS.find((each) => each.name === name)

describe('the metrics of node patches', () => {
  it('have the names and labels of the specification, and the prefix of the family', () => {
    expect(METRICS.map(({ name, type, labels }) => [name, type, labels.join()])).toEqual([
      ['daemonset_patches_applied_total', 'counter', 'group,namespace,daemonset,index'],
      ['daemonset_patches_errors_total', 'counter', 'group,namespace,daemonset,stage,reason'],
      ['daemonset_patches_duration_seconds', 'histogram', 'stage'],
      ['daemonset_patches_stale_pods', 'gauge', 'group,namespace,daemonset,reason'],
      ['daemonset_patches_marks_total', 'counter', 'action'],
      ['daemonset_patches_crd_supported', 'gauge', 'version,result'],
    ])
    expect(named('daemonset_patches_duration_seconds')?.buckets).toEqual([
      0.00005, 0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1,
    ])
  })

  it('count with all of their labels', () => {
    const samples = [
      applied(AGENT, 3),
      failure('admit', 'merge', AGENT),
      failure('admit', 'owner_lookup'),
      stalePods(AGENT, 'PatchChanged', 2),
      marked('unmark'),
      ...supported('v1beta1', 'pruned'),
    ]
    expect(samples.map(plain)).toMatchObject([
      { name: 'daemonset_patches_applied_total', labels: { ...AGENT, index: '3' }, value: 1 },
      { labels: { ...AGENT, stage: 'admit', reason: 'merge' }, value: 1 },
      { labels: { group: '', namespace: '', daemonset: '', stage: 'admit', reason: 'owner_lookup' }, value: 1 },
      { labels: { ...AGENT, reason: 'PatchChanged' }, value: 2 },
      { labels: { action: 'unmark' }, value: 1 },
      { labels: { version: 'v1beta1', result: 'kept' }, value: 0 },
      { labels: { version: 'v1beta1', result: 'pruned' }, value: 1 },
      { labels: { version: 'v1beta1', result: 'stripped' }, value: 0 },
      { labels: { version: 'v1beta1', result: 'unknown' }, value: 0 },
    ])
    for (const { metric, labels } of samples) expect(Object.keys(labels).sort()).toEqual([...metric.labels].sort())
  })

  it.each([
    { of: AGENT, versions: ['v1'] },
    { of: { ...AGENT, group: 'apps.kruise.io' }, versions: ['v1beta1', 'v1alpha1'] },
    { of: undefined, versions: [] },
  ])('are series of a DaemonSet in $versions', ({ of, versions }) => {
    const { metric, labels } = failure('reconcile', 'api', of)
    const found = metric.about?.(labels) ?? []
    expect(found.map((each) => each.of.version)).toEqual(versions)
    for (const { ref } of found) expect(ref).toEqual({ namespace: 'demo', name: 'agent' })
  })

  it('time a stage by the clock that they are handed, and nothing without one', () => {
    const ticks = [1_000, 1_002]
    const { result, samples } = timed(
      'merge',
      () => ticks.shift() ?? 0,
      () => 'merged',
    )
    expect(result).toBe('merged')
    expect(samples).toEqual([{ ...timing('merge'), value: 0.002 }])
    expect(timed('merge', undefined, () => 'merged')).toEqual({ result: 'merged', samples: [] })
  })
})
