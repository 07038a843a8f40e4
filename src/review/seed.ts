import type { Remotes } from '../admission/mutation.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { registeredWebhooks } from '../cluster/memory/registered-webhooks.ts'
import { type Built, Refused } from '../cluster/port.ts'
import type { Config } from '../config.ts'
import type { Facts } from '../fact.ts'
import { Fault } from '../faults.ts'
import type { Kind } from '../kind.ts'
import { OURSELVES } from '../process/identities.ts'
import { ownCode } from '../process/in-process-webhook.ts'
import { memoryCluster } from '../process/memory-cluster.ts'
import { kindOf, type PlacedDocument } from './objects.ts'

export interface Seeding {
  readonly kinds: readonly Kind[]
  readonly config: Config
  readonly remotes: Remotes
  readonly facts?: Facts | undefined
  /** Reports an object that is stored although it could not be completed. */
  readonly note: (note: string) => void
}

/**
 * Stores objects before the review. Look-ups rely on what admission adds, so a manifest that was never in a cluster is
 * completed as its creation would complete it; only its schema can refuse it. An object from a cluster is unchanged.
 */
export async function seed(cluster: MemoryCluster, there: readonly PlacedDocument[], seeding: Seeding): Promise<void> {
  const objects = latest(there)
  cluster.seed(objects.map(({ object }) => object))
  const notYetCreated = objects.filter(({ object }) => isNotYetCreated(object))
  if (notYetCreated.length === 0) return
  const creationCluster = creationClusterBeside(cluster, seeding)
  for (const each of notYetCreated) cluster.seed(await created(each, creationCluster, seeding))
}

/** The last of several objects with one name counts. */
function latest(there: readonly PlacedDocument[]): readonly PlacedDocument[] {
  const last = new Map(there.map((each) => [titleOf(each), each]))
  return there.filter((each) => last.get(titleOf(each)) === each)
}
const titleOf = ({ object: { apiVersion, kind, metadata } }: PlacedDocument) =>
  [apiVersion, kind, metadata.namespace, metadata.name].join(' ')

/** An object without the fields that only an API server writes was never created. */
function isNotYetCreated({ metadata }: Built): boolean {
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadata
  return !(uid || resourceVersion || creationTimestamp || deletionTimestamp)
}

/** A cluster in which objects are created under warn, with look-ups in the given cluster. */
function creationClusterBeside(cluster: MemoryCluster, { kinds, config, remotes }: Seeding): MemoryCluster {
  const call = ownCode(cluster, { kinds, config, remotes, enforce: 'warn' })
  return memoryCluster(kinds, registeredWebhooks(kinds, call, OURSELVES))
}

/** Kinds of others are stored unchanged. An object that does not fit its schema may be older, so it is stored too. */
async function created(
  placed: PlacedDocument,
  creationCluster: MemoryCluster,
  { kinds, note }: Seeding,
): Promise<readonly Built[]> {
  const { object, file, lineOf } = placed
  const kind = kindOf(kinds, object)
  if (kind?.definition === undefined) return []
  try {
    return [await creationCluster.create(kind.resource, object)]
  } catch (cause) {
    if (!(cause instanceof Refused || cause instanceof Fault)) throw cause
    note(`${file}:${lineOf('')}: note: could not be created, so it is there as it is written: ${cause.message}`)
    return []
  }
}
