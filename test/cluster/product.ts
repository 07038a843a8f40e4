import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installedKinds } from '../support/kinds.ts'
import type { Cluster, Printed, ServiceAccount } from './client.ts'
import { freePort } from './control-plane.ts'
import { type Ended, type Processes, processesIn } from './processes.ts'
import { until } from './until.ts'

const NODE = 'node_modules/.bin/node'
const SOURCES = 'src/bin/tars-admission.ts'
/** So many webhooks are in our configurations: doors of one name are one. */
export const WEBHOOKS = new Set(installedKinds.flatMap(({ doors }) => doors.map(({ name }) => name))).size
export const IDENTITY = { namespace: 'tars-system', name: 'tars-webhook' } as const

export const WORKER = { namespace: 'tars-system', name: 'tars-controller' } as const

/** One of our programs as a process of its own, under the token of its service account unless the case says otherwise. */
export interface OurProcess<R> {
  /** Of this run: the line that a ready process prints. */
  ready(): Promise<R>
  /** With these flags beside the usual ones. */
  start(...flags: readonly string[]): Promise<R>
  startAs(account: ServiceAccount, ...flags: readonly string[]): Promise<R>
  /** Sends a signal and does not wait: SIGSTOP ends nothing. */
  signal(signal: NodeJS.Signals): void
  /** Asks it to end, or ends it. */
  stop(signal?: NodeJS.Signals): Promise<Ended>
  log(): string
}
export interface Webhook extends OurProcess<Ready> {
  readonly url: string
}
interface SidePorts {
  readonly health: string
  readonly metrics: string
}
export interface Ready extends SidePorts {
  readonly address: string
  readonly ca: string
}
export interface WorkerReady extends SidePorts {
  readonly identity: string
}

export interface Product {
  readonly webhook: Webhook
  /** A worker that is not started yet. One name stands for one process. */
  worker(name?: string): OurProcess<WorkerReady>
  /** What `manifests` prints for this installation. */
  manifests(set: string): Promise<string>
  /** Meanwhile no webhook is asked: it has ended, and its configurations are gone. */
  withoutWebhook(act: () => Promise<void>): Promise<void>
  /** Everything of ours goes from the cluster, the configurations first. */
  uninstall(): Promise<void>
  /** Ends our processes alone. */
  close(): Promise<void>
}

/** The printed manifests as they are, and one webhook, reached by URL; ready when this returns. */
export const install = (cluster: Cluster, ...flags: readonly string[]): Promise<Product> =>
  installAs(cluster, {}, ...flags)

export interface Installation {
  readonly namespace?: string
  /** Flags of manifests, webhook and worker alike. */
  readonly told?: readonly string[]
}
/** The same in a namespace of its own, whose accounts are others, or with other families. */
export async function installAs(
  cluster: Cluster,
  { namespace = IDENTITY.namespace, told = [] }: Installation,
  ...flags: readonly string[]
): Promise<Product> {
  const url = `https://127.0.0.1:${await freePort()}`
  const shared = [`--namespace=${namespace}`, ...told]
  const manifests = (set: string) => tarsAdmission('manifests', '--set', set, '--webhook-url', url, ...shared)
  const printed = await manifests('all')
  const definitions = definitionsIn(printed)
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: printed }))
  const named = definitions.map((name) => `crd/${name}`)
  expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', ...named]))
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-processes-'))
  const processes = processesIn(folder, cluster.logs)
  const close = () => processes.close()
  const program = { ...webhookProgram(url, join(folder, 'certs')), account: { ...IDENTITY, namespace }, shared }
  const webhook = { url, ...ourProcess<Ready>(cluster, processes, program) }
  try {
    await webhook.start(...flags)
  } catch (cause) {
    await close()
    throw cause
  }
  const remove = async (set: string) => {
    const stdin = await manifests(set)
    expectDone(await cluster.kubectl(['delete', '--ignore-not-found', '--timeout=50s', '-f', '-'], { stdin }))
  }
  return {
    webhook,
    worker(name = 'worker') {
      const account = { ...WORKER, namespace }
      return ourProcess(cluster, processes, { name, account, args: ['worker', ...SIDES], shared })
    },
    manifests,
    close,
    async withoutWebhook(act) {
      await webhook.stop()
      await remove('webhooks')
      try {
        await act()
      } finally {
        expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: await manifests('webhooks') }))
        await webhook.start(...flags)
      }
    },
    async uninstall() {
      await remove('webhooks')
      await close()
      // Those that an API server has never been asked for may not go for minutes (docs/operations.md).
      expectDone(await cluster.kubectl(['get', definitions.join(), '--all-namespaces']))
      await remove('all')
    },
  }
}

const definitionsIn = (printed: string) =>
  [...printed.matchAll(/^kind: CustomResourceDefinition\nmetadata:\n {2}name: (\S+)$/gm)].map(([, name = '']) => name)

/** The same cluster, but workers of the product reach it through a proxy. */
export const workersThrough = (proxy: Pick<Cluster, 'kubeconfigFor'>, cluster: Cluster): Cluster => ({
  ...cluster,
  kubeconfigFor: (account) => (account.name === WORKER.name ? proxy : cluster).kubeconfigFor(account),
})

/** The command, as a person types it in a clone. */
export async function tarsAdmission(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(NODE, [SOURCES, ...args], { maxBuffer: 64 * 1024 * 1024 })
  return stdout
}

const SIDES = ['--host=127.0.0.1', '--metrics-port=0', '--health-port=0']

function webhookProgram(url: string, certDir: string): Pick<OurProgram, 'name' | 'args'> {
  mkdirSync(certDir, { recursive: true })
  const port = `--port=${new URL(url).port}`
  const args = ['webhook', '--webhook-url', url, '--manage-configurations', ...SIDES, port, '--drain-seconds=0']
  return { name: 'webhook', args: [...args, '--cert-dir', certDir] }
}

interface OurProgram {
  readonly name: string
  readonly account: ServiceAccount
  readonly args: readonly string[]
  readonly shared: readonly string[]
}

function ourProcess<R>(cluster: Cluster, processes: Processes, program: OurProgram): OurProcess<R> {
  const { name, account } = program
  const args = [...program.args, ...program.shared]
  const logFile = join(cluster.logs, `${name}.log`)
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
  let run: Promise<Ended> | undefined
  let readBefore = 0

  async function startAs(account: ServiceAccount, ...flags: readonly string[]): Promise<R> {
    const kubeconfig = await cluster.kubeconfigFor(account)
    readBefore = log().length
    run = processes.run({ name, command: NODE, args: [SOURCES, ...args, '--kubeconfig', kubeconfig, ...flags] })
    const ended = new AbortController()
    run.then(
      ({ words }) => ended.abort(new Error(`the ${name} ended:\n${words}`)),
      (cause) => ended.abort(cause),
    )
    await until(`the ${name} is ready`, () => readyLine() !== undefined, { unless: ended.signal })
    return ready()
  }

  const readyLine = () =>
    log()
      .slice(readBefore)
      .split('\n')
      .find((line) => line.startsWith('{"event":"ready"'))

  async function ready(): Promise<R> {
    return JSON.parse(readyLine() ?? '{}')
  }
  const signal = (signal: NodeJS.Signals) => processes.signal(name, signal)
  async function stop(how: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (run === undefined) throw new Error(`the ${name} does not run`)
    signal(how)
    return run
  }
  return { ready, start: (...flags) => startAs(account, ...flags), startAs, signal, stop, log }
}

export function expectDone({ code, stderr }: Printed): void {
  if (code !== 0) throw new Error(`kubectl ended with ${code}: ${stderr}`)
}
