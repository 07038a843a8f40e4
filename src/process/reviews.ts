import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type BundleKeeper, keepBundles } from '../../certs/ca-bundle.ts'
import { trustEnd } from '../../certs/chain.ts'
import { filesSource } from '../../certs/files.ts'
import type { ServingPair } from '../../certs/pair.ts'
import { secretSource } from '../../certs/secret.ts'
import { selfSource } from '../../certs/self.ts'
import type { CertificateSource } from '../../certs/source.ts'
import { type Answerer, answerer } from '../admission/answer.ts'
import { checkDoors } from '../admission/door.ts'
import type { Means } from '../admission/mutation.ts'
import type { Cluster, ClusterWatcher, ClusterWriter } from '../cluster/port.ts'
import { type Config, type Name, OF_RULES } from '../config.ts'
import { Drain } from '../http/drain.ts'
import { observer } from '../http/observer.ts'
import { reload, reviewServer } from '../http/review-server.ts'
import { type Check, healthServer, metricsServer } from '../http/side-servers.ts'
import type { Kind } from '../kind.ts'
import { CERT_SECRET, CONFIGURATIONS, SERVICE } from '../print/objects.ts'
import { carryOutWith } from '../reconcile/apply.ts'
import type { Log } from '../telemetry/log.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { callersOf } from './callers.ts'
import { pairFolder } from './files.ts'
import { identitiesThere } from './identities.ts'
import { listening } from './listening.ts'
import { meansOf } from './means.ts'
import type { Metrics } from './metrics.ts'

/** What is told of a webhook, whatever cluster it looks things up in. */
export const SERVING: readonly Name[] = [
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

export interface ServingParts {
  readonly kinds: readonly Kind[]
  readonly config: Config
  readonly cluster: Cluster
  readonly metrics: Metrics
  readonly log: Log
}

export interface Ready {
  readonly address: string
  readonly health: string
  readonly metrics: string
  readonly ca: string
}

/** A webhook that listens, or is about to. */
export interface Serving {
  /** Its caches are filled, and where it manages the configurations, they trust it. Rejected if it cannot serve. */
  readonly ready: Promise<Ready>
  /**
   * It is not ready any more, and serves on until nobody comes to it (SV-10). Then the reviews in flight are answered, and nothing
   * is left open. The cluster is whose it was.
   */
  stop(): Promise<void>
}

const LOG_EVERY = 100
const CHECK_EVERY = 1_000

export function serve(parts: ServingParts): Serving {
  const made = new AsyncDisposableStack()
  const found: Progress = { isStopping: false }
  return {
    ready: opened(parts, found, made),
    async stop() {
      found.isStopping = true
      await found.drain?.last(parts.config.drainSeconds * 1_000)
      await made.disposeAsync()
    },
  }
}

/** Health is served first: a webhook that waits for its certificate is alive, and says what it waits for. */
async function opened(parts: ServingParts, found: Progress, made: AsyncDisposableStack): Promise<Ready> {
  const { kinds, config, metrics } = parts
  checkDoors(kinds)
  const { host } = config
  const checks = checksOf(parts, found)
  const health = await listening(healthServer(checks), { host, port: config.healthPort, setting: 'healthPort' }, made)
  const metricsAt = await listening(
    metricsServer(metrics, clock),
    { host, port: config.metricsPort, setting: 'metricsPort' },
    made,
  )
  const certDir = await certDirOf(config, made)
  const source = await sourceOf(parts, certDir)
  made.defer(() => source.stop())
  found.source = source
  if (config.manageConfigurations) found.bundles = made.adopt(bundlesOf(parts, source), (bundles) => bundles.stop())
  const drain = new Drain(clock)
  const means = meansOf({ depthChanged: (depth) => metrics.hashPoolDepth.set(depth) })
  made.defer(() => means.stop())
  const reviews = await reviewsOf(parts, { source, drain, means })
  const address = await listening(reviews, { host, port: config.port, setting: 'port' }, made)
  found.drain = drain
  await passed(checks, made)
  return { address, health, metrics: metricsAt, ca: join(certDir, 'ca.crt') }
}

/** What the checks ask about, as far as it has come about. */
interface Progress {
  isStopping: boolean
  drain?: Drain
  source?: CertificateSource
  bundles?: BundleKeeper
}

async function reviewsOf(
  parts: ServingParts,
  { source, drain, means }: { readonly source: CertificateSource; readonly drain: Drain; readonly means: Means },
): Promise<FastifyInstance> {
  const { kinds, config, cluster, metrics, log } = parts
  const { enforce, profile } = config
  const desk = {
    kinds,
    readers: cluster.readers,
    carryOut: carryOutWith(cluster.writer, (mark) => metrics.marks.inc(mark)),
    means,
    profile,
    settings: config,
    enforce,
  }
  const answer = onceKnown(cluster, async () => answerer({ ...desk, identities: await identitiesThere(parts) }))
  const watcher = observer({
    log,
    metrics,
    clock,
    answerer: answer,
    logEvery: LOG_EVERY,
    checkEvery: CHECK_EVERY,
  })
  const paths = [...new Set(kinds.flatMap(({ doors }) => doors.map(({ path }) => path)))]
  const callers = await callersOf(config)
  const base = config.secretPath === undefined ? '' : `/${config.secretPath}`
  const from = { paths, answerer: answer, clock, observer: watcher, metrics, callers, base, drain }
  const app = await reviewServer({ ...from, pair: source.current() })
  followPair(source, metrics, (pair) => reload(app, pair, callers))
  return app
}

/**
 * Who we are is asked when the API server is there for sure, since all has been listed or it sends a review: so neither
 * listening nor becoming ready waits for it, but the first review does.
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

/** Each pair is served in its turn, and metrics tell its end. */
function followPair(source: CertificateSource, metrics: Metrics, use: (pair: ServingPair) => void): void {
  const show = (pair: ServingPair) => {
    use(pair)
    for (const [role, end] of Object.entries({ serving: pair.notAfter, ca: trustEnd(pair) })) {
      if (end !== undefined) metrics.certNotAfter.set({ role }, end.getTime() / 1_000)
    }
  }
  show(source.current()) // which may have been renewed since the server was made
  source.onRenewed((renewed) => {
    show(renewed)
    metrics.certReloads.inc({ result: 'done' })
  })
}

/** A folder of our own, for the CA certificate alone, unless one is named. */
async function certDirOf(config: Config, made: AsyncDisposableStack): Promise<string> {
  if (config.certs === 'files') return pairFolder(config)
  if (config.certDir !== undefined) return config.certDir
  const folder = await mkdtemp(join(tmpdir(), 'tars-admission-'))
  made.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function sourceOf({ config, cluster, metrics, log }: ServingParts, certDir: string): Promise<CertificateSource> {
  const { certs, namespace } = config
  const means = { secret: { namespace, name: CERT_SECRET }, cluster: portOf(cluster), clock, log, metrics }
  switch (certs) {
    case 'self':
      return selfSource({ ...means, hosts: hostsOf(config), certDir })
    case 'files':
      return filesSource({ folder: certDir, clock, log, metrics })
    case 'secret':
      return secretSource({ ...means, certDir })
  }
}

/** Whoever has no URL to be reached by is still asked on its own machine. */
function hostsOf({ namespace, webhookUrl }: Config): readonly string[] {
  const own = webhookUrl === undefined ? ['localhost', '127.0.0.1', '[::1]'] : [new URL(webhookUrl).hostname]
  return [`${SERVICE}.${namespace}.svc`, ...own]
}

function bundlesOf({ config, cluster, log }: ServingParts, source: CertificateSource): BundleKeeper {
  const { namespace, webhookUrl: url } = config
  return keepBundles({
    configurations: { mutating: CONFIGURATIONS.mutate, validating: CONFIGURATIONS.validate },
    ours: { service: { namespace, name: SERVICE }, url },
    source,
    cluster: portOf(cluster),
    clock,
    log,
  })
}

function portOf({ watcher, writer }: Cluster): ClusterWatcher & Pick<ClusterWriter, 'replace' | 'patch'> {
  return {
    follow: (of, ref, tell) => watcher.follow(of, ref, tell),
    replace: (of, object) => writer.replace(of, object),
    patch: (of, ref, operations) => writer.patch(of, ref, operations),
  }
}

/**
 * What held once holds: an old cache or an API server that is away must not take all replicas out at once (SV-11).
 * Only a certificate that has expired is of no use to anybody.
 */
function checksOf({ config, cluster }: ServingParts, found: Progress): readonly Check[] {
  const isSynced = once(() => cluster.states().every(({ synced }) => synced))
  const isTrusted = once(() => !config.manageConfigurations || found.bundles?.observed() === true)
  return [
    { name: 'shutdown', missing: () => (found.isStopping ? 'this process is about to end' : undefined) },
    { name: 'certificate', missing: () => unserved(found) },
    { name: 'caches', missing: () => (isSynced() ? undefined : 'not everything has been listed yet') },
    {
      name: 'caBundle',
      missing: () => (isTrusted() ? undefined : 'a webhook configuration does not trust our CA yet'),
    },
  ]
}

function unserved({ source }: Progress): string | undefined {
  if (source === undefined) return 'there is no serving certificate yet'
  return source.current().notAfter > clock.now() ? undefined : 'the served certificate has expired'
}

function once(holds: () => boolean): () => boolean {
  let held = false
  return () => {
    held ||= holds()
    return held
  }
}

const ASKED_EVERY_MS = 20

/** Asked again and again, since there are as many reasons to become ready as there are checks. */
function passed(checks: readonly Check[], made: AsyncDisposableStack): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(ask, ASKED_EVERY_MS).unref()
  made.defer(() => clearInterval(timer))
  function ask(): void {
    if (checks.some(({ missing }) => missing() !== undefined)) return
    clearInterval(timer)
    resolve()
  }
  ask()
  return promise
}
