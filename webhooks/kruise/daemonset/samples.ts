import type { Labels } from '../../../src/kube/labels.ts'
import { applicable } from '../list/applicable.ts'
import { type Entry, entryAt } from '../list/entry.ts'
import { type Case, MERGEABLE_BYTES } from './case.ts'

/** Patches that are judged together. */
export interface PatchSample {
  /** Alone, as they meet on a Node, or all of them, which may meet nowhere. */
  readonly of: 'entry' | 'node' | 'all'
  readonly entries: readonly Entry[]
}

const MOST_SETS = 64
/** Each set merges and judges a whole template, so a large one is tried with fewer: with 8 beyond 32,000 values. */
const MOST_VALUES = 256_000
const LEAST_SETS = 8

const setsFor = (size: number) => Math.max(LEAST_SETS, Math.min(MOST_SETS, Math.floor(MOST_VALUES / size)))

/** The entries whose result counts: those that apply somewhere, and that no rule of the list refuses. */
export function mergeable({ entries }: Case): readonly Entry[] {
  return entries
    .filter(({ sound, carried, bytes }) => (sound || carried) && bytes <= MERGEABLE_BYTES)
    .flatMap(({ item, index, patch }) => (patch === undefined ? [] : entryAt(item, index)))
    .filter(({ selector }) => selector !== undefined)
}

/** Each entry, each set of entries that meets on a Node, and all of them (4.4 of the specification). */
export function samplesOf(entries: readonly Entry[], nodes: readonly Labels[], size: number): readonly PatchSample[] {
  if (entries.length === 0) return []
  const everywhere = { matchExpressions: [] }
  const all = applicable(
    entries.map((entry) => ({ ...entry, selector: everywhere })),
    {},
  )
  return [
    ...entries.map((entry): PatchSample => ({ of: 'entry', entries: [entry] })),
    ...setsOn(nodes, entries, setsFor(size)).map((set): PatchSample => ({ of: 'node', entries: set })),
    { of: 'all', entries: all },
  ]
}

function setsOn(nodes: readonly Labels[], entries: readonly Entry[], most: number): readonly (readonly Entry[])[] {
  const sets = new Map<string, readonly Entry[]>()
  for (const labels of nodes) {
    const set = applicable(entries, labels)
    if (set.length > 0) sets.set(set.map(({ index }) => index).join(), set)
    if (sets.size === most) break
  }
  return [...sets.values()]
}
