import { guardOf } from '../../kit/cloudflare.ts'
import type { KubeObject, Tree } from '../../kit/schema.ts'
import { conditionsOf, type Outlook } from '../conditions.ts'
import { type CloudflareCondition, conditionList } from '../fields.ts'
import { statusIn } from './seen.ts'

/** What all kinds report. Conditions of others stay as they are. */
export function statusFor(object: KubeObject, outlook: Outlook): Tree {
  const before = conditionsIn(object)
  const own = conditionsOf(before, outlook)
  const others = before.filter(({ type }) => !own.some((each) => each.type === type))
  return { conditions: [...own, ...others], observedGeneration: outlook.generation }
}

const areConditions = guardOf(conditionList)
export function conditionsIn(object: KubeObject): readonly CloudflareCondition[] {
  const { conditions } = statusIn(object)
  return areConditions(conditions) ? conditions : []
}
