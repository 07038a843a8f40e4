import { isDeepStrictEqual } from 'node:util'
import type { Cause } from '../../kube/status.ts'
import { isTree, type JsonSchema, type Tree } from '../../schema.ts'
import { childSchema } from '../../schema-check.ts'
import { duplicate, invalid } from '../api-words/causes.ts'

// Lists whose items have a key of one or more fields (`x-kubernetes-list-type: map`).

/** The API server's objections to items with the same key, anywhere in a value. */
export function listCauses(value: unknown, schema: JsonSchema | undefined, at = ''): readonly Cause[] {
  if (Array.isArray(value)) {
    const below = value.flatMap((item, i) => listCauses(item, schema?.items, `${at}[${i}]`))
    return [...againstItems(value, keysOf(schema), at), ...below]
  }
  if (!isTree(value)) return []
  return Object.entries(value).flatMap(([key, child]) => {
    const isField = Object.hasOwn(schema?.properties ?? {}, key)
    const path = isField ? [at, key].filter(Boolean).join('.') : `${at}[${key}]`
    return listCauses(child, childSchema(schema, key), path)
  })
}

/** The item of another list with the same key; undefined where items have no key. */
export function sameItem(item: unknown, others: readonly unknown[], schema: JsonSchema | undefined): unknown {
  const keys = keysOf(schema)
  const identity = identityOf(item, keys)
  return keys.length === 0 ? undefined : others.find((other) => isDeepStrictEqual(identityOf(other, keys), identity))
}

const keysOf = (schema: JsonSchema | undefined) => [...(schema?.['x-kubernetes-list-map-keys'] ?? [])].sort()

function identityOf(item: unknown, keys: readonly string[]): Tree {
  const fields = isTree(item) ? item : {}
  return Object.fromEntries(keys.filter((key) => Object.hasOwn(fields, key)).map((key) => [key, fields[key]]))
}

/** Reports each key once, at the second item that has it. An item that is no object ends the search. */
function againstItems(items: readonly unknown[], keys: readonly string[], at: string): readonly Cause[] {
  if (keys.length === 0) return []
  const odd = items.findIndex((item) => item !== null && !isTree(item))
  if (odd >= 0) return [invalid(`${at}[${odd}]`, items[odd], 'must be an object for an array of list-type map')]
  const seen = new Map<string, number>()
  return items.flatMap((item, i) => {
    const identity = identityOf(item, keys)
    const times = (seen.get(JSON.stringify(identity)) ?? 0) + 1
    seen.set(JSON.stringify(identity), times)
    return times === 2 ? [duplicate(`${at}[${i}]`, identity)] : []
  })
}
