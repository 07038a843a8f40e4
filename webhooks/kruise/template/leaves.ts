import { isDirective, PATCH } from '../../../src/kube/strategic-merge/directives.ts'
import { type FieldType, POD_TEMPLATE } from '../../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { stepOf, typeAt } from './place.ts'

/** What a patch sets as a whole, and what stands around that. */
interface PatchLeaf {
  readonly path: string
  readonly around: readonly string[]
}

/** The first place that both patches set: the same one, or a part of what the other sets as a whole. */
export function bothSet(earlier: Tree, later: Tree): string | undefined {
  const leaves = leavesIn(earlier, POD_TEMPLATE, { path: '', around: [] })
  const paths = new Set(leaves.map(({ path }) => path))
  const around = new Set(leaves.flatMap((leaf) => leaf.around))
  return leavesIn(later, POD_TEMPLATE, { path: '', around: [] }).find(
    (leaf) => paths.has(leaf.path) || around.has(leaf.path) || leaf.around.some((each) => paths.has(each)),
  )?.path
}

/** Scalars, nulls, lists that are replaced, and what a directive deletes or replaces; elements of merged lists by key. */
function leavesIn(value: unknown, type: FieldType | undefined, at: PatchLeaf): readonly PatchLeaf[] {
  if (isTree(value)) return Object.hasOwn(value, PATCH) ? [at] : inFields(value, type, at)
  if (!Array.isArray(value) || type?.is !== 'list' || !type.merges) return [at]
  const { key, items } = type
  return value.flatMap((each: unknown) => {
    if (!isTree(each) || key === undefined) return [within(at, `[${JSON.stringify(each)}]`)]
    const { [key]: name, ...rest } = each
    const isWhole = rest[PATCH] === 'replace'
    return isWhole ? [at] : leavesIn(rest, items, within(at, `[${String(name)}]`))
  })
}

function inFields(holder: Tree, type: FieldType | undefined, at: PatchLeaf): readonly PatchLeaf[] {
  return Object.entries(holder).flatMap(([key, child]) =>
    isDirective(key) ? [] : leavesIn(child, typeAt(type, key), within(at, stepOf(key))),
  )
}

const within = ({ path, around }: PatchLeaf, step: string): PatchLeaf => ({
  path: `${path}${step}`,
  around: [...around, path],
})
