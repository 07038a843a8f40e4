import { needsOf } from '../cluster/needs.ts'
import type { Cluster } from '../cluster/port.ts'
import { kindsOf } from '../family.ts'
import type { Kind } from '../kind.ts'
import { ourselvesIn } from '../process/identities.ts'
import { metricsOf, PREFIX } from '../process/metrics.ts'
import { type ProcessOptions, runProcess } from '../process/process.ts'
import { SERVING, type ServingParts, serving } from '../process/reviews.ts'
import type { Command } from './command.ts'

export const webhook: Command = {
  settings: ['cluster', 'kubeconfig', ...SERVING],
  run(config, world, { families }) {
    const open = config.cluster === 'memory' ? embeddedCluster : connectedCluster
    return runProcess({ config, prefix: PREFIX, parts: servingOn(open, kindsOf(families, config.settings)) }, world)
  },
}

type Shared = Omit<ServingParts, 'cluster'>
type OpenCluster = (shared: Shared, opened: AsyncDisposableStack) => Promise<Cluster>

function servingOn(open: OpenCluster, kinds: readonly Kind[]): ProcessOptions['parts'] {
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

export async function embeddedCluster(shared: Shared, opened: AsyncDisposableStack): Promise<Cluster> {
  const [{ embedded }, { asCluster }] = await Promise.all([
    import('./embedded.ts'),
    import('../process/memory-cluster.ts'),
  ])
  const { kinds, config } = shared
  return asCluster(await embedded(shared, opened), needsOf({ kinds }, 'webhook').reads, ourselvesIn(config.namespace))
}
