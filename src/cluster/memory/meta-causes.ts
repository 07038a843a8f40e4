import { againstKey, againstLabelValue, againstName } from '../../kube/qualified-names.ts'
import type { Cause } from '../../kube/status.ts'
import { forbidden, invalid, required, tooLong } from '../api-words/causes.ts'
import type { Gvr } from '../port.ts'
import type { ObjectMeta } from './object-meta.ts'

const ANNOTATIONS_BYTES = 256 * 1024

/** The API server's objections to the metadata of any object. */
export function metaCauses({ scope }: Gvr, metadata: ObjectMeta): readonly Cause[] {
  const { name, generateName, labels = {}, annotations = {}, finalizers = [] } = metadata
  return [
    ...(generateName === undefined
      ? []
      : say('metadata.generateName', generateName, againstName(likeName(generateName)))),
    ...(name === undefined ? [NAMELESS] : say('metadata.name', name, againstName(name))),
    ...misplaced(scope, metadata.namespace),
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...say('metadata.labels', key, againstKey(key)),
      ...say('metadata.labels', value, againstLabelValue(value)),
    ]),
    ...Object.keys(annotations).flatMap((key) => say('metadata.annotations', key, againstKey(key.toLowerCase()))),
    ...(sizeOf(annotations) > ANNOTATIONS_BYTES ? [tooLong('metadata.annotations', ANNOTATIONS_BYTES)] : []),
    ...lonelyOwners(metadata),
    ...finalizers.flatMap((each) => say('metadata.finalizers', each, againstKey(each))),
  ]
}

/** generateName may end with a dash, since more characters follow. */
const likeName = (generateName: string) => generateName.replace(/.-$/, 'a')
const NAMELESS = required('metadata.name', 'name or generateName is required')

function say(field: string, value: string, found: readonly string[]): readonly Cause[] {
  return found.map((words) => invalid(field, value, words))
}

function misplaced(scope: Gvr['scope'], namespace: string | undefined): readonly Cause[] {
  if (scope === 'Namespaced') return namespace === undefined ? [required('metadata.namespace')] : []
  return namespace === undefined ? [] : [forbidden('metadata.namespace', 'not allowed on this type')]
}

function lonelyOwners({ ownerReferences = [] }: ObjectMeta): readonly Cause[] {
  const at = (field: string) => `metadata.ownerReferences.${field}`
  return ownerReferences.flatMap(({ apiVersion, kind, name, uid }) => [
    ...(apiVersion ? [] : [invalid(at('apiVersion'), '', 'version must not be empty')]),
    ...Object.entries({ kind, name, uid }).flatMap(([field, value]) =>
      value ? [] : [invalid(at(field), '', 'must not be empty')],
    ),
  ])
}

function sizeOf(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce((sum, [key, value]) => sum + Buffer.byteLength(key + value), 0)
}

const IMMUTABLE = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp'] as const

/** The API server's objections to an update of metadata. */
export function metaUpdateCauses(next: ObjectMeta, prev: ObjectMeta): readonly Cause[] {
  const changed = IMMUTABLE.filter((field) => next[field] !== prev[field])
  return [...newFinalizers(next, prev), ...changed.map((field) => immutable(`metadata.${field}`, next[field]))]
}

const immutable = (field: string, value: string | undefined) => invalid(field, value ?? null, 'field is immutable')

function newFinalizers({ finalizers = [] }: ObjectMeta, prev: ObjectMeta): readonly Cause[] {
  const before = new Set(prev.finalizers)
  const added = finalizers.filter((each) => !before.has(each)).sort()
  if (prev.deletionTimestamp === undefined || added.length === 0) return []
  const list = `[]string{${added.map((each) => JSON.stringify(each)).join(', ')}}`
  const why = 'no new finalizers can be added if the object is being deleted, found new finalizers'
  return [forbidden('metadata.finalizers', `${why} ${list}`)]
}
