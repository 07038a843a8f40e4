import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trustEnd } from '../../certs/chain.ts'
import { filesSource } from '../../certs/files.ts'
import type { CertMetrics } from '../../certs/metrics.ts'
import type { ServingPair } from '../../certs/pair.ts'
import { secretSource } from '../../certs/secret.ts'
import { selfSource } from '../../certs/self.ts'
import type { CertificateSource } from '../../certs/source.ts'
import type { Cluster } from '../cluster/port.ts'
import type { Config } from '../config.ts'
import { CERT_SECRET, SERVICE } from '../print/objects.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { pairFolder } from './files.ts'
import type { ProcessContext } from './process.ts'
import type { ProcessPart } from './running.ts'
import { writingPort } from './writing-port.ts'

export interface PairParts extends Pick<ProcessContext, 'config' | 'log'> {
  readonly cluster: Cluster
  readonly metrics: CertMetrics
}

export interface ServingPairPart extends ProcessPart {
  /** Once there is a pair, and so never when none can be found: then the part does not start. */
  readonly source: Promise<CertificateSource>
}

export function servingPair(parts: PairParts): ServingPairPart {
  const { promise, resolve } = Promise.withResolvers<CertificateSource>()
  let source: CertificateSource | undefined
  return {
    source: promise,
    checks: [{ name: 'certificate', missing: () => unserved(source) }],
    async start(opened) {
      const certDir = await certDirOf(parts.config, opened)
      source = await sourceOf(parts, certDir)
      opened.adopt(source, (each) => each.stop())
      resolve(source)
      return { ca: join(certDir, 'ca.crt') }
    },
  }
}

/** An expired certificate takes a replica out of the Service again, because no caller accepts it (SV-11). */
function unserved(source: CertificateSource | undefined): string | undefined {
  if (source === undefined) return 'there is no serving certificate yet'
  return source.current().notAfter > clock.now() ? undefined : 'the served certificate has expired'
}

/** Serves each new pair, and sets the metric of its expiry. */
export function follow(source: CertificateSource, metrics: CertMetrics, use: (pair: ServingPair) => void): void {
  const show = (pair: ServingPair) => {
    use(pair)
    for (const [role, end] of Object.entries({ serving: pair.notAfter, ca: trustEnd(pair) })) {
      if (end !== undefined) metrics.certNotAfter.set({ role }, end.getTime() / 1_000)
    }
  }
  show(source.current()) // It may have been renewed since the server was made.
  source.onRenewed((renewed) => {
    show(renewed)
    metrics.certReloads.inc({ result: 'done' })
  })
}

/** Creates a temporary folder for the CA certificate unless the operator names one. */
async function certDirOf(config: Config, opened: AsyncDisposableStack): Promise<string> {
  if (config.certs === 'files') return pairFolder(config)
  if (config.certDir !== undefined) return config.certDir
  const folder = await mkdtemp(join(tmpdir(), 'tars-admission-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function sourceOf({ config, cluster, metrics, log }: PairParts, certDir: string): Promise<CertificateSource> {
  const { certs, namespace } = config
  const context = { secret: { namespace, name: CERT_SECRET }, cluster: writingPort(cluster), clock, log, metrics }
  switch (certs) {
    case 'self':
      return selfSource({ ...context, hosts: hostsOf(config), certDir })
    case 'files':
      return filesSource({ folder: certDir, clock, log, metrics })
    case 'secret':
      return secretSource({ ...context, certDir })
  }
}

/** Without a URL callers on this machine still reach it. */
function hostsOf({ namespace, webhookUrl }: Config): readonly string[] {
  const own = webhookUrl === undefined ? ['localhost', '127.0.0.1', '[::1]'] : [new URL(webhookUrl).hostname]
  return [`${SERVICE}.${namespace}.svc`, ...own]
}
