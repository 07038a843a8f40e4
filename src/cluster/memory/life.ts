import type { Tree } from '../../schema.ts'
import { type IncomingObject, sameBody } from './memory-kind.ts'
import { metaOf, type ObjectMeta } from './object-meta.ts'

// What the API server itself writes into metadata: at birth, at each change, and at the end.

/** What is left to chance. */
export interface Chance {
  uid(): string
  /** Five letters or digits that make a name of generateName. */
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

/** As a mutating webhook sees it: nothing of what the API server is to write yet, whatever the author wrote. */
export function notYetCreated(object: IncomingObject): IncomingObject {
  return withMeta(object, NOT_FOR_AUTHORS)
}

export function created(object: IncomingObject, now: Date, { uid, suffix }: Chance): IncomingObject {
  const { name, generateName } = object.metadata
  const made = generateName && `${generateName.slice(0, LONGEST_BASE)}${suffix()}`
  return withMeta(object, { name: name ?? made, uid: uid(), creationTimestamp: stamp(now), generation: 1 })
}

/** Identity, birth and the end of it are not the author's to change; the generation counts what he wants. */
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

/** Waits for its finalizers from now on. */
export function leaving(object: Tree, now: Date): IncomingObject {
  const { generation = 0 } = metaOf(object.metadata)
  const end = { deletionTimestamp: stamp(now), deletionGracePeriodSeconds: 0, generation: generation + 1 }
  return { ...object, metadata: metaOf({ ...metaOf(object.metadata), ...end }) }
}

function withMeta(
  object: IncomingObject,
  meta: { readonly [Field in keyof ObjectMeta]?: ObjectMeta[Field] | undefined },
) {
  return { ...object, metadata: metaOf({ ...object.metadata, ...meta }) }
}

/** To the second, as metav1.Time. */
const stamp = (at: Date) => at.toISOString().replace(/\.\d+Z$/, 'Z')
