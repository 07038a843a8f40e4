import { kinds } from '../../webhooks/index.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Cluster } from '../cluster/port.ts'
import { type Config, VERSION } from '../config.ts'
import { certSecret } from '../print/workloads.ts'
import { meansOf } from '../process/means.ts'
import { type Metrics, metricsOf } from '../process/metrics.ts'
import { type Ready, SERVING, serve } from '../process/reviews.ts'
import { type Log, logTo } from '../telemetry/log.ts'
import { Meter } from '../telemetry/metrics.ts'
import type { Command, ExitCode, World } from './command.ts'

export const webhook: Command = {
  settings: ['cluster', 'kubeconfig', ...SERVING],
  run: (config, world) => runWebhook(config, world, () => undefined),
}

/** Serves until it is told to stop; `greet` hears of it when it is ready. */
export async function runWebhook(config: Config, world: World, onReady: (ready: Ready) => void): Promise<ExitCode> {
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
  const cluster = await clusterOf(config, metrics, log)
  const serving = serve({ config, cluster, metrics, log })
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

async function clusterOf(config: Config, metrics: Metrics, log: Log): Promise<Cluster> {
  if (config.cluster === 'memory') return seededCluster(config, log)
  const { kubeCluster } = await import('../cluster/kube/kube-cluster.ts')
  const reads = kinds.flatMap((kind) => kind.reads)
  return kubeCluster({ kubeconfig: config.kubeconfig, reads, metrics, log })
}

/** With the empty Secret of the manifests, so that certificates come about as in a real cluster. */
async function seededCluster(config: Config, log: Log): Promise<Cluster> {
  const { asCluster, memoryCluster } = await import('../process/memory-cluster.ts')
  const memory = memoryCluster()
  memory.seed([certSecret(config.namespace)])
  if (config.seed.length > 0) await seedFrom(memory, config, log) // whoever has no seed does not wait until YAML is loaded
  return asCluster(memory)
}

async function seedFrom(memory: MemoryCluster, config: Config, log: Log): Promise<void> {
  const [{ storedIn }, { seed }] = await Promise.all([import('../review/objects.ts'), import('../review/seed.ts')])
  await using means = new AsyncDisposableStack()
  const { passwords } = means.adopt(meansOf(), ({ stop }) => stop())
  const note = (text: string) => log.warn({ note: text }, 'not all of --seed is there as it would be in a cluster')
  await seed(memory, await storedIn(config.seed, 'default', { recursive: false, note }), {
    config,
    means: { passwords },
    note,
  })
}
