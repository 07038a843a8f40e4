import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from './client.ts'
import { until } from './until.ts'

/** Kills API server and etcd, and what was stored is gone: the next ones begin anew, with low versions. */
export async function restartOnEmptyStore(cluster: Cluster): Promise<void> {
  await cluster.pauseApiServer() // or it would see its store go
  rmSync(join(cluster.folder, 'etcd'), { recursive: true, force: true })
  const last = cluster.pid('etcd')
  if (last === undefined) throw new Error(`etcd is down, see ${cluster.logs}`)
  process.kill(last, 'SIGKILL')
  await until('etcd is back', () => ![undefined, last].includes(cluster.pid('etcd')))
  await cluster.restartApiServer()
}
