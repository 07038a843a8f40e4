import type { Log } from '../../telemetry/log.ts'
import type { ProcessMetrics } from '../../telemetry/metrics.ts'
import { type Clock, every, systemClock } from '../../timing/clock.ts'
import { cachedReader } from '../cached-reader.ts'
import { cacheOf, isOfMetadata, keptFor } from '../kept.ts'
import type { Need } from '../needs.ts'
import type { Built, CacheState, Cluster, Following, Gvr } from '../port.ts'
import { Cache } from './cache/cache.ts'
import { kubeClient } from './client.ts'
import type { KubeMetrics } from './metrics.ts'
import { ownUser } from './own-user.ts'
import { teller } from './watch/following.ts'
import { Reflector, type Sink } from './watch/reflector.ts'
import { collectionSource, type Source, singleSource } from './watch/source.ts'
import { type Connection, connect } from './wire/connection.ts'

export interface KubeClusterParts {
  /** A file; without it, what the environment, the home folder or the pod says. */
  readonly kubeconfig?: string | undefined
  readonly reads: readonly Need[]
  readonly metrics: KubeMetrics & Pick<ProcessMetrics, 'handlerErrors'>
  readonly log: Log
  readonly clock?: Clock
  /** A cache not heard of for longer does not answer any more. */
  readonly maxAgeMs?: number
  readonly readTimeoutMs?: number
}

/** Two bookmarks missed: one may be late, or fall between two watches. */
const MAX_AGE_MS = 150_000
const AGES_TOLD_MS = 5_000

/** A real cluster. It answers from the start: what is not listed yet is read live. */
export async function kubeCluster(parts: KubeClusterParts): Promise<Cluster> {
  const { clock = systemClock } = parts
  return clusterOn(await connect(parts.kubeconfig, clock), { ...parts, clock })
}

export function clusterOn(connection: Connection, parts: KubeClusterParts & { readonly clock: Clock }): Cluster {
  const { reads, metrics, log, clock, maxAgeMs = MAX_AGE_MS, readTimeoutMs } = parts
  const client = kubeClient({ connection, metrics, ...(readTimeoutMs !== undefined && { readTimeoutMs }) })
  const running = new Set<Following>()

  function reflect<O extends Built>(
    { kind }: Gvr,
    source: Source<O>,
    sink: Sink<O>,
    relisted = () => {},
  ): Reflector<O> {
    const sinkFailed = () => metrics.handlerErrors.inc({ kind, class: 'WATCH' })
    const reflector = new Reflector({ kind, source, sink, clock, log, sinkFailed, relisted })
    running.add(reflector)
    void reflector.run().finally(() => running.delete(reflector))
    return reflector
  }

  const caches = new Map(
    keptFor(reads).map((kept) => {
      const cache = new Cache(kept)
      const { resource, carrying } = kept
      const { kind } = resource
      const relisted = () => metrics.relists.inc({ kind })
      const source = collectionSource(connection, resource, { carrying, metadataOnly: isOfMetadata(kept) })
      const reflector = reflect(resource, source, cache, relisted)
      const inMemory = () => (reflector.hasSynced && reflector.ageMs <= maxAgeMs ? cache : undefined)
      return [cacheOf(kept), { resource, carrying, kind, reflector, inMemory }]
    }),
  )
  const cachedFor = (needs: readonly Need[]) => {
    const held = keptFor(needs).map((kept) => caches.get(cacheOf(kept)))
    return cachedReader(
      held.filter((each) => each !== undefined),
      client,
    )
  }
  const states = () => [...caches.values()].map(({ kind, reflector }) => stateOf(kind, reflector))
  function tellAges(): void {
    for (const [kind, ages] of Map.groupBy(states(), ({ kind }) => kind))
      metrics.cacheAge.set({ kind }, Math.max(...ages.map(({ ageSeconds }) => ageSeconds)))
  }
  const stopTelling = every(AGES_TOLD_MS, tellAges, clock)

  return {
    readers: { cached: cachedFor(reads), live: client },
    cachedFor,
    writer: client,
    watcher: {
      follow(of, ref, tell) {
        const reflector = reflect(of, singleSource(connection, of, ref), teller(tell))
        return { stop: () => reflector.stop() }
      },
    },
    user: () => ownUser(connection),
    synced: Promise.all([...caches.values()].map(({ reflector }) => reflector.synced)).then(() => {}),
    states,
    stop() {
      stopTelling()
      for (const reflector of running) reflector.stop()
      connection.stop()
    },
  }
}

function stateOf(kind: string, { hasSynced, ageMs }: Pick<Reflector, 'hasSynced' | 'ageMs'>): CacheState {
  return { kind, synced: hasSynced, ageSeconds: ageMs / 1_000 }
}
