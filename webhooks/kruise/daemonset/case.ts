import { canonical } from '../../../src/kube/canonical-json.ts'
import { isDeeper } from '../../../src/kube/depth.ts'
import { type Create, type Update, valueAt } from '../../kit/admission.ts'
import { isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import { type DocumentGiven, documentFindings } from '../document/document.ts'
import type { DocumentFinding } from '../document/findings.ts'
import { podTemplateIn } from '../document/pod-fields.ts'
import { entryFaults } from '../list/entry.ts'
import { MOST_BYTES } from '../list/limits.ts'
import { CARRIERS, effectiveList, type PatchList } from '../list/read.ts'
import { isEmptySelector, selectorFaults } from '../list/selector.ts'
import { ANNOTATIONS } from '../names.ts'
import { DEEPEST, keyOf } from './keys.ts'
import { hugeNumbers, type NumberAt } from './numbers.ts'

export type DaemonSetWrite = Create<KubeObject> | Update<KubeObject>

/** An entry of the effective list, as the rules see it. */
export interface CaseEntry {
  readonly index: number
  readonly path: string
  readonly item: unknown
  /** Its patch, if it is one that can be walked. */
  readonly patch?: Tree
  /** The bytes of the patch as compact JSON (PATCH-V-05). */
  readonly bytes: number
  /** Its numbers that would be stored as others (PATCH-V-19). */
  readonly huge: readonly NumberAt[]
  /** What is wrong with the patch whatever the template (4.2 of the specification). */
  readonly document: readonly DocumentFinding[]
  /** The same entry stood in the old list (PATCH-RAT-2). */
  readonly carried: boolean
  /** No rule on the list itself finds fault with it. */
  readonly sound: boolean
}

/** What the patches are judged with: read once for all rules of a review. */
export interface Case {
  readonly list: PatchList
  /** Of a long list the first ones. */
  readonly entries: readonly CaseEntry[]
  /** All entries of the list stood in the old one, those that are not judged too (PATCH-RAT-2). */
  readonly isCarried: boolean
  readonly template: Tree
  readonly selector: Tree
  /** Absent on CREATE. */
  readonly before?: Before
}
interface Before {
  readonly count: number
  readonly template: Tree
  readonly selector: Tree
}

/** More are refused for their number alone, unless all of them stood before. */
const JUDGED = 32
/** Larger patches are refused for their size; what stood before is judged all the same. */
export const MERGEABLE_BYTES = 65_536

const cases = new WeakMap<KubeObject, Case>()

export function caseOf(given: DaemonSetWrite): Case {
  const known = cases.get(given.next)
  if (known !== undefined) return known
  const made = read(given)
  cases.set(given.next, made)
  return made
}

function read(given: DaemonSetWrite): Case {
  const list = effectiveList(given.next)
  const old = given.operation === 'UPDATE' ? given.prev : undefined
  const oldList = old && effectiveList(old)
  const known = new Set(oldList?.items.map(keyOf))
  const parts = partsOf(given.next)
  const around = { at: list.at, known, selectorKeys: keysIn(parts.selector), fields: podTemplateIn(given.facts) }
  const entries = list.items.slice(0, JUDGED).map((item, index) => entryOf(item, index, around))
  return {
    list,
    entries,
    isCarried: list.items.every((item) => known.has(keyOf(item))),
    ...parts,
    ...(old && { before: { count: oldList?.items.length ?? 0, ...partsOf(old) } }),
  }
}

function partsOf(daemonSet: KubeObject): Pick<Case, 'template' | 'selector'> {
  return { template: treeAt(daemonSet, 'spec.template'), selector: treeAt(daemonSet, 'spec.selector') }
}
function treeAt(object: KubeObject, path: string): Tree {
  const value = valueAt(object, path)
  return isTree(value) ? value : {}
}

interface AroundEntries extends DocumentGiven {
  readonly at: string
  readonly known: ReadonlySet<string>
}

function entryOf(item: unknown, index: number, { at, known, ...given }: AroundEntries): CaseEntry {
  const { patch, selector } = isTree(item) ? item : {}
  const isReadable = isTree(patch) && !isDeeper(patch, DEEPEST)
  const bytes = isReadable ? Buffer.byteLength(canonical(patch)) : 0
  const huge = isReadable && bytes <= MOST_BYTES ? hugeNumbers(patch) : []
  const document = isReadable && bytes <= MERGEABLE_BYTES ? documentFindings(patch, given) : []
  const isSelecting = isTree(selector) && !isEmptySelector(selector) && selectorFaults(selector).length === 0
  return {
    index,
    path: `${at}[${index}]`,
    item,
    ...(isReadable && { patch }),
    bytes,
    huge,
    document,
    carried: known.has(keyOf(item)),
    sound:
      isSelecting &&
      bytes <= MOST_BYTES &&
      huge.length === 0 &&
      document.length === 0 &&
      entryFaults(item).length === 0,
  }
}

const untouched = new WeakMap<KubeObject, boolean>()

/** PATCH-RAT-1: what the patches act on is what it was. Compared once for all rules of a review. */
export function isUntouched(given: DaemonSetWrite): boolean {
  if (given.operation !== 'UPDATE') return false
  const known = untouched.get(given.next) ?? actedOn(given.next) === actedOn(given.prev)
  untouched.set(given.next, known)
  return known
}

function actedOn(daemonSet: KubeObject): string {
  const { items, problem } = effectiveList(daemonSet)
  const unread = [valueAt(daemonSet, CARRIERS.field), daemonSet.metadata.annotations?.[ANNOTATIONS.patches]]
  return keyOf({ list: problem === undefined ? items : { unread }, ...partsOf(daemonSet) })
}

function keysIn({ matchLabels, matchExpressions }: Tree): readonly string[] {
  const expressions: readonly unknown[] = Array.isArray(matchExpressions) ? matchExpressions : []
  const named = expressions.map((each) => (isTree(each) ? each.key : undefined))
  const keys = [...Object.keys(isTree(matchLabels) ? matchLabels : {}), ...named]
  return keys.filter((key) => typeof key === 'string')
}
