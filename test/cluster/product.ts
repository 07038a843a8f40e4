import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kinds } from '../support/kinds.ts'
import type { Cluster, Printed, ServiceAccount } from './client.ts'
import { freePort } from './control-plane.ts'
import { type Ended, processesIn } from './processes.ts'
import { until } from './until.ts'

const NODE = 'node_modules/.bin/node'
const SOURCES = 'src/bin/tars-admission.ts'
/** So many webhooks are in our configurations: doors of one name are one. */
export const WEBHOOKS = new Set(kinds.flatMap(({ doors }) => doors.map(({ name }) => name))).size
/** Those that an API server has never been asked for may not go for minutes (docs/operations.md). */
const KINDS = readdirSync('manifests/crds')
  .map((file) => file.replace(/\.yaml$/, ''))
  .join()
export const IDENTITY = { namespace: 'tars-system', name: 'tars-webhook' } as const

/** Our webhook as a process of its own, under the token of its service account unless the case says otherwise. */
export interface Webhook {
  readonly url: string
  /** Of this run: the line that a ready process prints. */
  ready(): Promise<Ready>
  /** With these flags beside the usual ones. */
  start(...flags: readonly string[]): Promise<Ready>
  startAs(account: ServiceAccount, ...flags: readonly string[]): Promise<Ready>
  /** Asks it to end, or ends it. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  log(): string
}
export interface Ready {
  readonly address: string
  readonly health: string
  readonly metrics: string
  readonly ca: string
}

export interface Product {
  readonly webhook: Webhook
  /** What `manifests` prints for this installation. */
  manifests(set: string): Promise<string>
  /** Everything of ours goes from the cluster, the configurations first. */
  uninstall(): Promise<void>
  /** Ends the webhook alone. */
  close(): Promise<void>
}

/** The printed manifests as they are, and one webhook, reached by URL; ready when this returns. */
export async function install(cluster: Cluster, ...flags: readonly string[]): Promise<Product> {
  const url = `https://127.0.0.1:${await freePort()}`
  const manifests = (set: string) => tarsAdmission('manifests', '--set', set, '--webhook-url', url)
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: await manifests('all') }))
  expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', '-f', 'manifests/crds']))
  const { webhook, close } = webhookOf(cluster, url)
  try {
    await webhook.start(...flags)
  } catch (cause) {
    await close()
    throw cause
  }
  return {
    webhook,
    manifests,
    close,
    async uninstall() {
      const remove = async (set: string) => {
        const stdin = await manifests(set)
        expectDone(await cluster.kubectl(['delete', '--ignore-not-found', '--timeout=50s', '-f', '-'], { stdin }))
      }
      await remove('webhooks')
      await close()
      expectDone(await cluster.kubectl(['get', KINDS, '--all-namespaces']))
      await remove('all')
    },
  }
}

/** The command, as a person types it in a clone. */
export async function tarsAdmission(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(NODE, [SOURCES, ...args], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

function webhookOf(cluster: Cluster, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-webhook-'))
  const processes = processesIn(folder, cluster.logs)
  const logFile = join(cluster.logs, 'webhook.log')
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
  let run: Promise<Ended> | undefined
  let readBefore = 0

  const start = (...flags: readonly string[]) => startAs(IDENTITY, ...flags)

  async function startAs(account: ServiceAccount, ...flags: readonly string[]): Promise<Ready> {
    const kubeconfig = await cluster.kubeconfigFor(account)
    const certDir = join(folder, 'certs')
    mkdirSync(certDir, { recursive: true })
    const args = [SOURCES, 'webhook', '--kubeconfig', kubeconfig, '--webhook-url', url, '--manage-configurations']
    const ports = [
      '--host=127.0.0.1',
      `--port=${new URL(url).port}`,
      '--metrics-port=0',
      '--health-port=0',
      '--drain-seconds=0',
    ]
    readBefore = log().length
    const command = { name: 'webhook', command: NODE, args: [...args, ...ports, '--cert-dir', certDir, ...flags] }
    run = processes.run(command)
    const ended = new AbortController()
    run.then(
      ({ words }) => ended.abort(new Error(`the webhook ended:\n${words}`)),
      (cause) => ended.abort(cause),
    )
    await until('the webhook is ready', () => readyLine() !== undefined, { unless: ended.signal })
    return ready()
  }

  const readyLine = () =>
    log()
      .slice(readBefore)
      .split('\n')
      .find((line) => line.startsWith('{"event":"ready"'))

  async function ready(): Promise<Ready> {
    return JSON.parse(readyLine() ?? '{}')
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (run === undefined) throw new Error('the webhook does not run')
    processes.signal('webhook', signal)
    return run
  }
  return { webhook: { url, ready, start, startAs, stop, log } satisfies Webhook, close: () => processes.close() }
}

export function expectDone({ code, stderr }: Printed): void {
  if (code !== 0) throw new Error(`kubectl ended with ${code}: ${stderr}`)
}
