import type { Findings } from '../../../kit/admission.ts'
import type { Notice } from '../../../kit/controller.ts'
import type { Gvr } from '../../../kit/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../workloads.ts'
import { misnamed, overlong } from '../identity.ts'
import { sameHostPorts, sameNames } from '../ports.ts'
import type { TServer } from '../schema.ts'
import { isTars, placesOf } from '../shape.ts'
import { rules } from '../validate.ts'

/** What is wrong with a server that was stored while the webhook was away, and what is not made of it therefore. */
export interface ServerFault {
  readonly rule: string
  /** All objects when absent. */
  readonly holds?: readonly Gvr[]
  readonly in: (server: TServer) => Findings
}

/**
 * Under a wrong name, a second server would select the pods of another one; the API server refuses the rest. What it
 * refuses for another reason is known by its answer (MP-36).
 */
const FAULTS: readonly ServerFault[] = [
  { rule: 'TS-V6', in: misnamed },
  { rule: 'TS-V7', in: overlong },
  { rule: 'TS-V8', holds: [SERVICE], in: ({ spec }) => (isTars(spec) ? sameNames(placesOf(spec)) : []) },
  { rule: 'TS-V12', holds: [SERVICE], in: ({ spec }) => (isTars(spec) ? [] : sameNames(placesOf(spec))) },
  { rule: 'TS-V17', holds: [STATEFULSET, DAEMONSET], in: ({ spec }) => sameHostPorts(spec) },
]

export const faultsOf = (server: TServer) => FAULTS.filter((fault) => fault.in(server).length > 0)

/** In the words of the rule. */
export function faultNotice({ rule, in: findingsIn }: ServerFault, server: TServer): Notice {
  const { message } = rules.find(({ id }) => id === rule) ?? {}
  const texts = findingsIn(server).map((finding) => `${finding.path}: ${message?.(finding)}`)
  return { type: 'Warning', reason: 'RuleBroken', message: `${texts.join('; ')} (${rule})` }
}
