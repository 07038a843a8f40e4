import { own } from '../../admission/patch.ts'
import { identityOf, type Layout, layoutIn } from '../../kube/layout.ts'
import { isTree, type Tree } from '../../schema.ts'
import { bodyOf, type FieldNode, fieldOf } from './field-paths.ts'

/** What is there with all that is applied. */
export function mergeApplied(live: unknown, applied: unknown, layout: Layout): unknown {
  if (layout.isAtomic) return applied
  if (Array.isArray(applied) && layout.keys !== undefined)
    return mergedItems(Array.isArray(live) ? live : [], applied, layout.keys, layout)
  if (!isTree(applied) || !isTree(live)) return applied
  const set = Object.entries(applied).map(
    ([name, value]) => [name, mergeApplied(own(live, name), value, layoutIn(layout, name))] as const,
  )
  return { ...live, ...Object.fromEntries(set) }
}

/**
 * Applied items come in their own order. An item of others comes before the next applied item that stands in order;
 * one that was reordered counts as new there (measured).
 */
function mergedItems(
  live: readonly unknown[],
  applied: readonly unknown[],
  keys: readonly string[],
  { keys: _, ...ofItems }: Layout,
): readonly unknown[] {
  const identity = (item: unknown) => identityOf(item, keys)
  const wanted = new Set(applied.map(identity))
  const before = new Map(live.toReversed().map((item) => [identity(item), item]))
  const inOrder = applied.map(identity).filter((each) => before.has(each))
  const left = [...live]
  /** The items of others up to the place of an applied one, which lose the items that are out of order. */
  const othersUpTo = (next: string | undefined) => {
    const place = left.findIndex((item) => identity(item) === next)
    const passed = left.splice(0, place < 0 ? left.length : place)
    return passed.filter((item) => !wanted.has(identity(item)))
  }
  const merged = applied.flatMap((item) => {
    const others = othersUpTo(inOrder[0])
    if (inOrder[0] === identity(item)) inOrder.shift()
    return [...others, mergeApplied(before.get(identity(item)), item, ofItems)]
  })
  return [...merged, ...othersUpTo(undefined)]
}

export interface Leaving {
  /** Fields that left what is applied. */
  readonly gone: ReadonlySet<string>
  /** Whether another manager owns the field. */
  readonly isOwned: (path: string) => boolean
}
const NOTHING = Symbol('nothing')

/** Without the fields that are gone, but for what others own of them. */
export function withoutGone(object: Tree, leaving: Leaving): Tree {
  const { layout } = bodyOf(object)
  const kept = pared({ path: '', value: object, layout }, leaving)
  return isTree(kept) ? kept : {}
}

function pared(node: FieldNode, leaving: Leaving, isGone = false): unknown {
  const { value, path, layout } = node
  const { keys, ...ofItems } = layout
  const keep = (child: FieldNode) => pared(child, leaving, isGone || leaving.gone.has(child.path))
  if (!layout.isAtomic && Array.isArray(value) && keys !== undefined) {
    const items = value.map((item) => {
      const child = { path: `${path}[${identityOf(item, keys)}]`, value: item, layout: ofItems }
      if ((isGone || leaving.gone.has(child.path)) && !leaving.isOwned(child.path)) return NOTHING
      const kept = keep(child)
      return isTree(kept) && isTree(item) ? { ...keyOf(item, keys), ...kept } : kept
    })
    return present(
      items.filter((item) => item !== NOTHING),
      isGone,
    )
  }
  if (layout.isAtomic || !isTree(value) || Object.keys(value).length === 0)
    return isGone && !leaving.isOwned(path) ? NOTHING : value
  const fields = Object.entries(value).map(([name, child]) => [name, keep(fieldOf(node, name, child))] as const)
  const rest = fields.filter(([, child]) => child !== NOTHING)
  return isGone && rest.length === 0 ? NOTHING : Object.fromEntries(rest)
}
const present = (items: readonly unknown[], isGone: boolean) => (isGone && items.length === 0 ? NOTHING : items)
const keyOf = (item: Tree, keys: readonly string[]) =>
  Object.fromEntries(keys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]))
