import type { Words } from '../kit/schema.ts'
import type { Metric, Sample } from '../kit/telling.ts'
import { DAEMONSETS } from './daemonsets.ts'

/** The DaemonSet that a series is of; its labels are empty where it is not known. */
export interface Measured {
  readonly group: string
  readonly namespace: string
  readonly daemonset: string
}
const OF_DAEMONSET = ['group', 'namespace', 'daemonset'] as const
const UNKNOWN: Measured = { group: '', namespace: '', daemonset: '' }

function about({ group, namespace = '', daemonset: name = '' }: Words) {
  const versions = name === '' ? [] : DAEMONSETS.filter((each) => each.group === group)
  return versions.map((of) => ({ of, ref: { namespace, name } }))
}

const APPLIED: Metric = {
  name: 'daemonset_patches_applied_total',
  type: 'counter',
  labels: [...OF_DAEMONSET, 'index'],
  help: 'Node patches applied to admitted pods, by their place in the list.',
  about,
}
const ERRORS: Metric = {
  name: 'daemonset_patches_errors_total',
  type: 'counter',
  labels: [...OF_DAEMONSET, 'stage', 'reason'],
  help: 'Node patches that could not be read, found or applied.',
  about,
}
const DURATION: Metric = {
  name: 'daemonset_patches_duration_seconds',
  type: 'histogram',
  labels: ['stage'],
  help: 'Time to select and to merge node patches, and of whole reviews.',
  buckets: [0.00005, 0.0001, 0.00025, 0.0005, 0.00075, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
}
const STALE: Metric = {
  name: 'daemonset_patches_stale_pods',
  type: 'gauge',
  labels: [...OF_DAEMONSET, 'reason'],
  help: 'Pods that were made with other node patches than their DaemonSet calls for now.',
  about,
}
const MARKS: Metric = {
  name: 'daemonset_patches_marks_total',
  type: 'counter',
  labels: ['action'],
  help: 'Pods marked as outdated, taken back, deleted, and stamped again.',
}
const SUPPORTED: Metric = {
  name: 'daemonset_patches_crd_supported',
  type: 'gauge',
  labels: ['version', 'result'],
  help: '1 for what becomes of spec.patches in each served version of apps.kruise.io.',
}
export const METRICS: readonly Metric[] = [APPLIED, ERRORS, DURATION, STALE, MARKS, SUPPORTED]

export type ErrorStage = 'validate' | 'admit' | 'reconcile'
export type ErrorReason =
  | 'parse'
  | 'bad_selector'
  | 'too_large'
  | 'merge'
  | 'invariant'
  | 'selector_mismatch'
  | 'no_target_node'
  | 'node_not_found'
  | 'node_lookup'
  | 'owner_lookup'
  | 'bypassed'
  | 'api'
export type TimedStage = 'match' | 'merge' | 'admit_total' | 'validate_total'
export type MarkKind = 'mark' | 'unmark' | 'delete' | 'restamp'
const RESULTS = ['kept', 'pruned', 'stripped', 'unknown'] as const

export function applied(of: Measured, index: number): Sample {
  return { metric: APPLIED, labels: { ...of, index: String(index) }, value: 1 }
}
export function failure(stage: ErrorStage, reason: ErrorReason, of: Measured = UNKNOWN): Sample {
  return { metric: ERRORS, labels: { ...of, stage, reason }, value: 1 }
}
export function stalePods(of: Measured, reason: string, value: number): Sample {
  return { metric: STALE, labels: { ...of, reason }, value }
}
export function marked(action: MarkKind): Sample {
  return { metric: MARKS, labels: { action }, value: 1 }
}
/** Every result of the version, so that the last one goes back to zero; absent where it is not served. */
export function supported(version: string, result: (typeof RESULTS)[number] | undefined): readonly Sample[] {
  return RESULTS.map((each) => ({
    metric: SUPPORTED,
    labels: { version, result: each },
    value: each === result ? 1 : 0,
  }))
}

export const timing = (stage: TimedStage) => ({ metric: DURATION, labels: { stage } })

/** Runs one stage and tells how long it took; where nothing is measured it tells nothing. */
export function timed<T>(stage: TimedStage, tick: (() => number) | undefined, act: () => T): Timed<T> {
  if (tick === undefined) return { result: act(), samples: [] }
  const began = tick()
  const result = act()
  return { result, samples: [{ ...timing(stage), value: (tick() - began) / 1_000 }] }
}
interface Timed<T> {
  readonly result: T
  readonly samples: readonly Sample[]
}
