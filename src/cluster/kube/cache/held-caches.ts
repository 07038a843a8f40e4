import { cachedReader, type ObjectsInMemory } from '../../cached-reader.ts'
import { cacheOf, filled, isOfMetadata, type Kept, keptFor, suffices } from '../../kept.ts'
import type { Keeping, Need } from '../../needs.ts'
import type { Built, CacheState, ClusterReader, Following, Gvr, Sink } from '../../port.ts'
import { placesOf, type Scope } from '../../scope.ts'
import type { KubeMetrics } from '../metrics.ts'
import type { Reflector, ReflectorParts } from '../watch/reflector.ts'
import { collectionSource } from '../watch/source.ts'
import type { Connection } from '../wire/connection.ts'
import { Cache } from './cache.ts'
import { joinAll, unionOf } from './joined.ts'
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
  readonly scope: Scope
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
  const all = [...caches.values()].flatMap(({ parts }) => parts)
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
      if (shared !== undefined && suffices(shared.kept, wanted)) return joinAll(shared.parts, sink)
      const own = holding(wanted, parts)
      const joined = joinAll(own.parts, sink)
      return {
        stop() {
          joined.stop()
          for (const { reflector } of own.parts) reflector.stop()
        },
      }
    },
    synced: Promise.all(all.map(({ reflector }) => reflector.synced)).then(() => {}),
    states: () => all.map(stateOf),
  }
}

/** One cache for each namespace that is listed and watched by itself. */
function holding(kept: Kept, parts: CachesParts) {
  const { resource, carrying } = kept
  const held = placesOf(resource, parts.scope).map((place) => holdingIn(place, kept, parts))
  const byPlace = new Map(held.map((part) => [part.namespace, part]))
  const all = unionOf(held.map(({ objects }) => objects))
  const areTrusted = () => held.length > 0 && held.every((part) => part.isTrusted())
  function inMemory(namespace: string): ObjectsInMemory | undefined {
    const part = byPlace.get('') ?? byPlace.get(namespace)
    if (part !== undefined) return part.isTrusted() ? part.objects : undefined
    return namespace === '' && areTrusted() ? all : undefined
  }
  return { kept, resource, carrying, parts: held, inMemory }
}

function holdingIn(namespace: string, kept: Kept, parts: CachesParts) {
  const { connection, startReflector, metrics, sinkFailed, maxAgeMs } = parts
  const { resource, carrying } = kept
  const { kind } = resource
  const objects = new Cache(kept)
  const cache = new SharedCache(objects, sinkFailed(kind))
  const reflector = startReflector(resource, {
    source: collectionSource(connection, resource, { namespace, carrying, ...formOf(kept) }),
    sink: cache,
    relisted: () => metrics.relists.inc({ kind }),
  })
  const isTrusted = () => reflector.hasSynced && reflector.ageMs <= maxAgeMs
  return { namespace, kind, objects, cache, reflector, isTrusted }
}

/** A page of whole objects, as the 6 KB of a pod, takes some ten milliseconds to read. */
const WHOLE_OBJECTS = 100
const formOf = (kept: Kept) => (isOfMetadata(kept) ? { metadataOnly: true } : { pages: { objects: WHOLE_OBJECTS } })

interface HeldPart {
  readonly kind: string
  readonly reflector: Pick<Reflector, 'hasSynced' | 'ageMs'>
}
function stateOf({ kind, reflector: { hasSynced, ageMs } }: HeldPart): CacheState {
  return { kind, synced: hasSynced, ageSeconds: ageMs / 1_000 }
}
