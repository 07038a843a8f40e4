import { isTree, type JsonSchema, type Tree } from '../schema.ts'
import { childSchema } from '../schema-check.ts'
import type { AuthoredObject } from './objects.ts'

/** A copy that rules can judge although the schema refuses the object, and the paths where the two differ. */
export interface Filled {
  readonly copy: AuthoredObject
  readonly misfits: readonly string[]
}

/**
 * A field of a wrong type is left out, and an item of a list gets something in its place and for what it lacks. What an
 * object lacks elsewhere stays missing: a mutation may fill it in.
 */
export function filled(object: AuthoredObject, schema: JsonSchema): Filled {
  const misfits: string[] = []
  const { apiVersion, kind, metadata, ...rest } = object
  return {
    copy: { ...treeIn(rest, { schema, at: '', isInList: false, misfits }), apiVersion, kind, metadata },
    misfits,
  }
}

interface FilledPlace {
  readonly schema: JsonSchema
  readonly at: string
  /** In an item of a list, at any depth. */
  readonly isInList: boolean
  readonly misfits: string[]
}

function treeIn(value: Tree, place: FilledPlace): Tree {
  const { schema, at, isInList } = place
  const { required = [], additionalProperties } = schema
  const lacking = isInList ? required.filter((key) => value[key] === undefined) : []
  const fields = [...Object.keys(value), ...lacking].map((key) => {
    const field = additionalProperties === undefined ? `${at}.${key}`.replace(/^\./, '') : `${at}[${key}]`
    const its = childSchema(schema, key)
    const mustBe = isInList && required.includes(key)
    return [key, its === undefined ? value[key] : valueIn(value[key], { ...place, schema: its, at: field }, mustBe)]
  })
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

function valueIn(value: unknown, place: FilledPlace, mustBe: boolean): unknown {
  const { schema, at, misfits } = place
  if (value === null && !mustBe) return value
  if (!isOfType(value, schema)) {
    misfits.push(at)
    return mustBe ? valueIn(placeholderOf(schema), place, true) : undefined
  }
  const { items } = schema
  if (Array.isArray(value) && items !== undefined)
    return value.map((item, i) => valueIn(item, { ...place, schema: items, at: `${at}[${i}]`, isInList: true }, true))
  return isTree(value) ? treeIn(value, place) : value
}

const TYPES = {
  object: { has: isTree, empty: {} },
  array: { has: Array.isArray, empty: [] },
  integer: { has: Number.isInteger, empty: 0 },
  boolean: { has: (value: unknown) => typeof value === 'boolean', empty: false },
  string: { has: (value: unknown) => typeof value === 'string', empty: '' },
  integerOrText: { has: (value: unknown) => Number.isInteger(value) || typeof value === 'string', empty: '' },
} as const

function isOfType(value: unknown, { type, nullable }: JsonSchema): boolean {
  return value === null ? nullable === true : TYPES[type ?? 'integerOrText'].has(value)
}

function placeholderOf({ type, enum: [first] = [], minimum }: JsonSchema): unknown {
  return first ?? minimum ?? TYPES[type ?? 'integerOrText'].empty
}
