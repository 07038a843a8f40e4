import type { Advice, Finding, Refusal, RuleWords } from '../../kit/admission.ts'
import type { Settings } from '../../kit/schema.ts'
import { ANNOTATIONS } from '../names.ts'
import { POD_FAILURE_POLICY } from '../settings.ts'
import { type Origin, tellFailure } from './notices.ts'

/** Why patches cannot be applied to a pod, in the word of the metric. */
export type Hindrance =
  | 'owner_lookup'
  | 'no_target_node'
  | 'node_not_found'
  | 'node_lookup'
  | 'merge'
  | 'selector_mismatch'

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly reason: Hindrance

  constructor(reason: Hindrance, text: string, node?: string) {
    super(node === undefined ? text : `node ${node}: ${text}`)
    this.reason = reason
  }
}

const says = ({ value = '<problem>' }: Finding) => `${value}`
const LOOK_UP: RuleWords = {
  id: 'PATCH-POD-30',
  on: 'create',
  field: 'daemonset <namespace>/<name>',
  reason: 'Unavailable',
  message: says,
  remedy: 'its controller tries again',
}
/** A pod with half of its patches, or with none, is not what the author asked for. */
export const UNPATCHED: RuleWords = {
  ...LOOK_UP,
  reason: 'Invalid',
  examples: [{ path: 'daemonset <namespace>/<name>', value: 'node <node>: patch <index>: <problem>' }],
  remedy: `correct the patches, or set annotation ${ANNOTATIONS.failurePolicy} to Open`,
}
const OF_CONTENT: readonly Hindrance[] = ['merge', 'selector_mismatch']

/** PATCH-POD-30, or PATCH-POD-32 where the DaemonSet or the operator prefers a pod without patches to none. */
export function refused({ reason, message: value }: Problem, origin: Origin, settings: Settings): Advice | Refusal {
  const path = `daemonset ${origin.namespace}/${origin.name}`
  const told = tellFailure(reason, 'NodePatchFailed', value, origin)
  if (isOpen(origin, settings))
    return {
      ...told,
      edits: [],
      doubtful: true,
      warnings: [`${path}: ${value}; the pod has no patches`],
      audit: { unpatched: reason },
    }
  return { ...told, refuse: OF_CONTENT.includes(reason) ? UNPATCHED : LOOK_UP, findings: [{ path, value }] }
}

function isOpen({ daemonSet }: Origin, settings: Settings): boolean {
  const chosen = daemonSet?.metadata.annotations?.[ANNOTATIONS.failurePolicy]
  return chosen === 'Open' || (chosen !== 'Closed' && settings.get(POD_FAILURE_POLICY) === 'Open')
}
