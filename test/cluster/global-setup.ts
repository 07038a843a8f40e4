import type { TestProject } from 'vitest/node'
import type { ClusterFacts } from './client.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly cluster: ClusterFacts
  }
}

export default async function controlPlane(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startControlPlane({ bodiesAudited: true })
  project.provide('cluster', cluster.facts)
  return () => tearDown(cluster)
}

/** The logs stay if anything has failed. */
export async function tearDown(cluster: ControlPlane): Promise<void> {
  const keepLogs = Boolean(process.exitCode) // vitest sets it before it tears down, whatever failed
  await cluster.stop({ keepLogs })
  if (keepLogs) process.stderr.write(`logs of the control plane: ${cluster.logs}\n`)
}
