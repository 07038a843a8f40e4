import { needsOf } from '../cluster/needs.ts'
import type { Cluster } from '../cluster/port.ts'
import { type Fact, needsOfFacts } from '../fact.ts'
import { type Family, factsIn, kindsOf } from '../family.ts'
import { factsOn, knowing } from '../process/facts.ts'
import { ourselvesIn } from '../process/identities.ts'
import { measuring } from '../process/measuring.ts'
import { metricsOf, PREFIX } from '../process/metrics.ts'
import { type ProcessOptions, runProcess } from '../process/process.ts'
import { SERVING, type ServingParts, serving } from '../process/reviews.ts'
import type { Command } from './command.ts'

export const webhook: Command = {
  settings: ['cluster', 'kubeconfig', ...SERVING],
  run(config, world, { families }) {
    const open = config.cluster === 'memory' ? embeddedCluster : connectedCluster
    return runProcess({ config, prefix: PREFIX, parts: servingOn(open, families) }, world)
  },
}

type Shared = Omit<ServingParts, 'cluster' | 'facts'> & { readonly asked: readonly Fact<unknown>[] }
type OpenCluster = (shared: Shared, opened: AsyncDisposableStack) => Promise<Cluster>

function servingOn(open: OpenCluster, families: readonly Family[]): ProcessOptions['parts'] {
  return async ({ config, log, meter, metrics }, opened) => {
    const asked = factsIn(families)
    const shared = { config, log, kinds: kindsOf(families, config.settings), asked, metrics: metricsOf(meter, metrics) }
    const cluster = opened.adopt(await open(shared, opened), (each) => each.stop())
    const measure = measuring({ families, meter, cached: cluster.readers.cached }, opened)
    const facts = factsOn(cluster, { ...shared, measure })
    return [knowing(facts, cluster.watcher), ...serving({ ...shared, cluster, facts, measure })]
  }
}

async function connectedCluster({ config: { kubeconfig }, metrics, log, ...shared }: Shared): Promise<Cluster> {
  const { kubeCluster } = await import('../cluster/kube/kube-cluster.ts')
  return kubeCluster({ kubeconfig, reads: readsOf(shared), metrics, log })
}

export async function embeddedCluster(shared: Shared, opened: AsyncDisposableStack): Promise<Cluster> {
  const [{ embedded }, { asCluster }] = await Promise.all([
    import('./embedded.ts'),
    import('../process/memory-cluster.ts'),
  ])
  return asCluster(await embedded(shared, opened), readsOf(shared), ourselvesIn(shared.config.namespace))
}

const readsOf = ({ kinds, asked }: Pick<Shared, 'kinds' | 'asked'>) =>
  needsOf({ kinds, facts: needsOfFacts(asked) }, 'webhook').reads
