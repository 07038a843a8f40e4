import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from '../../src/schema.ts'
import { at, treesOf } from '../support/builders/trees.ts'
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
    const areReady = async () => {
      const all = treesOf(at((await cluster.request('GET', '/api/v1/nodes')).body, 'items'))
      const ready = new Set(all.filter(isReady).map((node) => at(node, 'metadata.name')))
      return names.every((name) => ready.has(name))
    }
    await until('simulated nodes are Ready', areReady, { unless: processes.failed })
  } catch (cause) {
    await stop()
    throw cause
  }
  return { stop }
}

const isReady = (node: Tree) =>
  treesOf(at(node, 'status.conditions')).some(({ type, status }) => type === 'Ready' && status === 'True')
