import { canonical } from '../../../src/kube/canonical-json.ts'
import type { Tree } from '../../kit/schema.ts'
import { leavesOf } from '../list/leaves.ts'
import { consistent, patchedTemplate } from '../list/patched.ts'
import type { Merging } from '../list/touched.ts'
import type { TemplateChange } from './explanation.ts'

/** What the entries make of a template, with what follows from them. Throws MergeError. */
export function resultOf(template: Tree, entries: readonly Merging[]): Tree {
  if (entries.length === 0) return template
  return consistent(template, patchedTemplate(template, entries), entries)
}

export function changesBetween(one: Tree, other: Tree): readonly TemplateChange[] {
  const [before, after] = [leavesOf(one), leavesOf(other)]
  const paths = [...new Set([...before.values.keys(), ...after.values.keys()])]
  const isFilled = (path: string) => paths.some((other) => other.length > path.length && other.startsWith(path))
  const changes = paths
    .flatMap((path) => changeAt(path, shown(before.values, path), shown(after.values, path)))
    .filter((change) => !isEmptied(change) || !isFilled(change.path))
  const moves = [...after.orders].flatMap(([path, names]) => {
    const had = before.orders.get(path) ?? []
    const [old, now] = [had.filter((name) => names.includes(name)), names.filter((name) => had.includes(name))]
    return changeAt(`${path} (order)`, JSON.stringify(old), JSON.stringify(now))
  })
  return [...changes, ...moves].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A map or list that has become empty, or was: its fields say so. */
const isEmptied = ({ before = '[]', after = '[]' }: TemplateChange) =>
  [before, after].every((each) => EMPTY.includes(each))
const EMPTY = ['[]', '{}']

function shown(values: ReadonlyMap<string, unknown>, path: string): string | undefined {
  return values.has(path) ? canonical(values.get(path)) : undefined
}

function changeAt(path: string, before: string | undefined, after: string | undefined): readonly TemplateChange[] {
  if (before === after) return []
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}
