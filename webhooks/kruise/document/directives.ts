import { DELETE_FROM, PATCH, RETAIN_KEYS, SET_ORDER } from '../../../src/kube/strategic-merge/directives.ts'
import type { FieldType, ListType } from '../../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../kit/schema.ts'

/** An object that a directive stands in. */
export interface DirectiveContext {
  readonly holder: Tree
  readonly isElement: boolean
  /** Why no directive has an effect here. */
  readonly inert: string | undefined
  /** The type of the field that `$setElementOrder` and `$deleteFromPrimitiveList` name. */
  readonly typeOf: (field: string) => FieldType | undefined
}

export const IN_ATOMIC = 'the list is atomic: it is replaced as a whole'
export const UNDER_REPLACE = '$patch: replace takes what stands beside it as it is'

/** The field behind the slash; undefined for a key that is no such directive. */
export function fieldNamedBy(key: string): string | undefined {
  const prefix = [SET_ORDER, DELETE_FROM].find((each) => key === each || key.startsWith(`${each}/`))
  return prefix === undefined ? undefined : key.slice(prefix.length + 1)
}

/** PATCH-V-14, before a template is known: why a directive does not work; undefined where it may. */
export function inertness(key: string, value: unknown, context: DirectiveContext): string | undefined {
  if (context.inert !== undefined) return context.inert
  if (key === PATCH) return againstPatch(value, context)
  if (key === RETAIN_KEYS) return isTexts(value) ? undefined : 'it takes an array of strings'
  const field = fieldNamedBy(key) ?? ''
  if (field === '') return 'it names no field'
  const type = context.typeOf(field)
  if (type?.is !== 'list') return 'the field that it names is no list'
  return key.startsWith(SET_ORDER) ? againstOrder(value, type) : againstDeleted(value, type)
}

function againstPatch(value: unknown, { holder, isElement }: DirectiveContext): string | undefined {
  if (value !== 'replace' && value !== 'delete') return 'its value is replace or delete'
  if (value === 'delete' || !isElement || Object.keys(holder).length === 1) return undefined
  return 'replace drops the whole list, and this element with it'
}

function againstOrder(value: unknown, { merges, key }: ListType): string | undefined {
  if (!merges) return IN_ATOMIC
  if (!Array.isArray(value)) return 'it takes an array'
  if (key === undefined) return value.every(isScalar) ? undefined : 'it takes the values of the list'
  const isKeyed = value.every((each) => isTree(each) && isScalar(each[key]))
  return isKeyed ? undefined : `it takes objects with the merge key "${key}"`
}

function againstDeleted(value: unknown, { items }: ListType): string | undefined {
  if (items.is === 'object') return 'the list holds objects; delete one with $patch: delete in an element'
  return value === null || (Array.isArray(value) && value.every(isScalar)) ? undefined : 'it takes an array of scalars'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

export function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
