import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ended, processesIn } from '../cluster/processes.ts'
import { until } from '../cluster/until.ts'
import { AUTHORITY, aPair } from '../support/certificates.ts'
import { imageEnv, imageFlags } from '../support/image.ts'
import { kubeletWrites } from '../support/kubelet.ts'
import type { MemoryLimit } from './memory-limit.ts'

const NODE = 'node_modules/.bin/node'
const BUNDLE = 'dist/tars-admission.js' // what is in the image; `npm run faults` builds it
export const SOURCES = 'src/bin/tars-admission.ts'

/** The heap is that of a container of this size, whether the process is in one or not. */
export const CONTAINER_MIB = 256
const NODE_ARGS = imageFlags().map((flag) =>
  flag.replace(/-percentage=(\d+)$/, (_, share) => `=${Math.floor((share * CONTAINER_MIB) / 100)}`),
)

export interface WebhookProcess {
  readonly address: string
  readonly port: number
  readonly health: string
  readonly metrics: string
  /** The certificate to trust, in PEM. */
  readonly ca: string
  /** Where its certificates are. */
  readonly certDir: string
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
  /** Besides those of the image. */
  readonly nodeArgs?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly limit?: MemoryLimit | undefined
  /** A serving pair and its CA are there already, laid down as kubelet does, for `--certs=files`. */
  readonly withPair?: boolean
  /** The bundle, unless somebody cannot rely on a build. */
  readonly program?: string
}

/** The webhook as it is shipped, on the embedded cluster with one root template unless the arguments say otherwise. */
export async function webhookProcess(wanted: Wanted = {}): Promise<WebhookProcess> {
  const { args = EMBEDDED, nodeArgs = [], env, limit, withPair = false, program = BUNDLE } = wanted
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-faults-'))
  const certDir = join(folder, 'certs')
  mkdirSync(certDir)
  if (withPair) kubeletWrites(certDir, await pairFiles())
  const processes = processesIn(folder, folder)
  const into = limit === undefined ? [] : ['sh', '-c', `echo $$ > ${limit.procs} && exec "$@"`, 'sh']
  const words = [
    ...into,
    NODE,
    ...NODE_ARGS,
    ...nodeArgs,
    program,
    'webhook',
    ...PORTS,
    `--cert-dir=${certDir}`,
    ...args,
  ]
  const [command = NODE, ...rest] = words
  const log = () => (existsSync(join(folder, 'webhook.log')) ? readFileSync(join(folder, 'webhook.log'), 'utf8') : '')
  const gone = new AbortController()
  const ended = processes.run({ name: 'webhook', command, args: rest, env: { ...process.env, ...imageEnv(), ...env } })
  ended.then(({ words }) => gone.abort(new Error(`the webhook ended:\n${words}`)))
  await until('the webhook is ready', () => log().includes(READY), { unless: gone.signal })
  const { address, health, metrics, ca } = JSON.parse(
    log()
      .split('\n')
      .find((line) => line.startsWith(READY)) ?? '{}',
  )
  const pid = Number(readFileSync(join(folder, 'webhook.pid'), 'utf8'))
  return {
    ...{ address, health, metrics, certDir, pid, log, ended },
    port: Number(new URL(address).port),
    ca: readFileSync(ca, 'utf8'),
    memory: (field) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(statusOf(pid))?.[1] ?? Number.NaN) * 1024,
    async counted(name) {
      const shown = await (await fetch(`${metrics}/metrics`)).text()
      const lines = shown.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
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

/** A pair of its own each time, and always the same CA. */
export async function pairFiles(): Promise<Readonly<Record<'tls.crt' | 'tls.key' | 'ca.crt', string>>> {
  const { cert, key } = await aPair()
  return { 'tls.crt': cert, 'tls.key': key, 'ca.crt': AUTHORITY.cert }
}

const READY = '{"event":"ready"'
/** No drain, which each stop would wait for. */
const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
const EMBEDDED = ['--cluster=memory', '--seed=test/faults/seed']

function statusOf(pid: number): string {
  return existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : ''
}
