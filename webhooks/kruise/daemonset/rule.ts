import type { Finding, Findings, Rule } from '../../kit/admission.ts'
import type { ClusterReader, KubeObject } from '../../kit/schema.ts'
import { isGateOn } from '../gate.ts'
import { type DaemonSetWrite, isUntouched } from './case.ts'
import { measuresOf } from './measures.ts'

/** What a rule on patches states beside its check. */
export interface PatchRuleParts {
  readonly id: string
  /** The field within the list: `[].selector`. */
  readonly field?: string
  readonly remedy: string
  /** Its texts, for docs/rules.md. */
  readonly says: readonly string[]
  readonly effect?: 'warn'
  /** PATCH-RAT-4 */
  readonly evenGateOff?: true
}

const message = ({ value = '' }: Finding) => `${value}`

/**
 * A rule runs on each write but one that changes nothing of what the patches act on (PATCH-RAT-1). What stood before
 * warns and is not dropped (PATCH-RAT-2), so the machine does not ratchet. The Nodes come from the cache, since a live
 * list of them for each refusal costs too much.
 */
export function patchRule(
  { field = '', says, evenGateOff, ...stated }: PatchRuleParts,
  check: (given: DaemonSetWrite, cluster: ClusterReader) => Findings | Promise<Findings>,
): Rule<KubeObject> {
  const path = `spec.patches${field}`
  return {
    ...stated,
    field: path,
    on: 'write',
    always: true,
    cached: true,
    when: (given) => (evenGateOff === true || isGateOn(given.settings)) && !isUntouched(given),
    check,
    measures: measuresOf(stated.id),
    message,
    examples: says.map((value) => ({ path, value })),
  }
}

/** PATCH-RAT-4: with the gate off the few rules that still run warn. */
export function effectIn({ settings }: DaemonSetWrite): Pick<Finding, 'effect'> {
  return isGateOn(settings) ? {} : { effect: 'warn' }
}
