import type { Read } from '../../../kind.ts'
import type { Gvr } from '../../port.ts'
import type { Kept } from './cache.ts'

export interface KeptResource extends Kept {
  readonly resource: Gvr
}

/** One cache for each resource, whatever number of kinds look it up: every index, and no field less than one needs. */
export function keptResources(reads: readonly Read[]): readonly KeptResource[] {
  const kept = reads.flatMap(({ resource, kept }) => (kept === undefined ? [] : [{ resource, ...kept }]))
  const same = Map.groupBy(kept, ({ resource }) => keyOf(resource))
  return [...same.values()].flatMap((group) => group.slice(0, 1).map((first) => group.slice(1).reduce(together, first)))
}

function together(one: KeptResource, other: KeptResource): KeptResource {
  const byLabels = [...new Set([...one.byLabels, ...other.byLabels])]
  if (one.metadataOnly !== other.metadataOnly) return { ...(one.metadataOnly ? other : one), byLabels }
  const { without = [] } = one
  return { ...one, byLabels, without: without.filter((path) => other.without?.includes(path)) }
}

export function keyOf({ group, version, plural }: Gvr): string {
  return `${group}/${version}/${plural}`
}
