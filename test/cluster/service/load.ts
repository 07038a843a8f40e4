import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Cluster } from '../client.ts'
import { expectDone } from '../product.ts'

export const template = (name: string, parent: string) => ({
  apiVersion: 'k8s.tars.io/v1beta2',
  kind: 'TTemplate',
  metadata: { name },
  spec: { parent, content: '<tars>\n</tars>\n' },
})
export const templatesIn = (namespace: string) => `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/ttemplates`

export interface Failure {
  readonly at: string
  readonly name: string
  /** 0 where the API server itself did not answer. */
  readonly status: number
  readonly message: string
  readonly ms: number
}

export interface Borne {
  readonly created: readonly string[]
  /** Those that were no dry runs, sorted. */
  readonly stored: readonly string[]
  readonly failed: readonly Failure[]
  readonly seconds: number
  /** Calls of our webhooks that the API server counted meanwhile, those that failed too. */
  readonly reviews: number
}

export interface Load {
  /** No more creates, and what became of all of them. With the test it ends anyway. */
  stop(): Promise<Borne>
}

/** A namespace for one load, with the root of its templates. */
export async function groundFor(cluster: Cluster, namespace: string): Promise<string> {
  const stdin = JSON.stringify(template('root', 'root'))
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await cluster.kubectl(['create', `--namespace=${namespace}`, '-f', '-'], { stdin }))
  return namespace
}

interface Pace {
  readonly perSecond: number
  /** One create in so many is stored, the others are dry runs: a webhook reviews those too, and its start stays short. */
  readonly oneStoredIn?: number
}

/** Creates templates below the root there, so many each second, whatever becomes of the last. */
export async function loadOn(cluster: Cluster, namespace: string, pace: Pace): Promise<Load> {
  const { perSecond, oneStoredIn = 1 } = pace
  const agent = new Agent({ keepAlive: true, maxSockets: 100, ca: readFileSync(cluster.ca) })
  const reviewsBefore = await webhookCalls(cluster)
  const started = performance.now()
  const [created, stored]: [string[], string[]] = [[], []]
  const failed: Failure[] = []
  const under: Promise<void>[] = []

  async function create(number: number): Promise<void> {
    const [name, dryRun] = [`t-${number}`, number % oneStoredIn !== 0]
    const [at, since] = [new Date().toISOString(), performance.now()]
    const { status, message } = await post({ cluster, agent, namespace, name, dryRun })
    if (status === 201) created.push(name)
    if (status === 201 && !dryRun) stored.push(name)
    if (status !== 201) failed.push({ at, name, status, message, ms: Math.round(performance.now() - since) })
  }
  const ticking = setInterval(() => {
    const due = ((performance.now() - started) / 1_000) * perSecond
    while (under.length < due) under.push(create(under.length))
  }, 5)

  const stop = () => clearInterval(ticking)
  onTestFinished(stop)

  return {
    async stop() {
      stop()
      const seconds = (performance.now() - started) / 1_000
      await Promise.all(under)
      agent.destroy()
      return { created, stored: stored.sort(), failed, seconds, reviews: (await webhookCalls(cluster)) - reviewsBefore }
    },
  }
}

interface Create {
  readonly cluster: Cluster
  readonly agent: Agent
  readonly namespace: string
  readonly name: string
  readonly dryRun: boolean
}
function post({ cluster, agent, namespace, name, dryRun }: Create) {
  const url = new URL(`${templatesIn(namespace)}${dryRun ? '?dryRun=All' : ''}`, cluster.url)
  const headers = { authorization: `Bearer ${cluster.tokens.admin}`, 'content-type': 'application/json' }
  return new Promise<{ readonly status: number; readonly message: string }>((answered) => {
    const lost = (cause: unknown) => answered({ status: 0, message: String(cause) })
    request(url, { method: 'POST', headers, agent }, (response) => {
      text(response).then(
        (shown) => answered({ status: response.statusCode ?? 0, message: JSON.parse(shown).message ?? '' }),
        lost,
      )
    })
      .on('error', lost)
      .end(JSON.stringify(template(name, 'root')))
  })
}

/** As the API server counts them. */
async function webhookCalls(cluster: Cluster): Promise<number> {
  const { body } = await cluster.request('GET', '/metrics')
  const counts = String(body).matchAll(/^apiserver_admission_webhook_request_total\{.*tars\.io.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** The names of what is stored, the root left out, and whether each of them is complete. */
export async function storedIn(cluster: Cluster, namespace: string) {
  const { body } = await cluster.request('GET', templatesIn(namespace))
  const { items } = JSON.parse(JSON.stringify(body))
  const found: readonly Built[] = items.filter(({ metadata }: Built) => metadata.name !== 'root')
  return {
    names: found.map(({ metadata }) => metadata.name).sort(),
    incomplete: found.filter(({ metadata }) => metadata.labels?.['tars.io/Parent'] !== 'root'),
  }
}

interface Built {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
}

export function figuresOf({ created, failed, seconds, reviews }: Borne): string {
  const rate = (count: number) => (count / seconds).toFixed(0)
  const creates = `${created.length} creates (${rate(created.length)}/s), ${failed.length} failed`
  return `${creates}, ${reviews} reviews (${rate(reviews)}/s) in ${seconds.toFixed(0)} s`
}

/** Load has to meet what is loaded before something is done to it, and after. */
export const passed = (ms: number) => new Promise((done) => setTimeout(done, ms))
