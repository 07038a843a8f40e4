import type { KubeObject, Resource } from '../cluster/port.ts'
import { isObject } from '../cluster/resource.ts'
import { isTree } from '../schema.ts'
import type { Change, Delete, Raw } from './change.ts'
import { withoutIndexes } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** The part of a change that rules can be asked of, and the warnings about the rest (CV-8). */
export interface Fit<T extends KubeObject> extends Pick<Verdict, 'unfit'> {
  readonly change?: Change<T>
  /** The old object of an update does not fit at all, so there is nothing to compare with. */
  readonly isAlone?: true
  readonly warnings: readonly string[]
}

/** The cluster's schema may have wider limits than ours, so only the outline has to fit. */
export function fitOf<T extends KubeObject>(resource: Resource<T>, raw: Raw): Fit<T> {
  const { operation, object, oldObject, ...request } = raw
  const prev = seenAs(resource, oldObject)
  if (operation === 'DELETE')
    return prev === undefined
      ? unchecked(resource, oldObject)
      : { ...countedAs('object', prev), change: { ...request, operation, prev: prev.object } }
  const next = seenAs(resource, object)
  if (next === undefined) return unchecked(resource, object)
  const fitting = next.isWhole ? FITS : { unfit: 'object' as const, warnings: unknownIn(resource, object) }
  if (operation === 'CREATE') return { ...fitting, change: { ...request, operation, next: next.object } }
  if (prev === undefined)
    return {
      ...fitting,
      unfit: 'oldObject',
      isAlone: true,
      change: { ...request, operation: 'CREATE', next: next.object },
    }
  return {
    ...countedAs('oldObject', prev),
    ...fitting,
    change: { ...request, operation, next: next.object, prev: prev.object },
  }
}

/** A deletion whose object is known by its metadata alone. */
export function bareDeletion({ operation, oldObject, object: _, ...request }: Raw): Delete<KubeObject> | undefined {
  return operation === 'DELETE' && isObject(oldObject) ? { ...request, operation, prev: oldObject } : undefined
}

interface Seen<T> {
  readonly object: T
  readonly isWhole: boolean
}
function seenAs<T extends KubeObject>({ is, isOutline }: Resource<T>, value: unknown): Seen<T> | undefined {
  if (is(value)) return { object: value, isWhole: true }
  return isOutline(value) ? { object: value, isWhole: false } : undefined
}

const FITS = { warnings: [] }
const countedAs = (unfit: 'object' | 'oldObject', { isWhole }: Seen<unknown>) =>
  isWhole ? FITS : { unfit, warnings: [] }

function unchecked<T extends KubeObject>({ misfitIn }: Resource<T>, value: unknown) {
  const path = misfitIn(value) || 'the object'
  return { unfit: 'object' as const, warnings: [`${path}: ${UNCHECKED}`] }
}
const UNCHECKED = 'of another shape than this tars-admission knows, so the object is not checked (CV-8)'
const UNKNOWN = 'a field that this tars-admission does not know, so no rule looks at it (CV-8)'

/** Treats all items of a list as one. */
function unknownIn<T extends KubeObject>({ unknownIn }: Resource<T>, value: unknown): readonly string[] {
  const paths = isTree(value) ? unknownIn(value) : []
  const first = new Map(paths.toReversed().map((path) => [withoutIndexes(path), path]))
  return [...first.values()].reverse().map((path) => `${path}: ${UNKNOWN}`)
}
