import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { kwok } from './binaries.ts'
import type { Cluster } from './client.ts'
import { schedulerOf } from './control-plane.ts'
import { processesIn } from './processes.ts'
import { until } from './until.ts'

export interface SimulatedNodes {
  /** Deletes the nodes, ends kwok and the scheduler. */
  stop(): Promise<void>
}

/** Nodes that say they are Ready, a scheduler, and with them pods that become Ready although nothing runs. */
export async function simulatedNodes(cluster: Cluster, names: readonly string[]): Promise<SimulatedNodes> {
  const scheduler = schedulerOf(cluster)
  const { binary, stages } = await kwok()
  const processes = processesIn(mkdtempSync(join(cluster.folder, 'nodes-')), cluster.logs)
  const nodes = names.map((name) => `node/${name}`)

  async function stop() {
    await cluster.kubectl(['delete', '--ignore-not-found', ...nodes])
    await processes.close()
  }

  processes.keep({
    name: 'kwok',
    command: binary,
    args: [`--kubeconfig=${cluster.kubeconfig('admin')}`, '--manage-all-nodes', `--config=${stages}`],
  })
  processes.keep(scheduler)
  try {
    for (const name of names) await cluster.request('POST', '/api/v1/nodes', { metadata: { name } })
    const wait = ['wait', '--for=condition=Ready', '--timeout=1s', ...nodes]
    const areReady = async () => (await cluster.kubectl(wait)).code === 0
    await until('simulated nodes are Ready', areReady, { unless: processes.failed })
  } catch (cause) {
    await stop()
    throw cause
  }
  return { stop }
}
