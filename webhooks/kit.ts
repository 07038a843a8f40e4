export type { Brew, Create, Delete, Update } from '../src/admission/change.ts'
export type { Consequence, Intent, Outcome } from '../src/admission/consequence.ts'
export type { Door } from '../src/admission/door.ts'
export {
  type Advice,
  annotation,
  drop,
  dropAnnotation,
  dropLabel,
  label,
  type Means,
  type Mutation,
  type Refusal,
  set,
} from '../src/admission/mutation.ts'
export { becomes } from '../src/admission/overruled.ts'
export { type Edit, isSame, pointerTo } from '../src/admission/patch.ts'
export {
  ask,
  effectOf,
  type Finding,
  type Findings,
  type Rule,
  type RuleWords,
  remedyOf,
  valueAt,
} from '../src/admission/rule.ts'
export { warningsOf } from '../src/admission/warnings.ts'
export { someOf } from '../src/admission/wording.ts'
export {
  type ClusterReader,
  type Found,
  type Gvr,
  type KubeObject,
  type Resource,
  resource,
  type Where,
  type Words,
} from '../src/cluster/port.ts'
export {
  defineKind,
  type Kind,
  type Removal,
} from '../src/kind.ts'
export { crc32Of, md5Of, sha1Of } from '../src/kube/digests.ts'
export { isLabelValue, LABEL_VALUE_LENGTH } from '../src/kube/labels.ts'
export { isGoing, LAST_APPLIED } from '../src/kube/metadata.ts'
export { SUBDOMAIN, SUBDOMAIN_LENGTH, SUBDOMAIN_ONLY, SUBDOMAIN_OR_EMPTY } from '../src/kube/names.ts'
export {
  choice,
  type Draft,
  type Field,
  flag,
  integer,
  integerOrText,
  isTree,
  LONGEST_LIST,
  list,
  map,
  moment,
  object,
  oneOf,
  type Shape,
  secret,
  text,
  usually,
} from '../src/schema.ts'
