import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { binaries } from '../cluster/binaries.ts'
import { freePort } from '../cluster/control-plane.ts'
import { etcdProgram } from '../cluster/etcd-program.ts'
import { processesIn } from '../cluster/processes.ts'
import { until } from '../cluster/until.ts'

/** A real etcd, as a writer and an operator see it. */
export interface SyncStore extends AsyncDisposable {
  readonly endpoint: string
  put(key: string, value: string): Promise<void>
  /** How many watches it serves. */
  watches(): Promise<number>
}

export async function syncStore(folder: string): Promise<SyncStore> {
  const { etcd } = await binaries()
  const home = mkdtempSync(join(folder, 'etcd-'))
  const processes = processesIn(home, folder)
  const [endpoint, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  processes.keep(etcdProgram({ command: etcd, data: join(home, 'data'), client: endpoint, peer }))
  const put = async (key: string, value: string) => {
    const body = JSON.stringify({ key: base64(key), value: base64(value) })
    const answer = await fetch(`${endpoint}/v3/kv/put`, { method: 'POST', body })
    if (!answer.ok) throw new Error(`etcd answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  try {
    await until('etcd answers', () => put('/ready', '').then(() => true), { unless: processes.failed })
  } catch (cause) {
    await processes.close()
    throw cause
  }
  return {
    endpoint,
    put,
    async watches() {
      const metrics = await (await fetch(`${endpoint}/metrics`)).text()
      return Number(/^etcd_debugging_mvcc_watcher_total (\d+)$/m.exec(metrics)?.[1])
    },
    [Symbol.asyncDispose]: () => processes.close(),
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
