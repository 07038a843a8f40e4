import { cachedReader } from '../../cached-reader.ts'
import { cacheOf, filled, isOfMetadata, type Kept, keptFor, suffices } from '../../kept.ts'
import type { Keeping, Need } from '../../needs.ts'
import type { Built, CacheState, ClusterReader, Following, Gvr, Sink } from '../../port.ts'
import type { KubeMetrics } from '../metrics.ts'
import type { Reflector, ReflectorParts } from '../watch/reflector.ts'
import { collectionSource } from '../watch/source.ts'
import type { Connection } from '../wire/connection.ts'
import { Cache } from './cache.ts'
import { SharedCache } from './shared-cache.ts'

/** Runs until it is stopped. */
export type StartReflector = <O extends Built>(
  of: Gvr,
  parts: Pick<ReflectorParts<O>, 'source' | 'sink' | 'relisted'>,
) => Reflector<O>

export interface CachesParts {
  readonly connection: Connection
  readonly startReflector: StartReflector
  readonly metrics: Pick<KubeMetrics, 'relists'>
  readonly sinkFailed: (kind: string) => (cause: unknown) => void
  /** A cache not heard of for longer does not answer any more. */
  readonly maxAgeMs: number
}

/** The caches of one process. */
export interface HeldCaches {
  cachedFor(needs: readonly Need[], live: ClusterReader): ClusterReader
  watch(of: Gvr, keeps: Keeping, sink: Sink): Following
  readonly synced: Promise<void>
  states(): readonly CacheState[]
}

export function heldCaches(reads: readonly Need[], parts: CachesParts): HeldCaches {
  const caches = new Map(keptFor(reads).map((kept) => [cacheOf(kept), holding(kept, parts)]))
  const all = [...caches.values()]
  return {
    cachedFor(needs, live) {
      const held = keptFor(needs).map((kept) => caches.get(cacheOf(kept)))
      const there = held.filter((each) => each !== undefined)
      return cachedReader(there, live)
    },
    /** What no cache keeps is listed and watched for this sink alone. */
    watch(resource, keeps, sink) {
      const wanted = { resource, ...filled(keeps) }
      const shared = caches.get(cacheOf(wanted))
      if (shared !== undefined && suffices(shared.kept, wanted)) return shared.cache.join(sink)
      const { cache, reflector } = holding(wanted, parts)
      const joined = cache.join(sink)
      return {
        stop() {
          joined.stop()
          reflector.stop()
        },
      }
    },
    synced: Promise.all(all.map(({ reflector }) => reflector.synced)).then(() => {}),
    states: () => all.map(({ resource, reflector }) => stateOf(resource, reflector)),
  }
}

function holding(kept: Kept, { connection, startReflector, metrics, sinkFailed, maxAgeMs }: CachesParts) {
  const { resource, carrying } = kept
  const { kind } = resource
  const objects = new Cache(kept)
  const cache = new SharedCache(objects, sinkFailed(kind))
  const reflector = startReflector(resource, {
    source: collectionSource(connection, resource, { carrying, metadataOnly: isOfMetadata(kept) }),
    sink: cache,
    relisted: () => metrics.relists.inc({ kind }),
  })
  const inMemory = () => (reflector.hasSynced && reflector.ageMs <= maxAgeMs ? objects : undefined)
  return { kept, resource, carrying, cache, reflector, inMemory }
}

function stateOf({ kind }: Gvr, { hasSynced, ageMs }: Pick<Reflector, 'hasSynced' | 'ageMs'>): CacheState {
  return { kind, synced: hasSynced, ageSeconds: ageMs / 1_000 }
}
