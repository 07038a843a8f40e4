import { canonical } from '../../../src/kube/canonical-json.ts'
import type { Entry } from '../list/entry.ts'
import { leavesOf } from '../list/leaves.ts'
import { MOST_BYTES } from '../list/limits.ts'
import type { LabelGroup, Overlap } from './explanation.ts'

interface Setter {
  readonly index: number
  readonly priority: number
  readonly value: string
}
type Applied = readonly Pick<LabelGroup, 'applied'>[]

/** The fields that several entries set. An entry that acts nowhere is left out, and a patch far beyond its limit. */
export function overlapsOf(entries: readonly Entry[], groups: Applied): readonly Overlap[] {
  const setters = Map.groupBy(entries.flatMap(settings), ({ path }) => path)
  return [...setters].flatMap(([path, by]) => (by.length > 1 ? overlapsAt(path, by, groups) : []))
}

function settings({ index, priority, patch, selector }: Entry): readonly (Setter & { readonly path: string })[] {
  if (selector === undefined || canonical(patch).length > 16 * MOST_BYTES) return []
  return [...leavesOf(patch).values].map(([path, value]) => ({ path, index, priority, value: canonical(value) }))
}

/** Once for each set of entries that meet on some Nodes, since in each another one may count. */
function overlapsAt(path: string, by: readonly Setter[], groups: Applied): readonly Overlap[] {
  const ordered = by.toSorted((one, other) => one.priority - other.priority || one.index - other.index)
  const meeting = groups.map(({ applied }, at) => ({ at, set: ordered.filter(({ index }) => applied.includes(index)) }))
  const sets = Map.groupBy(
    meeting.filter(({ set }) => set.length > 1),
    ({ set }) => indexesOf(set).join(),
  )
  const found = [...sets.values()].flatMap((same) =>
    same.slice(0, 1).map(({ set }) =>
      overlapOf(
        path,
        set,
        same.map(({ at }) => at),
      ),
    ),
  )
  return found.length > 0 ? found : [overlapOf(path, ordered, [])]
}

const indexesOf = (set: readonly Setter[]) => set.map(({ index }) => index)

function overlapOf(path: string, set: readonly Setter[], groups: readonly number[]): Overlap {
  return { path, entries: indexesOf(set), decidedBy: decider(set), groups }
}

function decider(ordered: readonly Setter[]): Overlap['decidedBy'] {
  const [last, before] = [ordered.at(-1), ordered.at(-2)]
  if (ordered.every(({ value }) => value === last?.value)) return 'equal values'
  return last?.priority === before?.priority ? 'list order' : 'priority'
}
