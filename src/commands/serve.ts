import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type BundleKeeper, keepBundles } from '../../certs/ca-bundle.ts'
import { wallClock } from '../../certs/clock.ts'
import { filesSource } from '../../certs/files.ts'
import { secretSource } from '../../certs/secret.ts'
import { selfSource } from '../../certs/self.ts'
import type { CertificateSource } from '../../certs/source.ts'
import { kinds } from '../../webhooks/index.ts'
import { answerer } from '../answer.ts'
import type { Cluster, ClusterWatcher, ClusterWriter } from '../cluster/port.ts'
import type { Config, Name } from '../config.ts'
import type { Clock } from '../http/clock.ts'
import { observer } from '../http/observer.ts'
import { reviewServer, takeUp } from '../http/review-server.ts'
import { type Check, healthServer, metricsServer } from '../http/side-servers.ts'
import { CERT_SECRET, CONFIGURATIONS, SERVICE } from '../print/objects.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { identitiesOf } from './identities.ts'

/** What is told of a webhook, whatever cluster it looks things up in. */
export const SERVING: readonly Name[] = [
  ...(['host', 'port', 'metricsPort', 'healthPort', 'certs', 'certDir', 'manageConfigurations', 'webhookUrl'] as const),
  ...(['namespace', 'enforce', 'profile', 'controllers', 'seed'] as const),
]

export interface ServingParts {
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

/** A webhook that listens. */
export interface Serving {
  /** Its caches are filled, and where it manages the configurations, they trust it. */
  readonly ready: Promise<Ready>
  /** The reviews in flight are answered, and nothing is left open. */
  stop(): Promise<void>
}

const LOG_EVERY = 100
const CHECK_EVERY = 1_000
const clock: Clock = { now: () => new Date(), tick: () => performance.now() }

export async function serve(parts: ServingParts): Promise<Serving> {
  const { config, cluster, metrics } = parts
  const certDir = config.certDir ?? (await mkdtemp(join(tmpdir(), 'tars-admission-')))
  const source = await sourceOf(parts, certDir)
  const bundles = config.manageConfigurations ? bundlesOf(parts, source) : undefined
  const checks = checksOf(cluster, source, bundles)
  const servers = [await reviewsOf(parts, source), healthServer(checks), metricsServer(metrics)]
  const ports = [config.port, config.healthPort, config.metricsPort]
  const [address = '', health = '', metricsAt = ''] = await listenAll(servers, config.host, ports)
  const ready = { address, health, metrics: metricsAt, ca: join(certDir, 'ca.crt') }
  return {
    ready: passed(checks).then(() => ready),
    async stop() {
      bundles?.stop()
      source.stop()
      await Promise.all(servers.map((server) => server.close()))
      cluster.stop()
    },
  }
}

async function reviewsOf(parts: ServingParts, source: CertificateSource): Promise<FastifyInstance> {
  const { config, cluster, metrics, log } = parts
  const { enforce, profile } = config
  const desk = { kinds, readers: cluster.readers, profile, enforce, identities: identitiesOf(config) }
  const answer = answerer(desk)
  const watcher = observer({ log, metrics, answerer: answer, enforce, logEvery: LOG_EVERY, checkEvery: CHECK_EVERY })
  const paths = [...new Set(kinds.flatMap(({ doors }) => doors.map(({ path }) => path)))]
  const pair = source.current()
  const app = await reviewServer({ paths, answerer: answer, clock, observer: watcher, pair, metrics })
  metrics.certNotAfter.set({ role: 'serving' }, pair.notAfter.getTime() / 1_000)
  source.onRenewed((renewed) => {
    takeUp(app, renewed)
    metrics.certNotAfter.set({ role: 'serving' }, renewed.notAfter.getTime() / 1_000)
    metrics.certReloads.inc({ result: 'done' })
  })
  return app
}

function sourceOf({ config, cluster, log }: ServingParts, certDir: string): Promise<CertificateSource> {
  const { certs, namespace, webhookUrl } = config
  const means = { secret: { namespace, name: CERT_SECRET }, cluster: portOf(cluster), clock: wallClock, log }
  const hosts = [`${SERVICE}.${namespace}.svc`, new URL(webhookUrl ?? 'https://127.0.0.1').hostname]
  switch (certs) {
    case 'self':
      return selfSource({ ...means, hosts, certDir })
    case 'files':
      return filesSource(certDir, wallClock)
    case 'secret':
      return secretSource({ ...means, certDir })
  }
}

function bundlesOf({ config, cluster, log }: ServingParts, source: CertificateSource): BundleKeeper {
  const { namespace, webhookUrl: url } = config
  return keepBundles({
    configurations: { mutating: CONFIGURATIONS.mutate, validating: CONFIGURATIONS.validate },
    ours: { service: { namespace, name: SERVICE }, url },
    source,
    cluster: portOf(cluster),
    clock: wallClock,
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
function checksOf(cluster: Cluster, source: CertificateSource, bundles: BundleKeeper | undefined): readonly Check[] {
  const isServed = () => source.current().notAfter > clock.now()
  const isSynced = once(() => cluster.states().every(({ synced }) => synced))
  const isTrusted = once(() => bundles?.observed() ?? true)
  return [
    { name: 'certificate', missing: () => (isServed() ? undefined : 'the served certificate has expired') },
    { name: 'caches', missing: () => (isSynced() ? undefined : 'not everything has been listed yet') },
    {
      name: 'caBundle',
      missing: () => (isTrusted() ? undefined : 'a webhook configuration does not trust our CA yet'),
    },
  ]
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
function passed(checks: readonly Check[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(ask, ASKED_EVERY_MS).unref()
  function ask(): void {
    if (checks.some(({ missing }) => missing() !== undefined)) return
    clearInterval(timer)
    resolve()
  }
  ask()
  return promise
}

async function listenAll(servers: readonly FastifyInstance[], host: string, ports: readonly number[]) {
  const addresses = await Promise.all(servers.map((server, at) => server.listen({ host, port: ports[at] ?? 0 })))
  return addresses
}
