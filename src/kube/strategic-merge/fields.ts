import notes from './fields.json' with { type: 'json' }
import type { FieldNotes } from './openapi.ts'

export type ScalarName = 'string' | 'boolean' | 'int32' | 'int64' | 'time' | 'quantity' | 'intOrString' | 'any'
export type FieldType =
  | { readonly is: ScalarName }
  | { readonly is: 'enum'; readonly values: readonly string[] }
  | { readonly is: 'map'; readonly values: FieldType }
  | ListType
  | { readonly is: 'object'; readonly name: string; readonly fields: () => PodFields }
export interface ListType {
  readonly is: 'list'
  readonly items: FieldType
  /** Atomic lists do not: a patch replaces them. */
  readonly merges: boolean
  /** The field that identifies an element; a merged list without one is a set of scalars. */
  readonly key?: string
}
export interface PodField {
  readonly type: FieldType
  readonly required: boolean
}
export type PodFields = ReadonlyMap<string, PodField>

const SCALARS: ReadonlySet<string> = new Set<ScalarName>([
  'string',
  'boolean',
  'int32',
  'int64',
  'time',
  'quantity',
  'intOrString',
  'any',
])
const NOTE = /^(.*?)(!?)$/
const LIST = /^\[(.+)\](?:(\+)(\w*))?$/
const MAP = /^\{(.+)\}$/

/** PodTemplateSpec as the release in `fields.json` has it. */
export const POD_FIELDS: FieldNotes = notes.types
export const POD_TEMPLATE: FieldType = podTemplateOf(POD_FIELDS)

/** The root of a table: a type reads its fields when it is first asked for them. */
export function podTemplateOf(types: FieldNotes): FieldType {
  const known = new Map<string, PodFields>()
  const fieldsOf = (name: string): PodFields => {
    const read =
      known.get(name) ?? new Map(Object.entries(types[name] ?? {}).map(([key, note]) => [key, fieldOf(note)]))
    known.set(name, read)
    return read
  }
  const fieldOf = (note: string): PodField => {
    const [, type = '', bang] = NOTE.exec(note) ?? []
    return { type: typeOf(type, fieldsOf), required: bang === '!' }
  }
  return typeOf('PodTemplateSpec', fieldsOf)
}

function typeOf(note: string, fieldsOf: (name: string) => PodFields): FieldType {
  const [, items, merges, key] = LIST.exec(note) ?? []
  if (items !== undefined) {
    return { is: 'list', items: typeOf(items, fieldsOf), merges: merges === '+', ...(key ? { key } : {}) }
  }
  const [, values] = MAP.exec(note) ?? []
  if (values !== undefined) return { is: 'map', values: typeOf(values, fieldsOf) }
  if (isScalarName(note)) return { is: note }
  if (note.includes('|')) return { is: 'enum', values: note.split('|') }
  return { is: 'object', name: note, fields: () => fieldsOf(note) }
}

function isScalarName(note: string): note is ScalarName {
  return SCALARS.has(note)
}

/** Both tables: fields and types of either, and of both where they differ the newer. */
export function united(older: FieldNotes, newer: FieldNotes): FieldNotes {
  const names = new Set([...Object.keys(older), ...Object.keys(newer)])
  return Object.fromEntries([...names].map((name) => [name, { ...older[name], ...newer[name] }]))
}

/** A field as the API server's decoder looks it up for a merge: in exact case, else in any. */
export function fieldIn(type: FieldType | undefined, key: string): PodField | undefined {
  if (type?.is !== 'object') return undefined
  const fields = type.fields()
  return fields.get(key) ?? [...fields].find(([name]) => folded(name) === folded(key))?.[1]
}

/** Go folds two letters beyond ASCII, `K` for Kelvin and the long `s`, to those of ASCII. */
export function folded(name: string): string {
  return name.toLowerCase().replaceAll('\u017f', 's')
}
