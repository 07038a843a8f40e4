import { parsedStrictly, type StrictJson } from '../../../src/kube/strict-json.ts'
import { valueAt } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { ANNOTATIONS } from '../names.ts'
import { type Entry, entryAt, entryFaults } from './entry.ts'

/** Where a list may stand, as findings name it. */
export const CARRIERS = { field: 'spec.patches', annotation: `metadata.annotations[${ANNOTATIONS.patches}]` } as const

/** A list before its entries are read. */
export interface PatchList {
  readonly at: (typeof CARRIERS)[keyof typeof CARRIERS]
  readonly items: readonly unknown[]
  /** Why there are none: PATCH-V-02. */
  readonly problem?: string
}

/** What acts of a list. One that cannot be read acts as none (PATCH-ORD-3). */
export interface Patches {
  readonly entries: readonly Entry[]
  readonly unreadable?: string
}

/** PATCH-API-1 */
export function listInField(daemonSet: KubeObject): PatchList {
  const patches = valueAt(daemonSet, CARRIERS.field)
  return listed(CARRIERS.field, { value: patches ?? [] })
}

/** PATCH-API-2 */
export function listInAnnotation({ metadata }: KubeObject): PatchList {
  const text = metadata.annotations?.[ANNOTATIONS.patches] ?? ''
  if (text === '') return { at: CARRIERS.annotation, items: [] }
  if (text.length > LONGEST) return { at: CARRIERS.annotation, items: [], problem: `longer than ${LONGEST} characters` }
  return listed(CARRIERS.annotation, parsedStrictly(text))
}
/** The API server takes no more of all annotations together. */
const LONGEST = 262_144

function listed(at: PatchList['at'], parsed: StrictJson): PatchList {
  if ('problem' in parsed) return { at, items: [], problem: parsed.problem }
  const { value } = parsed
  return Array.isArray(value) ? { at, items: value } : { at, items: [], problem: 'expected an array' }
}

/** PATCH-API-3: the field, unless it is empty. */
export function effectiveList(daemonSet: KubeObject): PatchList {
  const field = listInField(daemonSet)
  return field.items.length > 0 || field.problem !== undefined ? field : listInAnnotation(daemonSet)
}

export function patchesOf(daemonSet: KubeObject): Patches {
  const { at, items, problem } = effectiveList(daemonSet)
  if (problem !== undefined) return { entries: [], unreadable: `${at}: not a JSON array: ${problem} (PATCH-V-02)` }
  for (const [index, item] of items.entries()) {
    const [fault] = entryFaults(item)
    if (fault !== undefined)
      return { entries: [], unreadable: `${at}[${index}]${fault.path}: ${fault.text} (${fault.id})` }
  }
  return { entries: items.flatMap(entryAt) }
}
