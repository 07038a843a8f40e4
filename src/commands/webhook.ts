import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Cluster } from '../cluster/port.ts'
import { kindsOf } from '../family.ts'
import type { Kind } from '../kind.ts'
import { certSecret } from '../print/workloads.ts'
import { meansOf } from '../process/means.ts'
import { metricsOf, PREFIX } from '../process/metrics.ts'
import { type ProcessOptions, runProcess } from '../process/process.ts'
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
type OpenCluster = (shared: Shared) => Promise<Cluster>

export function servingOn(open: OpenCluster, kinds: readonly Kind[]): ProcessOptions['parts'] {
  return async ({ config, log, meter, metrics }, opened) => {
    const shared = { config, log, kinds, metrics: metricsOf(meter, metrics) }
    const cluster = opened.adopt(await open(shared), (each) => each.stop())
    return serving({ ...shared, cluster })
  }
}

async function connectedCluster({ config: { kubeconfig }, kinds, metrics, log }: Shared): Promise<Cluster> {
  const { kubeCluster } = await import('../cluster/kube/kube-cluster.ts')
  return kubeCluster({ kubeconfig, reads: kinds.flatMap(({ reads }) => reads), metrics, log })
}

/** With the empty Secret of the manifests, so that certificates come about as in a real cluster. */
export async function embeddedCluster(shared: Shared): Promise<Cluster> {
  const { config, kinds } = shared
  const { asCluster, memoryCluster } = await import('../process/memory-cluster.ts')
  const memory = memoryCluster(kinds)
  memory.seed([certSecret(config.namespace)])
  if (config.seed.length > 0) await seedFrom(memory, shared) // without a seed nothing waits until YAML is loaded
  return asCluster(memory)
}

async function seedFrom(memory: MemoryCluster, { config, kinds, log }: Shared): Promise<void> {
  const [{ storedIn }, { seed }] = await Promise.all([import('../review/objects.ts'), import('../review/seed.ts')])
  await using means = new AsyncDisposableStack()
  const { passwords } = means.adopt(meansOf(), ({ stop }) => stop())
  const note = (text: string) => log.warn({ note: text }, 'not all of --seed is there as it would be in a cluster')
  await seed(memory, await storedIn(config.seed, 'default', { kinds, recursive: false, note }), {
    kinds,
    config,
    means: { passwords },
    note,
  })
}
