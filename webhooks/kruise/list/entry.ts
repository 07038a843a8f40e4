import { isDeeper } from '../../../src/kube/depth.ts'
import type { Selector } from '../../../src/kube/selectors.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { entryHash } from './hash.ts'
import { type EntryFault, isEmptySelector, selectorFaults, selectorFrom } from './selector.ts'

/** One patch of the list, as it acts. */
export interface Entry {
  readonly index: number
  /** Absent if it is empty or invalid: then the entry applies nowhere (PATCH-SEL-2, PATCH-SEL-3). */
  readonly selector?: Selector
  readonly isBadSelector?: true
  readonly patch: Tree
  readonly priority: number
  readonly hash: string
}

/** Deeper values could not be walked. The longest patch that is valid has 1024 bytes. */
const DEEPEST = 200
const FIELDS = ['selector', 'patch', 'priority']
const [LEAST, MOST] = [-(2 ** 31), 2 ** 31 - 1]

/** What keeps a list with this entry from being read (PATCH-V-04, PATCH-V-06, PATCH-V-09). */
export function entryFaults(item: unknown): readonly EntryFault[] {
  if (!isTree(item)) return [{ id: 'PATCH-V-04', path: '', text: 'expected an object' }]
  const unknown = Object.keys(item).filter((key) => !FIELDS.includes(key))
  const allowed = `allowed: ${FIELDS.join(', ')}`
  return [
    ...unknown.map((key): EntryFault => ({ id: 'PATCH-V-04', path: '', text: `unknown field "${key}"; ${allowed}` })),
    ...patchFaults(item.patch),
    ...selectorShapeFaults(item.selector),
    ...priorityFaults(item.priority),
  ]
}

function patchFaults(patch: unknown): readonly EntryFault[] {
  const fault = (text: string): readonly EntryFault[] => [{ id: 'PATCH-V-04', path: '.patch', text }]
  if (patch === undefined) return fault('patch is required')
  if (!isTree(patch)) return fault('expected an object')
  return isDeeper(patch, DEEPEST) ? fault(`nested deeper than ${DEEPEST} levels`) : []
}

function selectorShapeFaults(selector: unknown): readonly EntryFault[] {
  const fault = (text: string): EntryFault => ({ id: 'PATCH-V-06', path: '.selector', text })
  if (selector === undefined || selector === null) return [fault('selector is required')]
  if (!isTree(selector)) return [fault('expected an object')]
  const { matchLabels: _, matchExpressions: __, ...unknown } = selector
  return Object.keys(unknown).map((key) => fault(`unknown field "${key}"; allowed: matchLabels, matchExpressions`))
}

function priorityFaults(priority: unknown): readonly EntryFault[] {
  if (priority === undefined || isPriority(priority)) return []
  return [{ id: 'PATCH-V-09', path: '.priority', text: `must be an integer between ${LEAST} and ${MOST}` }]
}
const isPriority = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= LEAST && value <= MOST

/** Nothing for what has faults. */
export function entryAt(item: unknown, index: number): readonly Entry[] {
  const { selector, patch, priority } = isTree(item) ? item : {}
  if (!isTree(patch) || !isTree(selector)) return []
  const made = { index, patch, priority: isPriority(priority) ? priority : 0, hash: entryHash(patch) }
  if (isEmptySelector(selector)) return [made]
  if (selectorFaults(selector).length > 0) return [{ ...made, isBadSelector: true }]
  return [{ ...made, selector: selectorFrom(selector) }]
}
