export type { Create, Delete, DraftChange, Update } from '../../src/admission/change.ts'
export type { Consequence, FollowUp, Intent } from '../../src/admission/consequence.ts'
export type { Door } from '../../src/admission/door.ts'
export type { Removal } from '../../src/admission/mutating.ts'
export {
  type Advice,
  annotation,
  drop,
  dropAnnotation,
  dropLabel,
  label,
  type Mutation,
  type Refusal,
  set,
} from '../../src/admission/mutation.ts'
export { becomes } from '../../src/admission/overruled.ts'
export { type Edit, isSame, pointerTo } from '../../src/admission/patch.ts'
export type { Probe } from '../../src/admission/probe.ts'
export {
  ask,
  effectOf,
  type Finding,
  type Findings,
  type Rule,
  type RuleWords,
  remedyOf,
  valueAt,
} from '../../src/admission/rule.ts'
export { warningsOf } from '../../src/admission/warnings.ts'
export { someOf } from '../../src/admission/wording.ts'
export { defineKind, type Kind } from '../../src/kind.ts'
