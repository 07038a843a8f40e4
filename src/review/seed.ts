import type { Remotes } from '../admission/mutation.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { registeredWebhooks } from '../cluster/memory/registered-webhooks.ts'
import { type Built, Refused } from '../cluster/port.ts'
import type { Config } from '../config.ts'
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
  /** Of what is there though it could not be completed. */
  readonly note: (note: string) => void
}

/**
 * Makes objects be there already. Look-ups go by what admission adds, so a manifest that was never in a cluster becomes
 * what its creation would have made of it, and of those before it; only its schema can refuse it. What comes from a
 * cluster stays word for word.
 */
export async function seed(cluster: MemoryCluster, there: readonly PlacedDocument[], seeding: Seeding): Promise<void> {
  const objects = latest(there)
  cluster.seed(objects.map(({ object }) => object))
  const notYetCreated = objects.filter(({ object }) => isNotYetCreated(object))
  if (notYetCreated.length === 0) return
  const creationCluster = creationClusterBeside(cluster, seeding)
  for (const each of notYetCreated) cluster.seed(await created(each, creationCluster, seeding))
}

/** Of what is named twice the last counts. */
function latest(there: readonly PlacedDocument[]): readonly PlacedDocument[] {
  const last = new Map(there.map((each) => [titleOf(each), each]))
  return there.filter((each) => last.get(titleOf(each)) === each)
}
const titleOf = ({ object: { apiVersion, kind, metadata } }: PlacedDocument) =>
  [apiVersion, kind, metadata.namespace, metadata.name].join(' ')

/** Nothing stands in it that only an API server writes. */
function isNotYetCreated({ metadata }: Built): boolean {
  const { uid, resourceVersion, creationTimestamp, deletionTimestamp } = metadata
  return !(uid || resourceVersion || creationTimestamp || deletionTimestamp)
}

/** Where objects are created by admission that only warns, and that looks things up in the cluster beside it. */
function creationClusterBeside(cluster: MemoryCluster, { kinds, config, remotes }: Seeding): MemoryCluster {
  const call = ownCode(cluster, { kinds, config, remotes, enforce: 'warn' })
  return memoryCluster(kinds, registeredWebhooks(kinds, call, OURSELVES))
}

/** Kinds of others are not ours to complete. What does not fit its schema may be older, and is there all the same. */
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
