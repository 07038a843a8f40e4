import { remedyOf } from '../../../kit/admission.ts'
import type { Nacos } from '../schema.ts'
import { OWNERS, refField } from '../shape.ts'
import { ownRules } from '../validate-own.ts'
import type { NacosSeen } from './seen.ts'
import { standingIn } from './standing.ts'

/** What admission would have refused, had it been there: children are not built of it (NC-REC-12). */
export function specProblems(seen: Pick<NacosSeen, 'nacos' | 'statefulSet'>): readonly string[] {
  const prev = standingIn(seen)
  const states = { next: withoutNameless(seen.nacos), ...(prev && { prev }) }
  return ownRules
    .filter(({ when }) => when?.(states) !== false)
    .flatMap((rule) =>
      rule
        .check(states)
        .filter(({ effect }) => effect !== 'warn')
        .map((finding) => `${finding.path}: ${rule.message(finding)}; ${remedyOf(rule, finding)} (${rule.id})`),
    )
}

/** A reference without a name that is stored counts as absent (NC-MRG-01). */
function withoutNameless(nacos: Nacos): Nacos {
  const { spec = {} } = nacos
  const absent = OWNERS.map(refField).filter((field) => !spec[field]?.name)
  return { ...nacos, spec: { ...spec, ...Object.fromEntries(absent.map((field) => [field, undefined])) } }
}
