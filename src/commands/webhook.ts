import type { Remotes } from '../admission/mutation.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import { needsOf } from '../cluster/needs.ts'
import type { Cluster } from '../cluster/port.ts'
import { kindsOf } from '../family.ts'
import type { Kind } from '../kind.ts'
import { certSecret } from '../print/workloads.ts'
import { ourselvesIn } from '../process/identities.ts'
import { metricsOf, PREFIX } from '../process/metrics.ts'
import { type ProcessOptions, runProcess } from '../process/process.ts'
import { remotesOf } from '../process/remotes.ts'
import { SERVING, type ServingParts, serving } from '../process/reviews.ts'
import type { Command } from './command.ts'

export const webhook: Command = {
  settings: ['cluster', 'kubeconfig', ...SERVING],
  run(config, world, { families }) {
    const open = config.cluster === 'memory' ? embeddedCluster : connectedCluster
    return runProcess({ config, prefix: PREFIX, parts: servingOn(open, kindsOf(families)) }, world)
  },
}

type Shared = Omit<ServingParts, 'cluster'>
type OpenCluster = (shared: Shared, opened: AsyncDisposableStack) => Promise<Cluster>

export function servingOn(open: OpenCluster, kinds: readonly Kind[]): ProcessOptions['parts'] {
  return async ({ config, log, meter, metrics }, opened) => {
    const shared = { config, log, kinds, metrics: metricsOf(meter, metrics) }
    const cluster = opened.adopt(await open(shared, opened), (each) => each.stop())
    return serving({ ...shared, cluster })
  }
}

async function connectedCluster({ config: { kubeconfig }, kinds, metrics, log }: Shared): Promise<Cluster> {
  const { kubeCluster } = await import('../cluster/kube/kube-cluster.ts')
  return kubeCluster({ kubeconfig, reads: needsOf({ kinds }, 'webhook').reads, metrics, log })
}

/**
 * A cluster in this process that sends each write to our own code. It contains the empty Secret of the manifests, so that
 * certificates are issued as in a real cluster.
 */
export async function embeddedCluster(shared: Shared, opened: AsyncDisposableStack): Promise<Cluster> {
  const { config, kinds } = shared
  const [{ admittedCluster }, { asCluster }] = await Promise.all([
    import('../process/in-process-webhook.ts'),
    import('../process/memory-cluster.ts'),
  ])
  const { namespace, enforce } = config
  const remotes = opened.adopt(remotesOf(), ({ stop }) => stop())
  const memory = admittedCluster({ config, kinds, remotes, namespace, enforce })
  memory.seed([certSecret(namespace)])
  if (config.seed.length > 0) await seedFrom(memory, { ...shared, remotes }) // YAML is loaded only for a seed
  return asCluster(memory, needsOf({ kinds }, 'webhook').reads, ourselvesIn(namespace))
}

async function seedFrom(
  memory: MemoryCluster,
  { config, kinds, remotes, log }: Shared & { readonly remotes: Remotes },
): Promise<void> {
  const [{ storedIn }, { seed }] = await Promise.all([import('../review/objects.ts'), import('../review/seed.ts')])
  const note = (text: string) => log.warn({ note: text }, 'not all of --seed is there as it would be in a cluster')
  const placed = await storedIn(config.seed, 'default', { kinds, recursive: false, note })
  await seed(memory, placed, { kinds, config, remotes, note })
}
