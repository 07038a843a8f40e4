import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as open } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Binaries, Controllers } from './binaries.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { pidIn } from './processes.ts'
import { until } from './until.ts'

/** `ann` may get rights from a suite, `eve` never does; the system users are those of the programs. */
export const USERS = ['admin', 'ann', 'eve', 'system:kube-controller-manager', 'system:kube-scheduler'] as const
export type User = (typeof USERS)[number]

export interface ServiceAccount {
  readonly namespace: string
  readonly name: string
}

export type ProgramName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager'

/** What a control plane is, as plain data: it travels to the workers of vitest. */
export interface ClusterFacts {
  readonly url: string
  readonly port: number
  /** PEM file; whoever talks to the API server verifies it with this. */
  readonly ca: string
  /** JSON lines: everything, all stages but RequestReceived; bodies only where a control plane is told to. */
  readonly auditLog: string
  readonly logs: string
  /** Keys, kubeconfigs, pid files; gone when the control plane is. */
  readonly folder: string
  readonly binaries: Binaries
  readonly tokens: Readonly<Record<User, string>>
}

export interface Answer {
  readonly status: number
  /** Parsed where it is JSON, otherwise the text. */
  readonly body: unknown
}

export interface Printed {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface Sender {
  /** `admin` when absent. */
  readonly as?: User | ServiceAccount
}

export interface Cluster extends ClusterFacts {
  kubeconfig(user: User): string
  /** With a fresh token, good for an hour. */
  kubeconfigFor(account: ServiceAccount): Promise<string>
  kubectl(
    args: readonly string[],
    options?: Sender & { readonly stdin?: string; readonly env?: NodeJS.ProcessEnv },
  ): Promise<Printed>
  request(
    method: string,
    path: string,
    body?: unknown,
    options?: Sender & { readonly contentType?: string },
  ): Promise<Answer>
  /** Undefined while it is down. */
  pid(program: ProgramName): number | undefined
  /** The API server takes connections but answers nothing, until it is resumed. */
  pauseApiServer(): Promise<void>
  resumeApiServer(): void
  /** Kills the API server and waits for the next one, on the same store and port. */
  restartApiServer(): Promise<void>
  /** For suites that are nothing without them; throws where KUBEBUILDER_ASSETS is set. */
  needControllers(): Controllers
}

export function clientOf(facts: ClusterFacts): Cluster {
  const { folder, binaries, tokens } = facts

  const kubeconfig = (user: User) => join(folder, `${user}.kubeconfig`)

  async function tokenOf(who: User | ServiceAccount): Promise<string> {
    if (typeof who === 'string') return tokens[who]
    const path = `/api/v1/namespaces/${who.namespace}/serviceaccounts/${who.name}/token`
    return tokenIn(await request('POST', path, { spec: { expirationSeconds: 3600 } }))
  }

  async function kubeconfigFor(account: ServiceAccount): Promise<string> {
    const file = join(folder, `${account.namespace}.${account.name}.${randomUUID()}.kubeconfig`)
    writeKubeconfig(file, facts, await tokenOf(account))
    return file
  }

  const request = requestOf(facts, tokenOf)
  const kubectl = kubectlOf(facts, async (who) => (typeof who === 'string' ? kubeconfig(who) : kubeconfigFor(who)))
  const pid = (program: ProgramName) => pidIn(folder, program)

  function signalApiServer(signal: NodeJS.Signals): number {
    const running = pid('kube-apiserver')
    if (running === undefined) throw new Error(`the API server is down, see ${facts.logs}`)
    process.kill(running, signal)
    return running
  }

  return {
    ...facts,
    kubeconfig,
    kubeconfigFor,
    kubectl,
    request,
    pid,
    async pauseApiServer() {
      const stopped = signalApiServer('SIGSTOP')
      await until('the API server stands still', () => standsStill(stopped))
    },
    resumeApiServer: () => void signalApiServer('SIGCONT'),
    async restartApiServer() {
      // The process that started it starts the next one.
      const last = signalApiServer('SIGKILL')
      const isBack = async () => pid('kube-apiserver') !== last && (await isReady(request))
      await until('the API server is back', isBack, { seconds: 30 })
    },
    needControllers() {
      if (binaries.controllers !== undefined) return binaries.controllers
      throw new Error('This suite needs kube-controller-manager, which KUBEBUILDER_ASSETS does not have: unset it.')
    },
  }
}

function requestOf(
  { url, ca }: ClusterFacts,
  tokenOf: (who: User | ServiceAccount) => Promise<string>,
): Cluster['request'] {
  return async (method, path, body, { as = 'admin', contentType } = {}) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${await tokenOf(as)}`,
      'content-type': contentType ?? 'application/json',
      ...(sent !== undefined && { 'content-length': Buffer.byteLength(sent) }), // or Node sends none with a DELETE
    }
    // A connection for each request: one kept from before a restart would fail.
    const options = { method, headers, signal: AbortSignal.timeout(30_000), ca: readFileSync(ca), agent: false }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      open(new URL(path, url), options, resolve).on('error', reject).end(sent)
    })
    const shown = await text(response)
    const isJson = response.headers['content-type']?.includes('json')
    return { status: response.statusCode ?? 0, body: isJson ? JSON.parse(shown) : shown }
  }
}

function kubectlOf(
  { folder, binaries }: ClusterFacts,
  kubeconfigOf: (who: User | ServiceAccount) => Promise<string>,
): Cluster['kubectl'] {
  return async (args, { as = 'admin', stdin = '', env } = {}) => {
    const KUBECONFIG = await kubeconfigOf(as)
    const options = {
      // HOME: neither cache nor preferences of whoever runs the tests.
      env: { ...process.env, ...env, HOME: folder, KUBECONFIG },
      timeout: 55_000, // under that of a test, so that none outlives it
      maxBuffer: 64 * 1024 * 1024,
    }
    return new Promise((resolve, reject) => {
      const child = execFile(binaries.kubectl, args, options, (error, stdout, stderr) => {
        if (typeof error?.code === 'string') return reject(error) // it did not even start
        const words = error?.killed ? `${stderr}killed after 55 s` : stderr
        resolve({ code: error === null ? 0 : (error.code ?? 1), stdout, stderr: words })
      })
      child.stdin?.on('error', () => undefined) // it may end before it has read all
      child.stdin?.end(stdin)
    })
  }
}

export async function isReady(request: Cluster['request']): Promise<boolean> {
  const { status } = await request('GET', '/readyz')
  return status === 200
}

function tokenIn({ status, body }: Answer): string {
  if (typeof body === 'object' && body !== null && 'status' in body) {
    const granted = body.status
    if (typeof granted === 'object' && granted !== null && 'token' in granted && typeof granted.token === 'string') {
      return granted.token
    }
  }
  throw new Error(`no token, but ${status}: ${JSON.stringify(body)}`)
}

/** On a busy machine a thread may still answer after the signal was sent. */
function standsStill(pid: number | undefined): boolean {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.every((thread) => / T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')))
}
