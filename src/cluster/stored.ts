import { Fault } from '../faults.ts'
import { carries, carriesAll } from '../kube/labels.ts'
import { isTree } from '../schema.ts'
import { qualified } from './paths.ts'
import type { Built, Found, KubeObject, Ref, Resource, Stored, Where } from './port.ts'

/** An object with a name; the rest of the metadata is as the API server checked it. */
export function isNamed(value: unknown): value is Built {
  return isTree(value) && isTree(value.metadata) && typeof value.metadata.name === 'string'
}

/** Must be called for live reads and answers of writes alone. */
export function isStored(value: unknown): value is Stored {
  return isNamed(value)
}

export function refOf({ metadata: { namespace = '', name } }: KubeObject): Ref {
  return { namespace, name }
}

/** Reduces a list to the requested form, whatever form it came in. */
export function listedAs<T extends KubeObject>(
  of: Resource<T>,
  objects: readonly Built[],
  { metadataOnly, limit }: Where,
): readonly Found<T>[] {
  const some = objects.slice(0, limit)
  const shown = metadataOnly ? some.map(({ metadata }) => ({ metadata })) : some
  return shown.map((object) => foundAs(of, object))
}

/** An object that is no draft of T gives its metadata alone. */
export function foundAs<T extends KubeObject>(of: Resource<T>, object: Built): Found<T> {
  if (of.isDraft(object)) return object
  const bare: KubeObject = { metadata: object.metadata }
  if (of.isDraft(bare)) return bare
  throw new Fault('CLUSTER_REFUSED', `the API server gave metadata that are none, of ${qualified(of)}`)
}

/** By its name, labels and computed values. */
export function isWanted(object: Built, { name, labels = {}, carrying = [], by }: Where): boolean {
  const { metadata } = object
  const isNamedSo = name === undefined || name === metadata.name
  return isNamedSo && carries(metadata.labels, labels) && carriesAll(metadata.labels, carrying) && hasValue(object, by)
}

export function hasValue(object: Built, by: Where['by']): boolean {
  return by === undefined || by.index.valuesOf(object).includes(by.value)
}
