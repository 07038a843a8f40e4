import { Fault } from '../../faults.ts'
import type { Tree } from '../../schema.ts'
import { type Gvr, type Ref, Refused, type Stored } from '../port.ts'
import { refOf } from '../stored.ts'
import type { WriteOptions } from './admission.ts'
import type { Owners } from './owners.ts'

/** The user that the garbage collector of an API server writes as. */
const COLLECTOR = { user: 'system:serviceaccount:kube-system:generic-garbage-collector' } as const

interface CollectorContext {
  readonly owners: Owners
  readonly cluster: {
    merge(of: Gvr, ref: Ref, patch: Tree, options: WriteOptions): Promise<unknown>
    remove(of: Gvr, ref: Ref, options: WriteOptions): Promise<void>
  }
}

/** What named a removed object as its owner goes too, unless it has another owner or the removal orphans it. */
export async function collectDependents(
  owner: Stored,
  isOrphaning: boolean,
  { owners, cluster }: CollectorContext,
): Promise<void> {
  const { uid = '' } = owner.metadata
  for (const { of, object } of owners.dependentsOf(uid)) {
    const rest = (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid !== uid)
    const stays = isOrphaning || rest.some((reference) => owners.isThere(reference.uid))
    const ownerReferences = rest.length === 0 ? null : rest
    const write = stays
      ? cluster.merge(namesOf(of, object), refOf(object), { metadata: { ownerReferences } }, COLLECTOR)
      : cluster.remove(namesOf(of, object), refOf(object), {
          ...COLLECTOR,
          preconditions: { uid: object.metadata.uid ?? '' },
        })
    await write.catch(mayBeRefused)
  }
}

/** A webhook may refuse it, or another writer may come first. The object stays then. */
function mayBeRefused(cause: unknown): void {
  if (!(cause instanceof Refused) && !(cause instanceof Fault)) throw cause
}

/** Of a kind of Kubernetes the plural is not known here; those that a plan makes have a regular one. */
function namesOf(
  { group, kind }: { readonly group: string; readonly kind: string },
  { apiVersion, metadata }: Stored,
): Gvr {
  const version = String(apiVersion).split('/').at(-1) ?? ''
  const scope = metadata.namespace === undefined ? 'Cluster' : 'Namespaced'
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, scope }
}
