import { Fault } from '../faults.ts'
import { isTree } from '../schema.ts'
import { qualified } from './paths.ts'
import type { Found, KubeObject, Ref, Resource, Stored, Where } from './port.ts'

/** What an API server hands out as an object; the rest of its metadata is as the API server checked it. */
export function isStored(value: unknown): value is Stored {
  return isTree(value) && isTree(value.metadata) && typeof value.metadata.name === 'string'
}

export function refOf({ metadata: { namespace = '', name } }: Stored): Ref {
  return { namespace, name }
}

/** As a list was asked for, whatever form it came in. */
export function listedAs<T extends KubeObject>(
  of: Resource<T>,
  objects: readonly Stored[],
  { metadataOnly, limit }: Where,
): readonly Found<T>[] {
  const some = objects.slice(0, limit)
  const told = metadataOnly ? some.map(({ metadata }) => ({ metadata })) : some
  return told.map((object) => foundAs(of, object))
}

/** An object that is no draft of T gives its metadata alone. */
export function foundAs<T extends KubeObject>(of: Resource<T>, object: Stored): Found<T> {
  if (of.isDraft(object)) return object
  const bare: KubeObject = { metadata: object.metadata }
  if (of.isDraft(bare)) return bare
  throw new Fault('CLUSTER_REFUSED', `the API server gave metadata that are none, of ${qualified(of)}`)
}
