import { isTerminating } from '../../../src/kube/metadata.ts'
import { type Found, isTree } from '../../kit/schema.ts'
import { componentIn } from '../list/hash.ts'
import { ANNOTATIONS, GATES, LABELS } from '../names.ts'
import type { StoredPod } from './pod-schema.ts'

/** The labels that a pod had before it was marked, and why it was. */
export interface StaleMark {
  readonly reason: string
  readonly at: number
  readonly revision: string
  readonly generation?: string
}
/** A pod of a DaemonSet, as the rollout sees it. */
export interface RolloutPod {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: number
  readonly node?: string
  /** Terminating or terminal: it needs no replacement by us. */
  readonly isEnding: boolean
  readonly readySince?: number
  readonly isInPlaceUpdating: boolean
  readonly lifecycle?: string
  /** The labels as its owner gave them, also while it is marked. */
  readonly revision: string
  readonly generation?: string
  readonly mark?: StaleMark
  readonly stamp?: string
  /** What was applied to it; empty without a stamp (PATCH-HASH-5). */
  readonly component: string
  readonly applied: string
  readonly templateHash?: string
}

export const STALE = '-stale'

export function rolloutPodOf(pod: Found<StoredPod>): RolloutPod {
  const { name, namespace = '', uid = '', resourceVersion = '', annotations, labels } = pod.metadata
  const mark = markIn(pod)
  const node = targetNode(pod)
  const readySince = readySinceOf(pod)
  const stamp = annotations?.[ANNOTATIONS.combinedHash]
  const templateHash = annotations?.[ANNOTATIONS.templateHash]
  const lifecycle = labels?.[LABELS.lifecycle]
  const generation = mark === undefined ? labels?.[LABELS.generation] : mark.generation
  return {
    ...{ name, namespace, uid, resourceVersion },
    createdAt: millisOf(pod.metadata.creationTimestamp),
    isEnding: isTerminating(pod) || ['Failed', 'Succeeded'].includes(pod.status?.phase ?? ''),
    isInPlaceUpdating: isInPlaceUpdating(pod),
    revision: mark?.revision ?? labels?.[LABELS.revision] ?? '',
    component: componentIn(stamp),
    applied: annotations?.[ANNOTATIONS.applied] ?? '',
    ...(node !== undefined && { node }),
    ...(readySince !== undefined && { readySince }),
    ...(mark && { mark }),
    ...(generation !== undefined && { generation }),
    ...(stamp !== undefined && { stamp }),
    ...(templateHash !== undefined && { templateHash }),
    ...(lifecycle !== undefined && { lifecycle }),
  }
}

const millisOf = (time: string | null | undefined) => Date.parse(time ?? '') || 0

/** The Node that it is bound to, or will be: one value of one requirement on the name (spec 1.3). */
function targetNode({ spec }: Found<StoredPod>): string | undefined {
  if (spec?.nodeName) return spec.nodeName
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const byName = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In')
  return byName?.values?.length === 1 ? byName.values[0] : undefined
}

function readySinceOf({ status }: Found<StoredPod>): number | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' ? millisOf(ready.lastTransitionTime) : undefined
}

/** OpenKruise changes it now, and its gate is closed meanwhile. */
function isInPlaceUpdating({ spec, status }: Found<StoredPod>): boolean {
  const [gate] = GATES
  if (spec?.readinessGates?.some(({ conditionType }) => conditionType === gate) !== true) return false
  return status?.conditions?.find(({ type }) => type === gate)?.status !== 'True'
}

/** A pod whose label somebody has changed since is marked no more (PATCH-ROLL-7). */
function markIn({ metadata: { labels, annotations } }: Found<StoredPod>): StaleMark | undefined {
  const label = labels?.[LABELS.revision] ?? ''
  const text = annotations?.[ANNOTATIONS.stale]
  if (text === undefined || !label.endsWith(STALE)) return undefined
  const { reason, at, labels: saved } = parsed(text)
  const { [LABELS.revision]: revision, [LABELS.generation]: generation } = isTree(saved) ? saved : {}
  return {
    reason: textOf(reason) ?? '',
    at: millisOf(textOf(at)),
    revision: textOf(revision) ?? label.slice(0, -STALE.length),
    ...(typeof generation === 'string' && { generation }),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** Others may have written it. */
function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return isTree(value) ? value : {}
  } catch {
    return {}
  }
}
