import { kubeMetrics } from '../cluster/kube/metrics.ts'
import { type Needs, needsOf } from '../cluster/needs.ts'
import type { Cluster } from '../cluster/port.ts'
import { type Config, type Listed, OF_FAMILIES } from '../config.ts'
import { type Fact, needsOfFacts } from '../fact.ts'
import { controllersOf, type Family, factsIn, kindsOf } from '../family.ts'
import type { Kind } from '../kind.ts'
import { caches } from '../process/caches.ts'
import { type ElectingParts, electing } from '../process/electing.ts'
import { factsOn, knowing } from '../process/facts.ts'
import { workerIn } from '../process/identities.ts'
import { measuring } from '../process/measuring.ts'
import { type ProcessContext, type ProcessOptions, runProcess } from '../process/process.ts'
import { type ReconcilingParts, reconciling, WORKER_PREFIX } from '../process/reconciling.ts'
import { remotesOf } from '../process/remotes.ts'
import type { ProcessPart } from '../process/running.ts'
import type { LeaseClient } from '../reconcile/lease-record.ts'
import { openCloudflare } from '../remote/cloudflare/client.ts'
import type { Command } from './command.ts'

/** Settings of a worker, whatever cluster it works on. */
export const RECONCILING: readonly Listed[] = [
  'namespaces',
  'leaderElect',
  'besideUpstream',
  'writesPerSecond',
  'families',
  'profile',
  OF_FAMILIES,
]

export const worker: Command = {
  settings: ['cluster', 'kubeconfig', 'host', 'metricsPort', 'healthPort', 'namespace', 'seed', ...RECONCILING],
  run(config, world, { families }) {
    return runProcess({ config, prefix: WORKER_PREFIX, parts: reconcilingOn(families) }, world)
  },
}

function reconcilingOn(families: readonly Family[]): ProcessOptions['parts'] {
  return async (context, opened) => {
    const { config } = context
    const remotes = opened.adopt(remotesOf({ cloudflare: openCloudflare }), ({ stop }) => stop())
    const controllers = controllersOf(families, remotes, config.settings)
    const kinds = kindsOf(families, config.settings)
    const asked = factsIn(families)
    const needs = needsOf({ controllers, facts: needsOfFacts(asked) }, 'worker')
    const open = config.cluster === 'memory' ? embeddedCluster : connectedCluster
    const cluster = opened.adopt(await open({ ...context, kinds, asked, needs }, opened), (each) => each.stop())
    const client = await leaseClient(context, cluster, opened)
    const measure = measuring({ ...context, families, cached: cluster.readers.cached }, opened)
    const facts = factsOn(cluster, { ...context, asked, measure })
    const parts = { ...context, client, controllers, kinds, cluster, facts, measure }
    return [caches(cluster), knowing(facts, cluster.watcher), ...controlling(parts)]
  }
}

type Controlling = ElectingParts & Omit<ReconcilingParts, 'leadership'>
/** What runs controllers while it leads, on whatever cluster. */
export function controlling(parts: Controlling): readonly ProcessPart[] {
  const elects = electing(parts)
  return [elects, reconciling({ ...parts, leadership: elects.leadership })]
}

async function leaseClient(
  { config }: ProcessContext,
  { readers, writer }: Cluster,
  opened: AsyncDisposableStack,
): Promise<LeaseClient> {
  if (config.cluster === 'memory') return { reader: readers.live, writer }
  const { openLeaseClient } = await import('../cluster/kube/lease-client.ts')
  return opened.adopt(await openLeaseClient(config.kubeconfig), ({ stop }) => stop())
}

interface Opening extends ProcessContext {
  readonly kinds: readonly Kind[]
  readonly asked: readonly Fact<unknown>[]
  readonly needs: Needs
}

async function connectedCluster({ config, needs: { reads }, ...context }: Opening): Promise<Cluster> {
  const { kubeCluster } = await import('../cluster/kube/kube-cluster.ts')
  const metrics = { ...context.metrics, ...kubeMetrics(context.meter) }
  return kubeCluster({ kubeconfig: config.kubeconfig, reads, metrics, log: context.log, scope: scopeOf(config) })
}

async function embeddedCluster({ needs, ...parts }: Opening, opened: AsyncDisposableStack): Promise<Cluster> {
  const [{ embedded }, { asCluster }] = await Promise.all([
    import('./embedded.ts'),
    import('../process/memory-cluster.ts'),
  ])
  const memory = await embedded(parts, opened)
  return asCluster(memory, needs.reads, workerIn(parts.config.namespace), scopeOf(parts.config))
}

const scopeOf = ({ namespaces, namespace: home }: Config) => ({ namespaces, home })
