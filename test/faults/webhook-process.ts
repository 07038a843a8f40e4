import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { type Ended, processesIn } from '../cluster/processes.ts'
import { until } from '../cluster/until.ts'
import type { MemoryLimit } from './memory-limit.ts'

const NODE = 'node_modules/.bin/node'
const PROGRAM = 'dist/tars-admission.js' // what is in the image; `npm run faults` builds it

export interface WebhookProcess {
  readonly address: string
  readonly port: number
  readonly health: string
  readonly metrics: string
  /** The certificate to trust, in PEM. */
  readonly ca: string
  readonly pid: number
  /** From /proc: VmRSS, VmHWM, …; in bytes. */
  memory(field: 'VmRSS' | 'VmHWM'): number
  /** All samples of a metric together. */
  counted(name: string): Promise<number>
  log(): string
  /** When it ended, which it should not by itself. */
  readonly ended: Promise<Ended>
  /** Asks it to end, and says how it did. */
  stop(): Promise<Ended>
}

export interface Wanted {
  readonly args?: readonly string[]
  readonly nodeArgs?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly limit?: MemoryLimit | undefined
  /** A serving pair and its CA are there already, for `--certs=files`. */
  readonly withPair?: boolean
}

/** The webhook as it is shipped, on the embedded cluster with one root template unless the arguments say otherwise. */
export async function webhookProcess(wanted: Wanted = {}): Promise<WebhookProcess> {
  const { args = EMBEDDED, nodeArgs = [], env, limit, withPair = false } = wanted
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-faults-'))
  const certDir = join(folder, 'certs')
  mkdirSync(certDir)
  if (withPair) await certificatesIn(certDir)
  const processes = processesIn(folder, folder)
  const into = limit === undefined ? [] : ['sh', '-c', `echo $$ > ${limit.procs} && exec "$@"`, 'sh']
  const words = [...into, NODE, ...nodeArgs, PROGRAM, 'webhook', ...PORTS, `--cert-dir=${certDir}`, ...args]
  const [command = NODE, ...rest] = words
  const log = () => (existsSync(join(folder, 'webhook.log')) ? readFileSync(join(folder, 'webhook.log'), 'utf8') : '')
  const gone = new AbortController()
  const ended = processes.run({ name: 'webhook', command, args: rest, env: { ...process.env, ...env } })
  ended.then(({ words }) => gone.abort(new Error(`the webhook ended:\n${words}`)))
  await until('the webhook is ready', () => log().includes(READY), { unless: gone.signal })
  const { address, health, metrics, ca } = JSON.parse(
    log()
      .split('\n')
      .find((line) => line.startsWith(READY)) ?? '{}',
  )
  const pid = Number(readFileSync(join(folder, 'webhook.pid'), 'utf8'))
  return {
    ...{ address, health, metrics, pid, log, ended },
    port: Number(new URL(address).port),
    ca: readFileSync(ca, 'utf8'),
    memory: (field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(statusOf(pid))?.[1] ?? Number.NaN) * 1024,
    async counted(name) {
      const said = await (await fetch(`${metrics}/metrics`)).text()
      const lines = said.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    },
    async stop() {
      if (!gone.signal.aborted) process.kill(pid, 'SIGTERM')
      const how = await ended
      await processes.close()
      await limit?.remove()
      return how
    },
  }
}

async function certificatesIn(folder: string): Promise<void> {
  const authority = await issueAuthority(new Date())
  const { cert, key } = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const files = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content, { mode: 0o600 })
}

const READY = '{"event":"ready"'
const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
const EMBEDDED = ['--cluster=memory', '--seed=test/faults/seed']

function statusOf(pid: number): string {
  return existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
}
