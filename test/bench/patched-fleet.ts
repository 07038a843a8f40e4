import { isTree, type Tree } from '../../src/schema.ts'
import { PODS_WEBHOOK } from '../../webhooks/kruise/doors.ts'
import { ANNOTATIONS } from '../../webhooks/kruise/names.ts'
import { until } from '../cluster/until.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { type PatchedCluster, patchedCluster } from './patched-cluster.ts'
import { listOf, patchOf } from './patched-nodes.ts'
import { soakRow } from './patched-soak.ts'
import {
  figuresAt,
  type ProcessFigures,
  quantileMs,
  type WebhookWaits,
  waitsBetween,
  waitsFor,
} from './process-figures.ts'
import type { Measurement } from './setting.ts'
import { MEGA, type Row } from './table.ts'

const LARGE = { disk: 'large' }
const STABLE_SECONDS = 1
const OTHERS = 20
const PATCHES = 10
const EACH = Array.from({ length: PATCHES }, (_, i) => i).join()

/** A DaemonSet with ten patches of 1 KB beside the same without, on a real API server with simulated Nodes. */
export const patchedFleet: Measurement = {
  ids: ['PATCH-T-40', 'PATCH-T-41', 'PATCH-T-44', 'PATCH-T-45'],
  async measure({ quick, minutes = quick ? 0.25 : 10 }) {
    const count = quick ? 40 : 1_000
    await using fleet = await patchedCluster(count, `--relabel-stabilization-seconds=${STABLE_SECONDS}`)
    await fleet.label(fleet.nodes, LARGE)
    const calls = await callsForOthers(fleet)
    await fleet.create('warm', listOf(PATCHES))
    await fleet.remove('warm') // its pods would be marked beside those that are measured
    const plain = await lifeOf(fleet, 'plain')
    const patched = await lifeOf(fleet, 'patched')
    return [
      ...lifeRows(count, plain, patched),
      othersRow(calls),
      ...(await relabelRows(fleet)),
      await soakRow(fleet, { name: 'patched', labels: LARGE, minutes }),
    ]
  },
}

interface Costs {
  readonly ms: number
  readonly webhook: Spent
  readonly worker: Spent
  readonly waits: WebhookWaits
}
interface Spent {
  readonly cpuMs: number
  readonly rss: number
}
interface Life {
  readonly created: Costs
  readonly rolled: Costs
}

async function lifeOf(fleet: PatchedCluster, name: 'plain' | 'patched'): Promise<Life> {
  const list = name === 'patched' ? listOf(PATCHES) : []
  const created = await costsOf(fleet, () => fleet.create(name, list))
  if (name === 'patched') (await fleet.pods(name)).forEach(expectPatched)
  const [, ...rest] = list
  const change = name === 'patched' ? { list: [{ ...list[0], patch: patchOf(PATCHES) }, ...rest] } : { value: 'second' }
  return { created, rolled: await costsOf(fleet, () => fleet.roll(name, change)) }
}

function expectPatched(pod: Tree): void {
  const annotations = at(pod, 'metadata.annotations')
  const applied = isTree(annotations) ? annotations[ANNOTATIONS.applied] : undefined
  const variables = treesOf(at(pod, 'spec.containers.0.env'))
  if (applied === EACH && variables.length === PATCHES + 1) return
  throw new Error(`a pod is not patched: ${JSON.stringify(pod)}`)
}

async function costsOf({ cluster, metrics }: PatchedCluster, work: () => Promise<number>): Promise<Costs> {
  const read = async () => ({
    webhook: await figuresAt(metrics.webhook),
    worker: await figuresAt(metrics.worker),
    waits: await waitsFor(PODS_WEBHOOK, cluster),
  })
  const before = await read()
  const ms = await work()
  const after = await read()
  const spent = (of: 'webhook' | 'worker') => between(before[of], after[of])
  return { ms, webhook: spent('webhook'), worker: spent('worker'), waits: waitsBetween(before.waits, after.waits) }
}
const between = (before: ProcessFigures, after: ProcessFigures): Spent => ({
  cpuMs: after.cpuMs - before.cpuMs,
  rss: after.rss,
})

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const costWords = ({ webhook, worker }: Costs) =>
  `CPU of webhook and worker ${seconds(webhook.cpuMs)}, ${seconds(worker.cpuMs)}; RSS ${(webhook.rss / MEGA).toFixed(0)} MB, ${(worker.rss / MEGA).toFixed(0)} MB`
const row = (id: string, what: string, goal: string, measured: string, beside = ''): Row => ({
  id,
  what,
  goal,
  measured,
  beside,
})

function lifeRows(count: number, plain: Life, patched: Life): readonly Row[] {
  const nodes = `${count.toLocaleString('en')} simulated Nodes`
  const mean = ({ waits }: Costs) => `mean ${((1_000 * waits.seconds) / waits.count).toFixed(1)} ms`
  const p99 = ({ waits }: Costs) => `${quantileMs(waits, 0.99).toFixed(1)} ms`
  const line = (what: string, of: keyof Life) =>
    row(
      'PATCH-T-40',
      what,
      '–',
      `${seconds(patched[of].ms)}; ${costWords(patched[of])}`,
      `without patches ${seconds(plain[of].ms)}; ${costWords(plain[of])}`,
    )
  return [
    line(
      `a DaemonSet with ten patches of 1 KB on ${nodes} is created: until each Node has its pod, all of them right`,
      'created',
    ),
    row(
      'PATCH-T-40',
      `p99 of the webhook for its pods as the API server sees it, by its histogram, ${patched.created.waits.count} pods at once`,
      '≤ 15 ms',
      `${p99(patched.created)}, ${mean(patched.created)}`,
      `without patches ${p99(plain.created)}, ${mean(plain.created)}`,
    ),
    line(
      `one of its patches is edited: until all pods are new and available, under maxUnavailable 25 % and 20 marks a second (beside it an edit of the template)`,
      'rolled',
    ),
  ]
}

/** Pods that no DaemonSet owns. */
async function callsForOthers({ cluster, send }: PatchedCluster): Promise<number> {
  const before = await waitsFor(PODS_WEBHOOK, cluster)
  for (let i = 0; i < OTHERS; i += 1) {
    const spec = { containers: [{ name: 'other', image: 'example.com/other' }] }
    await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: `other-${i}` }, spec })
  }
  return (await waitsFor(PODS_WEBHOOK, cluster)).count - before.count
}
const othersRow = (calls: number) =>
  row('PATCH-T-41', `calls of the webhook for ${OTHERS} pods that no DaemonSet owns`, '0', String(calls))

/** All at once, under OnDelete, so that the marks stay. */
async function relabelRows(fleet: PatchedCluster): Promise<readonly Row[]> {
  const { metrics, nodes } = fleet
  await fleet.merge('patched', { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } })
  const started = performance.now()
  await fleet.label(nodes, { disk: 'small' })
  const labelled = performance.now() - started
  await figuresAt(metrics.worker)
  await until('all are marked', async () => (await fleet.pods('patched')).every(isMarked), { seconds: 600 })
  const took = performance.now() - started
  const { lagP99Ms } = await figuresAt(metrics.worker)
  await fleet.label(nodes, LARGE)
  await until('no mark is left', async () => !(await fleet.pods('patched')).some(isMarked), { seconds: 600 })
  await fleet.merge('patched', {
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } } },
  })
  const what = `${nodes.length.toLocaleString('en')} Nodes get another label at once`
  return [
    row(
      'PATCH-T-44',
      `${what}: until all pods are marked, at 20 marks a second, with ${STABLE_SECONDS} s of stabilization`,
      '≤ 60 s',
      seconds(took),
      `the labels alone ${seconds(labelled)}`,
    ),
    row('PATCH-T-44', 'delay of the event loop of the worker meanwhile, p99', '≤ 50 ms', `${lagP99Ms.toFixed(0)} ms`),
  ]
}
const isMarked = (pod: Tree) => String(at(pod, 'metadata.labels.controller-revision-hash')).endsWith('-stale')
