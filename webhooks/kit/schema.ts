export { isUnanswered } from '../../src/admission/verdict.ts'
export {
  type ClusterReader,
  type Found,
  type Gvr,
  type KubeObject,
  Refused,
  type Resource,
  type Where,
  type Words,
} from '../../src/cluster/port.ts'
export { resource } from '../../src/cluster/resource.ts'
export { isStored } from '../../src/cluster/stored.ts'
export { Fault } from '../../src/faults.ts'
export {
  anyObject,
  atomic,
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
  nullable,
  object,
  oneOf,
  type Shape,
  secret,
  type Tree,
  text,
  usually,
} from '../../src/schema.ts'
export { type Settings, setting } from '../../src/setting.ts'
