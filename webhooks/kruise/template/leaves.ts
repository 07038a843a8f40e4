import { isDirective } from '../../../src/kube/strategic-merge/directives.ts'
import { type FieldType, POD_TEMPLATE } from '../../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { stepOf, typeAt } from './place.ts'

/** What a patch sets: the paths of its scalars, nulls and replaced lists, elements of merged lists by their keys. */
export function leavesOf(patch: Tree): ReadonlySet<string> {
  return new Set(leaves(patch, POD_TEMPLATE, ''))
}

function leaves(value: unknown, type: FieldType | undefined, path: string): readonly string[] {
  if (isTree(value)) return inFields(value, type, path)
  if (!Array.isArray(value) || type?.is !== 'list' || !type.merges) return [path]
  const { key, items } = type
  return value.flatMap((each: unknown) => {
    if (!isTree(each) || key === undefined) return [`${path}[${JSON.stringify(each)}]`]
    const { [key]: name, ...rest } = each
    return leaves(rest, items, `${path}[${String(name)}]`)
  })
}

function inFields(holder: Tree, type: FieldType | undefined, path: string): readonly string[] {
  return Object.entries(holder).flatMap(([key, child]) =>
    isDirective(key) ? [] : leaves(child, typeAt(type, key), `${path}${stepOf(key)}`),
  )
}
