import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../cluster/control-plane.ts'
import { cached } from '../cluster/go-modules.ts'
import { pidIn, processesIn } from '../cluster/processes.ts'
import { until } from '../cluster/until.ts'
import { cpuTimeOf } from './child.ts'
import type { Peer } from './race.ts'
import type { Setting } from './setting.ts'

const NAME = 'go-peer'
const SOURCE = {
  folder: join(import.meta.dirname, NAME),
  what: 'a webhook with controller-runtime, about two minutes the first time',
}

export const goPeerFolder = () =>
  cached(SOURCE, (into, go) => go('build', '-trimpath', '-ldflags=-s -w', '-o', into, '.'))

/** The webhook that a team which works in Go writes. */
export async function goPeer({ folder }: Pick<Setting, 'folder'>): Promise<Peer> {
  const built = await goPeerFolder()
  const port = await freePort()
  const home = mkdtempSync(join(folder, NAME))
  const processes = processesIn(home, home)
  processes.keep({ name: NAME, command: join(built, NAME), args: [`--cert-dir=${folder}`, `--port=${port}`] })
  try {
    await until('the webhook in Go listens', () => listens(port), { unless: processes.failed })
  } catch (cause) {
    await processes.close()
    throw cause
  }
  return { port, cpu: async () => cpuTimeOf(pidIn(home, NAME)), stop: () => processes.close() }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } finally {
    socket.destroy()
  }
}
