import type { OwnRule } from './case.ts'
import { nameRules } from './validate-names.ts'
import { specRules } from './validate-spec.ts'
import { valueRule } from './validate-values.ts'
import { wrapperRule } from './validate-wrapper.ts'

/** All that is refused of a Nacos by itself: at the door, and by the worker where the webhook was away (NC-REC-12). */
export const ownRules: readonly OwnRule[] = [...nameRules, ...specRules, wrapperRule, valueRule]
