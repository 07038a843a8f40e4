import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { merge } from '../../webhooks/cloudflare/aggregation/merge.ts'
import { configMapName, sourcesIn } from '../../webhooks/cloudflare/aggregation/sources.ts'
import { theCluster } from './cluster.ts'
import { expectDone } from './product.ts'
import { hostOf, keyOf, SOURCES, staysAtLast } from './source-writers.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'cloudflare-sources'
const TUNNEL = randomUUID()
const PATH = `/api/v1/namespaces/${namespace}/configmaps/${configMapName(TUNNEL)}`
const WRITERS = 20
/** Ten times as often as a syncer that gathers changes for 500 ms. */
const ANNOTATED_EACH_MS = 50
/** Of the writers, which ones each process runs. */
const PROCESSES = [
  [0, 6],
  [7, 13],
  [14, 19],
] as const

beforeAll(async () => expectDone(await cluster.kubectl(['create', 'namespace', namespace])))
afterAll(async () => {
  for (const child of running) child.kill()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
})

async function stored(): Promise<Tree> {
  const { body } = await cluster.request('GET', PATH)
  const text = isTree(body) && isTree(body.data) ? body.data['config.json'] : undefined
  const content: unknown = typeof text === 'string' ? JSON.parse(text) : {}
  return isTree(content) ? content : {}
}
const keysOf = ({ sources }: Tree) => (isTree(sources) ? Object.keys(sources).toSorted() : [])

/** What a process says after it has written all of its sources. */
interface Pass {
  readonly attempts: readonly number[]
  /** So far. */
  readonly requeues: number
}
const running: ChildProcess[] = []
function started([first, last]: (typeof PROCESSES)[number]) {
  const program = join(import.meta.dirname, 'source-writers.ts')
  const child = fork(program, [cluster.kubeconfig('admin'), namespace, TUNNEL, String(first), String(last)])
  running.push(child)
  const ended: Promise<unknown> = once(child, 'exit').then(([code]) => code)
  const pass = async (): Promise<Pass> => {
    const early = ended.then((code) => Promise.reject(new Error(`a process of writers ended with ${code}`)))
    const [said] = await Promise.race([once(child, 'message'), early])
    return said
  }
  return { child, ended, pass }
}

/** Makes the version of every writer stale, again and again. */
function annotating() {
  let [count, isOver] = [0, false]
  const work = async () => {
    for (; !isOver; count += 1) {
      const patch = { metadata: { annotations: { 'cloudflare-operator.io/sync-message': String(count) } } }
      await cluster.request('PATCH', PATH, patch, { contentType: 'application/merge-patch+json' })
      await sleep(ANNOTATED_EACH_MS)
    }
    return count
  }
  const worked = work()
  const end = () => {
    isOver = true
    return worked
  }
  return { end, [Symbol.asyncDispose]: async () => void (await end()) }
}

async function deletedOnce(): Promise<void> {
  await until('100 sources are stored', async () => keysOf(await stored()).length >= 100, { seconds: 120 })
  expect(await cluster.request('DELETE', PATH)).toMatchObject({ status: 200 })
}

const TITLE = 'a syncer that annotates and a deletion between: no source is lost'
it(`CF-TST-09 CF-AGG-15 20 writers of 3 processes with 25 sources each, ${TITLE}`, async () => {
  await using syncer = annotating()
  const writers = PROCESSES.map(started)
  const [, ...first] = await Promise.all([deletedOnce(), ...writers.map(({ pass }) => pass())])
  for (const { child } of writers) child.send('assert')
  const second = await Promise.all(writers.map(({ pass }) => pass()))
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0])
  const annotations = await syncer.end()

  const content = await stored()
  expect(keysOf(content)).toEqual(WANTED.map(({ writer, at }) => keyOf(writer, at)).toSorted())
  expect(hostnamesIn(content)).toEqual(WANTED.map(({ writer, at }) => hostOf(writer, at)).toSorted())
  const requeues = second.reduce((sum, each) => sum + each.requeues, 0)
  console.log(`${attemptsOf([...first, ...second])}, ${requeues} requeued, beside ${annotations} annotations`)
}, 240_000)

const WANTED = Array.from({ length: WRITERS * SOURCES }, (_, index) => ({
  writer: Math.floor(index / SOURCES),
  at: index % SOURCES,
})).filter(({ at }) => staysAtLast(at))

/** Of what would be sent. */
function hostnamesIn(content: Tree): readonly unknown[] {
  const sources = sourcesIn(content)
  if (typeof sources === 'string') throw new Error(sources)
  const { config } = merge(sources, { maxRules: 1_000, crossNamespace: 'deny' })
  return config.ingress
    .slice(0, -1)
    .map(({ hostname }) => hostname)
    .toSorted()
}

function attemptsOf(passes: readonly Pass[]): string {
  const sorted = passes.flatMap(({ attempts }) => attempts).toSorted((one, other) => one - other)
  const [p50, p99] = [0.5, 0.99].map((share) => sorted[Math.ceil(sorted.length * share) - 1])
  return `${sorted.length} changes: attempts p50 ${p50}, p99 ${p99}, most ${sorted.at(-1)}`
}
