import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Cluster } from '../cluster/port.ts'
import { type Config, VERSION } from '../config.ts'
import { kindsOf } from '../family.ts'
import type { Kind } from '../kind.ts'
import { certSecret } from '../print/workloads.ts'
import { meansOf } from '../process/means.ts'
import { type Metrics, metricsOf } from '../process/metrics.ts'
import { type Ready, SERVING, serve } from '../process/reviews.ts'
import { type Log, logTo } from '../telemetry/log.ts'
import { Meter } from '../telemetry/metrics.ts'
import type { Chosen, Command, ExitCode, World } from './command.ts'

export const webhook: Command = {
  settings: ['cluster', 'kubeconfig', ...SERVING],
  run: (config, world, { families }) => runWebhook({ config, families }, world, () => undefined),
}

interface WebhookOptions extends Pick<Chosen, 'families'> {
  readonly config: Config
}

/** Serves until it is told to stop; `greet` hears of it when it is ready. */
export async function runWebhook(
  { config, families }: WebhookOptions,
  world: World,
  onReady: (ready: Ready) => void,
): Promise<ExitCode> {
  const kinds = kindsOf(families)
  const log = logTo({ write: world.err }, config.logLevel)
  const meter = new Meter('tars_admission_')
  const metrics = metricsOf(meter)
  const build = { version: VERSION, node: process.versions.node }
  log.info(build, 'starting')
  metrics.buildInfo.set(build, 1)
  const stopped = world.untilStopped((why, err) => {
    metrics.handlerErrors.inc({ kind: '', class: why })
    log.error({ class: why, err }, 'nobody caught an error')
  })
  meter.collectProcess()
  const cluster = await clusterOf({ config, kinds, metrics, log })
  const serving = serve({ kinds, config, cluster, metrics, log })
  const announced = serving.ready.then((ready) => {
    world.out(`${JSON.stringify({ event: 'ready', version: VERSION, ...ready })}\n`)
    onReady(ready)
    return stopped
  })
  try {
    const { why, code } = await Promise.race([stopped, announced])
    log.info({ signal: why }, 'stopping')
    return code
  } finally {
    await serving.stop()
    cluster.stop()
  }
}

interface ClusterParts {
  readonly config: Config
  readonly kinds: readonly Kind[]
  readonly log: Log
}

async function clusterOf({ metrics, ...parts }: ClusterParts & { readonly metrics: Metrics }): Promise<Cluster> {
  const { config, kinds, log } = parts
  if (config.cluster === 'memory') return seededCluster(parts)
  const { kubeCluster } = await import('../cluster/kube/kube-cluster.ts')
  const reads = kinds.flatMap((kind) => kind.reads)
  return kubeCluster({ kubeconfig: config.kubeconfig, reads, metrics, log })
}

/** With the empty Secret of the manifests, so that certificates come about as in a real cluster. */
async function seededCluster(parts: ClusterParts): Promise<Cluster> {
  const { config, kinds } = parts
  const { asCluster, memoryCluster } = await import('../process/memory-cluster.ts')
  const memory = memoryCluster(kinds)
  memory.seed([certSecret(config.namespace)])
  if (config.seed.length > 0) await seedFrom(memory, parts) // whoever has no seed does not wait until YAML is loaded
  return asCluster(memory)
}

async function seedFrom(memory: MemoryCluster, { config, kinds, log }: ClusterParts): Promise<void> {
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
