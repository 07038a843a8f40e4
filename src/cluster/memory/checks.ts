import { Fault } from '../../faults.ts'
import type { Tree } from '../../schema.ts'
import { invalid as invalidValue } from '../api-words/causes.ts'
import { badRequest, conflict, invalid } from '../api-words/refusals.ts'
import type { Built, Gvr, Preconditions, Ref } from '../port.ts'
import type { WriteOptions } from './admission.ts'
import type { IncomingObject, MemoryKind } from './memory-kind.ts'
import { metaOf } from './object-meta.ts'

/** The reference of an object, whose name may still be missing. */
export function refOf({ metadata }: Tree): Ref {
  const { name = '', namespace = '' } = metaOf(metadata)
  return { name, namespace }
}

/** A request with a uid other than the stored one refers to an object that is gone (CL-4). */
export function mustBeValid(kind: MemoryKind, next: IncomingObject, { objections }: WriteOptions, prev?: Built): void {
  const causes = kind.causes(next, prev, objections !== undefined)
  if (causes.length === 0) return
  const called = typeof next.kind === 'string' ? next.kind : kind.kind
  const refusal = invalid({ ...kind, kind: called }, next.metadata.name ?? '', causes)
  const isAnother = causes.some(({ field }) => field === 'metadata.uid')
  if (isAnother) throw new Fault('GONE', refusal.message, { cause: refusal })
  if (objections === undefined) throw refusal
  objections.causes.push(...causes)
}

/** A patch cannot rename an object or move it to another namespace. */
export function mustStay({ name, namespace }: Ref, next: Tree): void {
  const to = refOf(next)
  if (to.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  if (to.name !== name)
    throw badRequest(`the name of the object (${to.name}) does not match the name on the URL (${name})`)
}

/** An object with a uid other than the stored one is gone. */
export function mustBeTheSame(kind: MemoryKind, next: IncomingObject, { metadata }: Built): void {
  const { uid = metadata.uid, name } = next.metadata
  if (uid === metadata.uid) return
  throw conflict(kind, name ?? '', isAnother(uid, metadata.uid))
}

const isAnother = (wanted: string | undefined, stored: string | undefined) =>
  `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${stored}`

/** The preconditions of a delete restrict it to one object in one version. */
export function mustBeMeant(of: Gvr, { metadata }: Built, expected: Preconditions = {}): void {
  const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = expected
  if (uid !== metadata.uid) throw conflict(of, metadata.name, isAnother(uid, metadata.uid))
  if (resourceVersion !== metadata.resourceVersion) throw conflict(of, metadata.name)
}

export function mustBeCurrent(kind: MemoryKind, next: IncomingObject, { metadata }: Built): void {
  const { resourceVersion, name = '' } = next.metadata
  if (resourceVersion === metadata.resourceVersion) return
  if (resourceVersion !== undefined) throw conflict(kind, name)
  const missing = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
  throw invalid({ ...kind, kind: kind.plural }, name, [missing])
}
