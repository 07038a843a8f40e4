import { isSame } from '../../../kit/admission.ts'
import type { Performed, Result } from '../../../kit/controller.ts'
import type { Tree } from '../../../kit/schema.ts'
import { isTree } from '../../../kit/schema.ts'
import { CONFIG_MAP, NACOS_STATEFULSET } from '../../kubernetes.ts'
import { templateOf } from '../objects/main-container.ts'
import { holdOn } from '../objects/metadata.ts'
import type { Confirmation } from '../reconcile/confirm.ts'
import type { NacosSeen, Whole } from '../reconcile/seen.ts'
import { NACOS } from '../schema.ts'

/** What the turn has come to, from the answers of the API server. */
export interface EndedTurn {
  readonly statefulSet: Whole | undefined
  readonly isTemplateChanged: boolean
  readonly isConfigWritten: boolean
  /** What the API server refused or could not do, in its words (NC-STS-45, NC-REC-03). */
  readonly refusals: readonly string[]
  /** What was found in place of the configuration that was written (NC-DIG-02). */
  readonly disturbance: string | undefined
}

export function endedAs(
  { nacos, statefulSet: before }: NacosSeen,
  results: readonly Result<Confirmation>[],
): EndedTurn {
  const answer = answerOf(results)
  const mine = before !== undefined && holdOn(before, nacos) === 'ours' ? before : undefined
  return {
    statefulSet: answer ?? mine,
    isTemplateChanged: answer !== undefined && !isSame(templateOf(answer), templateOf(before)),
    isConfigWritten: results.some(
      ({ action, outcome }) =>
        'of' in action && action.of === CONFIG_MAP && action.do === 'apply' && outcome === 'done',
    ),
    refusals: results.flatMap(({ action, outcome, message = '' }) =>
      isRefusal(outcome) && 'of' in action && action.of !== NACOS ? [`${action.of.kind}: ${message}`] : [],
    ),
    disturbance: results.find(({ action, outcome }) => action.do === 'confirm' && outcome === 'refused')?.message,
  }
}

const isRefusal = (outcome: Performed['outcome']) => outcome === 'refused' || outcome === 'failed'

function answerOf(results: readonly Result<Confirmation>[]): Whole | undefined {
  const applied = results.find(
    ({ action, outcome }) => outcome === 'done' && 'of' in action && action.of === NACOS_STATEFULSET,
  )
  const answer: Tree | undefined = applied?.answer
  return isWhole(answer) ? answer : undefined
}
const isWhole = (answer: Tree | undefined): answer is Whole => answer !== undefined && isTree(answer.metadata)
