import type { WriteOptions } from '../cluster/memory/admission.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Built, Gvr, Ref } from '../cluster/port.ts'
import { isNamed } from '../cluster/stored.ts'
import type { Config } from '../config.ts'
import type { Tree } from '../schema.ts'
import type { AuthoredObject } from './objects.ts'

/** What is done with an object, and by whom. */
export interface Bringing {
  readonly of: Gvr
  readonly object: AuthoredObject
  readonly operation: Config['operation']
  readonly options: WriteOptions
}

/** Writes like kubectl: `apply` compares, and creates an object without a name; `replace` takes the stored version. */
export async function write(cluster: MemoryCluster, { of, object, operation, options }: Bringing): Promise<void> {
  switch (operation) {
    case 'apply':
      await (isNamed(object) ? cluster.applyOnClient(of, object, options) : cluster.create(of, object, options))
      return
    case 'CREATE':
      await cluster.create(of, object, options)
      return
    case 'UPDATE':
      await cluster.replace(of, await ofStoredVersion(cluster, of, object), options)
      return
    case 'DELETE':
      await cluster.remove(of, refOf(object), options)
  }
}

/** An object of a kind without rules is not judged, but others may refer to it. */
export async function accept(cluster: MemoryCluster, { object, operation }: Omit<Bringing, 'of'>): Promise<void> {
  if (operation === 'DELETE') await cluster.remove(foreign(object), refOf(object))
  else if (isNamed(object)) cluster.seed([object])
}

/** Where the version is not the author's business, kubectl fills it in. */
async function ofStoredVersion(
  cluster: MemoryCluster,
  of: Gvr,
  { metadata, ...object }: AuthoredObject,
): Promise<Tree> {
  const stored = await storedNow(cluster, of, refOf({ metadata }))
  return { ...object, metadata: { resourceVersion: stored?.metadata.resourceVersion, ...metadata } }
}

export async function storedNow(cluster: MemoryCluster, of: Gvr, ref: Ref): Promise<Built | undefined> {
  const { promise, resolve } = Promise.withResolvers<Built | undefined>()
  const following = cluster.follow(of, ref, resolve)
  const stored = await promise
  following.stop()
  return stored
}

function refOf({ metadata }: Pick<AuthoredObject, 'metadata'>): Ref {
  return { namespace: String(metadata.namespace ?? ''), name: String(metadata.name ?? '') }
}

function foreign({ apiVersion, kind }: AuthoredObject): Gvr {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, scope: 'Namespaced' }
}
