import type { Log } from '../../telemetry/log.ts'
import type { ProcessMetrics } from '../../telemetry/metrics.ts'
import { type Clock, every, systemClock } from '../../timing/clock.ts'
import type { Need } from '../needs.ts'
import type { Cluster, Following } from '../port.ts'
import { EVERYWHERE, type Scope } from '../scope.ts'
import { heldCaches, type StartReflector } from './cache/held-caches.ts'
import { kubeClient } from './client.ts'
import type { KubeMetrics } from './metrics.ts'
import { openApi } from './open-api.ts'
import { ownUser } from './own-user.ts'
import { teller } from './watch/following.ts'
import { Reflector } from './watch/reflector.ts'
import { objectPages, singleSource } from './watch/source.ts'
import { type Connection, connect } from './wire/connection.ts'

export interface KubeClusterParts {
  /** The kubeconfig file; by default that of the environment, the home folder or the pod. */
  readonly kubeconfig?: string | undefined
  readonly reads: readonly Need[]
  readonly metrics: KubeMetrics & Pick<ProcessMetrics, 'handlerErrors'>
  readonly log: Log
  readonly clock?: Clock
  /** A cache not heard of for longer does not answer any more. */
  readonly maxAgeMs?: number
  readonly readTimeoutMs?: number
  /** Where it lists and watches; everywhere by default. */
  readonly scope?: Scope
}

/** Two bookmarks missed: one may be late, or fall between two watches. */
const MAX_AGE_MS = 150_000
const AGES_EVERY_MS = 5_000

/** A real cluster. It answers at once: resources that are not listed yet are read live. */
export async function kubeCluster(parts: KubeClusterParts): Promise<Cluster> {
  const { clock = systemClock } = parts
  return clusterOn(await connect(parts.kubeconfig, clock), { ...parts, clock })
}

export function clusterOn(connection: Connection, parts: KubeClusterParts & { readonly clock: Clock }): Cluster {
  const { reads, metrics, log, clock, maxAgeMs = MAX_AGE_MS, readTimeoutMs, scope = EVERYWHERE } = parts
  const client = kubeClient({ connection, metrics, ...(readTimeoutMs !== undefined && { readTimeoutMs }) })
  const running = new Set<Following>()

  const sinkFailed = (kind: string) => (cause: unknown) => {
    metrics.handlerErrors.inc({ kind, class: 'WATCH' })
    log.error({ kind, err: cause }, 'a handler of watch events failed')
  }
  const startReflector: StartReflector = ({ kind }, parts) => {
    const reflector = new Reflector({ kind, clock, log, sinkFailed: sinkFailed(kind), ...parts })
    running.add(reflector)
    void reflector.run().finally(() => running.delete(reflector))
    return reflector
  }
  const { cachedFor, watch, synced, states } = heldCaches(reads, {
    connection,
    startReflector,
    metrics,
    sinkFailed,
    maxAgeMs,
    scope,
  })
  function tellAges(): void {
    for (const [kind, ages] of Map.groupBy(states(), ({ kind }) => kind))
      metrics.cacheAge.set({ kind }, Math.max(...ages.map(({ ageSeconds }) => ageSeconds)))
  }
  const stopTelling = every(AGES_EVERY_MS, tellAges, clock)

  return {
    readers: { cached: cachedFor(reads, client), live: client },
    pages: (of, where) => objectPages(connection, of, where),
    cachedFor: (needs) => cachedFor(needs, client),
    writer: client,
    watcher: {
      follow(of, ref, tell) {
        const source = singleSource(connection, of, ref)
        const reflector = startReflector(of, { source, sink: teller(tell), relisted: () => undefined })
        return { stop: () => reflector.stop() }
      },
      watch,
    },
    user: () => ownUser(connection),
    openApi: (of) => openApi(connection, of),
    synced,
    states,
    stop() {
      stopTelling()
      for (const reflector of running) reflector.stop()
      connection.stop()
    },
  }
}
