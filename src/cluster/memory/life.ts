import { Fault } from '../../faults.ts'
import type { Tree } from '../../schema.ts'
import type { Built } from '../port.ts'
import { type IncomingObject, sameBody } from './memory-kind.ts'
import { metaOf, type ObjectMeta } from './object-meta.ts'

// The metadata that the API server itself writes: on create, on each update, and on delete.

/** The random parts of metadata. */
export interface Chance {
  uid(): string
  /** Five letters or digits that complete generateName to a name. */
  suffix(): string
}

const LONGEST_BASE = 58
const NOT_FOR_AUTHORS = {
  uid: undefined,
  creationTimestamp: undefined,
  deletionTimestamp: undefined,
  deletionGracePeriodSeconds: undefined,
  selfLink: undefined,
}

/** The object as a mutating webhook sees it on create, without the fields that the API server owns. */
export function notYetCreated(object: IncomingObject): IncomingObject {
  return withMeta(object, NOT_FOR_AUTHORS)
}

export function mustBeNew({ metadata: { resourceVersion } }: Built): void {
  if (resourceVersion === undefined) return
  throw new Fault('CLUSTER_REFUSED', 'resourceVersion should not be set on objects to be created')
}

export function created(object: IncomingObject, now: Date, { uid, suffix }: Chance): IncomingObject {
  const { name, generateName } = object.metadata
  const made = generateName && `${generateName.slice(0, LONGEST_BASE)}${suffix()}`
  return withMeta(object, { name: name ?? made, uid: uid(), creationTimestamp: stamp(now), generation: 1 })
}

/** An author cannot change uid, creationTimestamp and deletionTimestamp. The generation counts changes outside metadata. */
export function succeeding(next: IncomingObject, prev: Tree): IncomingObject {
  const {
    uid,
    creationTimestamp,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    generation = 0,
  } = metaOf(prev.metadata)
  return withMeta(next, {
    uid: next.metadata.uid ?? uid,
    creationTimestamp,
    deletionTimestamp: deletionTimestamp ?? next.metadata.deletionTimestamp,
    deletionGracePeriodSeconds: deletionGracePeriodSeconds ?? next.metadata.deletionGracePeriodSeconds,
    generation: sameBody(next, prev) ? generation : generation + 1,
  })
}

/** Makes the object terminating until its finalizers are gone. */
export function leaving(object: Tree, now: Date): IncomingObject {
  const { generation = 0 } = metaOf(object.metadata)
  const end = { deletionTimestamp: stamp(now), deletionGracePeriodSeconds: 0, generation: generation + 1 }
  return { ...object, metadata: metaOf({ ...metaOf(object.metadata), ...end }) }
}

export const hasFinalizers = ({ metadata }: Tree) => metaOf(metadata).finalizers !== undefined

function withMeta(
  object: IncomingObject,
  meta: { readonly [Field in keyof ObjectMeta]?: ObjectMeta[Field] | undefined },
) {
  return { ...object, metadata: metaOf({ ...object.metadata, ...meta }) }
}

/** Seconds are the precision of metav1.Time. */
const stamp = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')
