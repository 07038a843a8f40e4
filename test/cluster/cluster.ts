import { inject } from 'vitest'
import { type Cluster, clientOf } from './client.ts'

/** The control plane that all suites share. */
export function theCluster(): Cluster {
  // A worker outlives a vitest that was interrupted, and so would what a suite has started.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  return clientOf(inject('cluster'))
}
