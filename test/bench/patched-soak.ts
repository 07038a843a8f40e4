import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '../support/builders/trees.ts'
import type { PatchedCluster } from './patched-cluster.ts'
import { figuresAt } from './process-figures.ts'
import { percentile, type Row } from './table.ts'

const EACH_MS = 1_000
/** Of each Node of the first half, while it lasts. */
const AWAY = { disk: 'small' }
/** Fewer than are marked in the same time. */
const MOST_AT_ONCE = 10

interface Soak {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly minutes: number
}

/** PATCH-T-45: labels of one half of the Nodes come and go; the pods of the other half stay, and so does the heap. */
export async function soakRow(fleet: PatchedCluster, { name, labels, minutes }: Soak): Promise<Row> {
  const { nodes, metrics } = fleet
  const half = nodes.slice(0, nodes.length / 2)
  const others = new Set(nodes.slice(nodes.length / 2))
  const before = await uidsOn(others, fleet, name)
  const heaps: Record<'webhook' | 'worker', number[]> = { webhook: [], worker: [] }
  const end = performance.now() + minutes * 60_000
  let changes = 0
  for (let round = 0; performance.now() < end; round += 1) {
    const from = (round * MOST_AT_ONCE) % half.length
    const some = half.slice(from, from + MOST_AT_ONCE)
    await fleet.label(some, Math.floor((round * MOST_AT_ONCE) / half.length) % 2 === 0 ? AWAY : labels)
    changes += some.length
    for (const each of ['webhook', 'worker'] as const) heaps[each].push((await figuresAt(metrics[each])).heap)
    await sleep(EACH_MS)
  }
  const after = await uidsOn(others, fleet, name)
  const restarted = [...before].filter((uid) => !after.has(uid)).length
  return {
    id: 'PATCH-T-45',
    what: `${minutes} minutes in which ${changes} labels of half of the Nodes come and go: pods of the other half that were replaced, and the heap of the last quarter by that of the second`,
    goal: '0; ≤ 1.1 ×',
    measured: `${restarted}; worker ${growth(heaps.worker)}, webhook ${growth(heaps.webhook)}`,
    beside: '',
  }
}

async function uidsOn(nodes: ReadonlySet<string>, fleet: PatchedCluster, name: string): Promise<ReadonlySet<unknown>> {
  const pods = (await fleet.pods(name)).filter((pod) => nodes.has(String(at(pod, 'spec.nodeName'))))
  return new Set(pods.map((pod) => at(pod, 'metadata.uid')))
}

/** The first quarter warms up. Of each the lower values count: they are those after a collection. */
function growth(heaps: readonly number[]): string {
  const quarter = Math.floor(heaps.length / 4)
  const low = (of: readonly number[]) => percentile(of, 0.25)
  return `${(low(heaps.slice(-quarter)) / low(heaps.slice(quarter, 2 * quarter))).toFixed(2)} ×`
}
