import { hostname } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { CertificateSource } from '../../certs/source.ts'
import { type Answerer, answerer } from '../admission/answer.ts'
import { checkDoors } from '../admission/door.ts'
import type { Cluster } from '../cluster/port.ts'
import { type Listed, OF_RULES } from '../config.ts'
import type { Facts } from '../fact.ts'
import { Drain } from '../http/drain.ts'
import { observer } from '../http/observer.ts'
import { reload, reviewServer } from '../http/review-server.ts'
import type { Kind } from '../kind.ts'
import type { Measure } from '../metric.ts'
import { IDENTITY } from '../print/objects.ts'
import { carryOutWith } from '../reconcile/apply.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { caBundles } from './ca-bundles.ts'
import { caches } from './caches.ts'
import { callersOf } from './callers.ts'
import { identitiesThere } from './identities.ts'
import { limitedEvents } from './limited-events.ts'
import { listening } from './listening.ts'
import type { Metrics } from './metrics.ts'
import type { ProcessContext } from './process.ts'
import { remotesOf } from './remotes.ts'
import type { ProcessPart } from './running.ts'
import { follow, type ServingPairPart, servingPair } from './serving-pair.ts'

/** Settings of a webhook, whatever cluster it looks things up in. */
export const SERVING: readonly Listed[] = [
  'host',
  'port',
  'metricsPort',
  'healthPort',
  'certs',
  'certDir',
  'manageConfigurations',
  'webhookUrl',
  'clientCa',
  'clientNames',
  'secretPath',
  'drainSeconds',
  'namespace',
  'enforce',
  'seed',
  ...OF_RULES,
]

export interface ServingParts extends Pick<ProcessContext, 'config' | 'log'> {
  readonly kinds: readonly Kind[]
  readonly cluster: Cluster
  readonly metrics: Metrics
  readonly facts?: Facts | undefined
  /** Counts what families measure. */
  readonly measure?: Measure
}

/** All that answers the reviews of an API server, in the order in which it starts. */
export function serving(parts: ServingParts): readonly ProcessPart[] {
  checkDoors(parts.kinds)
  const pair = servingPair(parts)
  return [pair, caches(parts.cluster), caBundles(parts, pair), reviews(parts, pair)]
}

const LOG_EVERY = 100
const CHECK_EVERY = 1_000

function reviews(parts: ServingParts, pair: Pick<ServingPairPart, 'source'>): ProcessPart {
  const { host, port, drainSeconds } = parts.config
  let drain: Drain | undefined
  return {
    checks: [],
    async start(opened) {
      const next = new Drain(clock)
      const app = await reviewsOf(parts, { source: await pair.source, drain: next, opened })
      const address = await listening(app, { host, port, flag: 'port' }, opened)
      drain = next
      return { address }
    },
    drain: async () => drain?.last(drainSeconds * 1_000),
  }
}

interface Opening {
  readonly source: CertificateSource
  readonly drain: Drain
  readonly opened: AsyncDisposableStack
}

async function reviewsOf(parts: ServingParts, { source, drain, opened }: Opening): Promise<FastifyInstance> {
  const { kinds, config, cluster, metrics, measure, log } = parts
  const answer = onceKnown(cluster, answererOf(parts, opened))
  const notify = limitedEvents(cluster.writer, { identity: hostname(), source: IDENTITY })
  const edges = { log, metrics, clock, notify, ...(measure && { measure }) }
  const seen = observer({ ...edges, answerer: answer, logEvery: LOG_EVERY, checkEvery: CHECK_EVERY })
  const paths = [...new Set(kinds.flatMap(({ doors }) => doors.map(({ path }) => path)))]
  const callers = await callersOf(config)
  const base = config.secretPath === undefined ? '' : `/${config.secretPath}`
  const from = { paths, answerer: answer, clock, observer: seen, metrics, callers, base, drain }
  const app = await reviewServer({ ...from, pair: source.current() })
  follow(source, metrics, (pair) => reload(app, pair, callers))
  return app
}

function answererOf(parts: ServingParts, opened: AsyncDisposableStack): () => Promise<Answerer> {
  const { kinds, config, cluster, metrics, facts } = parts
  const { enforce, profile } = config
  const remotes = remotesOf({ depthChanged: (depth) => metrics.hashPoolDepth.set(depth) })
  opened.defer(() => remotes.stop())
  const carryOut = carryOutWith(cluster.writer, (mark) => metrics.marks.inc(mark))
  const { settings } = config
  const measured = { ...remotes, tick: () => clock.tick() }
  const known = { kinds, readers: cluster.readers, carryOut, remotes: measured, profile, settings, facts, enforce }
  return async () => answerer({ ...known, identities: await identitiesThere(parts) })
}

/**
 * The webhook asks for its own user once the API server is surely there: when all is listed, or when it sends a review.
 * So neither listening nor readiness waits for the answer, only the first review does.
 */
function onceKnown({ synced }: Cluster, make: () => Promise<Answerer>): Answerer {
  let made: Promise<Answerer> | undefined
  function known(): Promise<Answerer> {
    made ??= make()
    return made
  }
  void synced.then(known)
  return async (review, arrival) => (await known())(review, arrival)
}
