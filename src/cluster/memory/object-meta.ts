import { Ajv, type ErrorObject } from 'ajv'
import { flag, integer, isTree, list, map, object, type Shape, type Tree, text } from '../../schema.ts'
import { draftOf, unknownFields } from '../../schema-check.ts'
import { defaulted, pruned, withoutNulls } from './structural-schema.ts'

const word = text({ doc: 'Any text.' })
const words = map(text({ default: '', doc: 'Value; null is the empty text.' }), { doc: 'Texts by key.' })
const owner = object(
  {},
  {
    apiVersion: word,
    kind: word,
    name: word,
    uid: word,
    controller: flag({ doc: 'Whether it is the one that manages the object.' }),
    blockOwnerDeletion: flag({ doc: 'Whether it waits for the object.' }),
  },
)
/** All fields of ObjectMeta but managedFields, which the memory cluster does not track. */
export const objectMeta = object(
  {},
  {
    name: word,
    generateName: word,
    namespace: word,
    uid: word,
    resourceVersion: word,
    selfLink: word,
    generation: integer({ doc: 'Counts the changes beside metadata.' }),
    creationTimestamp: word,
    deletionTimestamp: word,
    deletionGracePeriodSeconds: integer({ doc: 'Zero for all that is no pod.' }),
    labels: words,
    annotations: words,
    finalizers: list(word, { doc: 'Who has to let go before the object does.' }),
    ownerReferences: list(owner, { doc: 'Whose deletion takes the object along.' }),
  },
)
export type ObjectMeta = Shape<typeof objectMeta>

export interface ReadMeta {
  readonly metadata: ObjectMeta
  readonly unknownFields: readonly string[]
  /** Why decoding fails, in the words of Go's decoder. */
  readonly malformed?: string
}

const check = new Ajv({ strictTypes: false, verbose: true, meta: false, validateSchema: false }).compile(
  draftOf(objectMeta.json),
)
const isObjectMeta = (value: unknown): value is ObjectMeta => check(value)

/** Decodes metadata as the API server does: empty fields are absent. */
export function readMeta(written: unknown): ReadMeta {
  const fields = written ?? {}
  if (!isTree(fields)) return unreadable(`${given(fields)} into Go value of type v1.ObjectMeta`)
  const { managedFields: _, ...rest } = fields
  const { json } = objectMeta
  const metadata = withoutEmpty(defaulted(withoutNulls(pruned(rest, json), json), json))
  if (!isObjectMeta(metadata)) return unreadable(wrongField(check.errors?.[0]))
  return { metadata, unknownFields: unknownFields(rest, json, 'metadata') }
}

/** For metadata that was decoded before and that only our own code has changed since. */
export function metaOf(metadata: unknown): ObjectMeta {
  return readMeta(metadata).metadata
}

function withoutEmpty(metadata: unknown): Tree {
  const fields = isTree(metadata) ? Object.entries(metadata) : []
  return Object.fromEntries(fields.filter(([, value]) => !isEmpty(value)))
}
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === undefined || value === null || value === '' || (isTree(value) && Object.keys(value).length === 0)
}

const unreadable = (what: string): ReadMeta => ({
  metadata: {},
  unknownFields: [],
  malformed: `json: cannot unmarshal ${what}`,
})

const GO_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int64',
  boolean: 'bool',
  object: 'map[string]string',
  array: '[]string',
}
function wrongField({ instancePath = '', data, params = {} }: Partial<ErrorObject> = {}): string {
  const [, field] = instancePath.split('/')
  return `${given(data)} into Go struct field ObjectMeta.${field} of type ${GO_TYPES[params.type]}`
}

function given(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}
