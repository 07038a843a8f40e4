export type { Brew, Create, Delete, Update } from '../src/admission/change.ts'
export type { Door } from '../src/admission/door.ts'
export {
  drop,
  dropLabel,
  label,
  type Mutation,
  set,
} from '../src/admission/mutation.ts'
export type { Finding, Findings, Rule } from '../src/admission/rule.ts'
export { someOf } from '../src/admission/wording.ts'
export {
  type ClusterReader,
  type Found,
  type KubeObject,
  resource,
} from '../src/cluster/port.ts'
export {
  type Definition,
  defineKind,
  type Kind,
  type Read,
} from '../src/kind.ts'
export { isLabelValue, LABEL_VALUE_LENGTH } from '../src/kube/labels.ts'
export { SUBDOMAIN_LENGTH, SUBDOMAIN_OR_EMPTY } from '../src/kube/names.ts'
export {
  choice,
  flag,
  integer,
  list,
  map,
  object,
  type Shape,
  text,
} from '../src/schema.ts'
