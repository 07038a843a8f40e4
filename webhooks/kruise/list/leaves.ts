import { isDirective, PATCH } from '../../../src/kube/strategic-merge/directives.ts'
import { type FieldType, fieldIn, type ListType, POD_TEMPLATE } from '../../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../kit/schema.ts'

/** What a template, or a patch of one, says field by field. */
export interface Leaves {
  /** By path; an element of a list that merges stands under its merge key, any other list is one value. */
  readonly values: ReadonlyMap<string, unknown>
  /** The keys of each list that merges, in its order. */
  readonly orders: ReadonlyMap<string, readonly string[]>
}
interface Walk {
  readonly values: Map<string, unknown>
  readonly orders: Map<string, readonly string[]>
}

/** What nests deeper, or is more, is left out: no type of a pod does, but stored objects may hold anything. */
const [DEEPEST, MOST] = [40, 5_000]

export function leavesOf(root: Tree): Leaves {
  const walk: Walk = { values: new Map(), orders: new Map() }
  visit(walk, root, POD_TEMPLATE, '', 0)
  return walk
}

function visit(walk: Walk, value: unknown, type: FieldType | undefined, path: string, depth: number): void {
  if (depth > DEEPEST || walk.values.size >= MOST) return
  if (isTree(value)) visitTree(walk, value, type, path, depth)
  else if (Array.isArray(value) && type?.is === 'list' && type.merges) visitList(walk, value, type, path, depth)
  else walk.values.set(path, value)
}

function visitTree(walk: Walk, tree: Tree, type: FieldType | undefined, path: string, depth: number): void {
  const keys = Object.keys(tree)
  if (keys.length === 0) walk.values.set(path, tree)
  for (const key of keys) {
    if (key === PATCH) walk.values.set(path, { [PATCH]: tree[key] })
    else if (isDirective(key)) walk.values.set(`${path}${step(key, true)}`, tree[key])
    else visit(walk, tree[key], typeIn(type, key), `${path}${step(key, type?.is === 'map', path)}`, depth + 1)
  }
}

function visitList(walk: Walk, list: readonly unknown[], type: ListType, path: string, depth: number): void {
  const { key, items } = type
  const seen = new Map<string, number>()
  const names = list.map((element) => {
    const named = key === undefined ? element : isTree(element) ? element[key] : undefined
    const name = typeof named === 'string' || typeof named === 'number' ? String(named) : '?'
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    const place = times === 1 ? name : `${name}#${times}`
    visit(walk, bare(element, key), items, `${path}${step(place, true)}`, depth + 1)
    return place
  })
  if (names.length === 0) walk.values.set(path, list)
  walk.orders.set(path, names)
}

/** The path names the merge key already. */
function bare(element: unknown, key: string | undefined): unknown {
  if (key === undefined || !isTree(element)) return element
  const { [key]: _, ...rest } = element
  return rest
}

const typeIn = (type: FieldType | undefined, key: string) =>
  type?.is === 'map' ? type.values : fieldIn(type, key)?.type

/** A key with other signs is quoted: a path is read by people, and each key in it can be anything. */
function step(key: string, inBrackets: boolean, path = ''): string {
  const long = key.length > 256 ? `${key.slice(0, 256)}…` : key
  if (!/^[\w./$#:@-]+$/.test(long)) return `[${JSON.stringify(long)}]`
  if (inBrackets || /[^\w-]/.test(long)) return `[${long}]`
  return path === '' ? long : `.${long}`
}
