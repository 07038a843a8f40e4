import { setTimeout as sleep } from 'node:timers/promises'
import { startControlPlane } from '../cluster/control-plane.ts'
import { at, nacosOf, sourceOf } from '../cluster/nacos-workplace.ts'
import { install } from '../cluster/product.ts'
import { simulatedNodes } from '../cluster/simulated-nodes.ts'
import { until } from '../cluster/until.ts'
import { treesOf } from '../support/builders/trees.ts'
import { inLanes } from '../support/lanes.ts'
import { reported } from './child.ts'
import { foreignConfigMap } from './foreign-config-map.ts'
import { callsTo, type Send } from './keep-alive-client.ts'
import { changeTimes } from './nacos-times.ts'
import type { Measurement } from './setting.ts'
import { percentile, type Row, spreadOf } from './table.ts'

const CONNECTIONS = 16
const NAMESPACE = 'bench'
const FLAGS = ['--nacos-settle-seconds=0', '--nacos-min-ready-seconds=0']
const EACH_MS = 100
const MERGE = 'application/merge-patch+json'
const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`
const ALL = `/apis/nacos.io/v1alpha1/namespaces/${NAMESPACE}/nacos`
/** The heap of few objects says little. */
const INDEXED = 20_000

interface Size {
  readonly nacos: number
  readonly foreign: number
  readonly rounds: number
}

/** How soon a change of a source comes to the pods, among ConfigMaps of others, and what those take in the worker. */
export const nacosFleet: Measurement = {
  ids: ['NACOS-1', 'NACOS-2'],
  async measure({ quick }) {
    const size = quick ? { nacos: 20, foreign: 200, rounds: 1 } : { nacos: 200, foreign: 2_000, rounds: 5 }
    const heaps: number[] = []
    for (let round = 0; round < size.rounds; round += 1) {
      const { bytes = Number.NaN } = await reported('./indexing.ts', String(INDEXED), 'ConfigMap')
      heaps.push(bytes / INDEXED / 1_000)
    }
    return [timeRow(size, await timesIn(size)), heapRow(heaps)]
  },
}

async function timesIn(size: Size): Promise<readonly number[]> {
  await using opened = new AsyncDisposableStack()
  const cluster = opened.adopt(await startControlPlane(), (each) => each.stop())
  const product = opened.adopt(await install(cluster), (each) => each.close())
  opened.adopt(await simulatedNodes(cluster, ['node-0']), (each) => each.stop())
  const { send } = opened.adopt(callsTo(cluster, cluster.tokens.admin, CONNECTIONS), ({ close }) => close())
  await product.worker().start(...FLAGS)
  const names = Array.from({ length: size.nacos }, (_, i) => `n${i}`)
  await furnish(send, size, names)
  const changes = names.length * size.rounds
  const times = changeTimes(cluster.auditLog)
  for (let change = 0; change < changes; change += 1) {
    const name = names[change % names.length]
    const data = { 'user.properties': `a=${change}` }
    await Promise.all([send('PATCH', `${CONFIG_MAPS}/${name}-user`, { data }, MERGE), sleep(EACH_MS)])
  }
  await until('all changes came to the pods', () => times().length === changes)
  return times()
}

/** They run when this returns. */
async function furnish(send: Send, { foreign }: Size, names: readonly string[]): Promise<void> {
  await send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } })
  const others = Array.from({ length: foreign }, (_, i) => foreignConfigMap(i))
  const sources = names.flatMap((name) => [sourceOf('internal', name, 'b=1'), sourceOf('user', name, 'a=')])
  await inLanes([...others, ...sources], CONNECTIONS, (each) => send('POST', CONFIG_MAPS, each))
  const single = { replicas: 1 } // a cluster, of whose Services one has an address: there are 254 of those
  await inLanes(names, CONNECTIONS, (name) => send('POST', ALL, nacosOf(name, single)))
  const areRunning = async () =>
    treesOf(at(await send('GET', ALL), 'items')).every((each) => at(each, 'status', 'phase') === 'Running')
  await until('all run', areRunning, { seconds: 300 })
}

function timeRow({ nacos, foreign }: Size, times: readonly number[]): Row {
  return {
    id: 'NACOS-1',
    what: `a source of one of ${nacos} Nacos changes, beside ${foreign.toLocaleString('en')} foreign ConfigMaps, ten such changes a second: until its StatefulSet has the new digest, p99 by the audit log of a real API server`,
    goal: '≤ 1 s',
    measured: `${percentile(times, 0.99).toFixed(0)} ms`,
    beside: `${times.length} changes, ${spreadOf(times, 0, ' ms')}`,
  }
}

function heapRow(heaps: readonly number[]): Row {
  return {
    id: 'NACOS-2',
    what: `heap of the worker for each of ${INDEXED.toLocaleString('en')} foreign ConfigMaps of 10 KB, in its cache and its feed`,
    goal: '≤ 2 kB',
    measured: spreadOf(heaps, 2, ' kB'),
    beside: '',
  }
}
