import type { Keeping, Need } from './needs.ts'
import type { Gvr } from './port.ts'

/** What one cache holds. */
export interface Kept
  extends Required<Pick<Keeping, 'byLabels' | 'byField' | 'carrying'>>,
    Pick<Keeping, 'fields' | 'asText' | 'ownerKind'> {
  readonly resource: Gvr
}

/** One cache for each resource and `carrying`, with every index and every field that any of the needs asks for. */
export function keptFor(needs: readonly Need[]): readonly Kept[] {
  const kept = needs.flatMap(({ resource, keeps }) => (keeps === undefined ? [] : [{ resource, ...filled(keeps) }]))
  const same = Map.groupBy(kept, cacheOf)
  return [...same.values()].flatMap((group) => group.slice(0, 1).map((first) => group.slice(1).reduce(together, first)))
}

export function filled({ byLabels = [], byField = [], carrying = [], ...rest }: Keeping): Omit<Kept, 'resource'> {
  return { byLabels, byField, carrying: carrying.toSorted(), ...rest }
}

function together(one: Kept, other: Kept): Kept {
  const { resource, carrying } = one
  const byLabels = union(one.byLabels, other.byLabels)
  const byField = union(one.byField, other.byField)
  const isWhole = one.fields === undefined || other.fields === undefined
  const asText = one.asText ?? other.asText
  const fields = isWhole ? undefined : union(one.fields, other.fields)
  const ownerKind = one.ownerKind === other.ownerKind ? one.ownerKind : undefined
  return {
    ...{ resource, carrying, byLabels, byField },
    ...(fields && { fields }),
    ...(asText && { asText }),
    ...(ownerKind && { ownerKind }),
  }
}
const union = <V>(one: readonly V[] = [], other: readonly V[] = []) => [...new Set([...one, ...other])]

/** Whether a cache keeps all that somebody asks of it. */
export function suffices({ fields, ownerKind }: Pick<Keeping, 'fields' | 'ownerKind'>, wanted: Keeping): boolean {
  if (ownerKind !== undefined && ownerKind !== wanted.ownerKind) return false
  return fields === undefined || wanted.fields?.every((field) => fields.includes(field)) === true
}

/** Whether listing and watching metadata alone suffices. */
export function isOfMetadata({ fields }: Pick<Keeping, 'fields'>): boolean {
  return fields?.every((field) => field.startsWith('metadata.')) === true
}

export function cacheOf({ resource, carrying }: Pick<Kept, 'resource' | 'carrying'>): string {
  return [keyOf(resource), ...carrying].join(' ')
}
export function keyOf({ group, version, plural }: Gvr): string {
  return `${group}/${version}/${plural}`
}
