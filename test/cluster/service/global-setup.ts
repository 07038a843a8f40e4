import type { TestProject } from 'vitest/node'
import { startControlPlane } from '../control-plane.ts'
import { tearDown } from '../global-setup.ts'
import { API_SERVER, hold } from './network.ts'
import { startNodes } from './nodes.ts'

export const NODES = ['anna', 'berta', 'clara']

export default async function cluster(project: TestProject): Promise<() => Promise<void>> {
  hold(API_SERVER)
  const cluster = await startControlPlane({ amongPods: API_SERVER })
  const nodes = await startNodes(cluster, NODES)
  project.provide('cluster', cluster.facts)
  return async () => {
    await nodes.stop()
    await tearDown(cluster)
  }
}
