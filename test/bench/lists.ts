import type { Tree } from '../../src/schema.ts'
import { type ControlPlane, startControlPlane } from '../cluster/control-plane.ts'
import { expectDone, tarsAdmission } from '../cluster/product.ts'
import { reported } from './child.ts'
import { postsTo } from './keep-alive-client.ts'
import { storedConfig } from './objects.ts'
import type { Measurement } from './setting.ts'
import { type Row, spreadOf } from './table.ts'

const BYTES = 4_096
const PATH = '/apis/k8s.tars.io/v1beta2/namespaces/default/tconfigs'
const WRITERS = 32

type Figures = Readonly<Record<string, number>>
const CONTENDERS = { ours: './our-cache.ts', stock: './stock-informer.ts' }

/** From the first request until all is in memory, on a real API server, beside the informer of the client library. */
export const lists: Measurement = {
  ids: ['PF-16'],
  async measure({ quick }) {
    const { rounds, count } = quick ? { rounds: 2, count: 2_000 } : { rounds: 5, count: 100_000 }
    const cluster = await startControlPlane()
    const kubeconfig = cluster.kubeconfig('admin')
    const measured: { ours: Figures[]; stock: Figures[] } = { ours: [], stock: [] }
    try {
      const stdin = await tarsAdmission('manifests', '--set', 'crds')
      expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin }))
      expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '-f', '-'], { stdin }))
      await fill(cluster, 0, count)
      for (let round = 0; round < rounds; round += 1) {
        measured.stock.push(await reported(CONTENDERS.stock, kubeconfig))
        measured.ours.push(await reported(CONTENDERS.ours, kubeconfig))
      }
      if (quick) return rowsOf(measured, count)
      await fill(cluster, count, 2 * count)
      return [...rowsOf(measured, count), await twiceAsMany(kubeconfig, 2 * count)]
    } finally {
      await cluster.stop()
    }
  },
}

async function fill(cluster: ControlPlane, from: number, to: number): Promise<void> {
  const { post, close } = postsTo(cluster, WRITERS)
  let next = from
  const writers = Array.from({ length: WRITERS }, async () => {
    while (next < to) await post(PATH, bodyOf(next++))
  })
  await Promise.all(writers)
  close()
}

function bodyOf(i: number): Tree {
  const { metadata, ...body } = storedConfig(i, BYTES)
  return { ...body, metadata: { name: metadata.name, labels: metadata.labels } }
}

function rowsOf({ ours, stock }: Record<'ours' | 'stock', readonly Figures[]>, count: number): readonly Row[] {
  const figure = (name: string, unit: string) => {
    const of = (all: readonly Figures[]) =>
      spreadOf(
        all.map((each) => each[name] ?? Number.NaN),
        0,
        unit,
      )
    return { measured: of(ours), beside: `stock informer ${of(stock)}` }
  }
  const objects = `${count.toLocaleString('en')} TConfigs of 4 KB`
  return [
    {
      id: 'PF-16',
      what: `${objects} on a real API server: start to synced`,
      goal: '≤ 3,500 ms',
      ...figure('ms', ' ms'),
    },
    { id: 'PF-16', what: 'CPU until then', goal: '≤ 800 ms', ...figure('cpuMs', ' ms') },
    { id: 'PF-16', what: 'longest gap of the event loop', goal: '≤ 15 ms', ...figure('gapMs', ' ms') },
  ]
}

async function twiceAsMany(kubeconfig: string, count: number): Promise<Row> {
  const sentence = async (script: string) => {
    try {
      const { ms = Number.NaN } = await reported(script, kubeconfig)
      return `${ms.toFixed(0)} ms`
    } catch {
      return 'fails'
    }
  }
  const measured = await sentence(CONTENDERS.ours)
  const beside = `stock informer ${await sentence(CONTENDERS.stock)}`
  return { id: 'PF-16', what: `${count.toLocaleString('en')} of them, once`, goal: 'work', measured, beside }
}
