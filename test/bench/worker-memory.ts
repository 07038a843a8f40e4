import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../cluster/until.ts'
import { imageFlags } from '../support/image.ts'
import { apiServerOf } from './api-server-of.ts'
import { memoryOf, reported } from './child.ts'
import { largeCluster, type Size } from './large-cluster.ts'
import { scraped } from './scraped.ts'
import type { Measurement, Setting } from './setting.ts'
import { MEGA, type Row, spreadOf } from './table.ts'

/** 60 % of the 512 MiB of its pod, as there; of the memory of this machine it would use as much as there is. */
const HEAP = '--max-old-space-size=307'
const CALM_MS = 2_000
const ROUNDS = 3

/**
 * A worker with a large cluster in its caches. The API server is ours: etcd takes no gigabyte of TConfigs. It has all as
 * the worker wants it, so each TServer has its turn and nothing is written.
 */
export const workerMemory: Measurement = {
  ids: ['PF-8-worker'],
  async measure(setting) {
    const count = setting.quick ? 1_000 : 10_000
    const size = { servers: count, podsOfEach: 5, configs: count }
    await using api = await apiServerOf(largeCluster(size))
    const pass = { controller: 'tserver', turns: size.servers }
    const ours: WorkerFigures[] = []
    for (let round = 0; round < (setting.quick ? 1 : ROUNDS); round += 1)
      ours.push(await workerAt(setting, api.kubeconfig, pass))
    const writes = api.others.filter((call) => !call.startsWith('GET'))
    if (writes.length > 0) throw new Error(`the worker writes: ${writes.slice(0, 5).join(', ')}`)
    const stock = {
      all: await stockOf(api.kubeconfig, 'tservers,pods,tconfigs'),
      some: await stockOf(api.kubeconfig, 'tservers,pods'),
    }
    return rowsOf(ours, stock, size)
  },
}

interface WorkerFigures {
  readonly rss: number
  readonly most: number
  readonly listingMs: number
  readonly passMs: number
}

interface Pass {
  readonly controller: string
  readonly turns: number
}

/** Of a worker in the heap of its pod, once a controller has had so many turns. */
export async function workerAt(
  { bundle }: Pick<Setting, 'bundle'>,
  kubeconfig: string,
  { controller, turns: all }: Pass,
): Promise<WorkerFigures> {
  const flags = [...imageFlags().filter((flag) => !flag.startsWith('--max-old-space')), HEAP]
  const sides = ['--host=127.0.0.1', '--metrics-port=0', '--health-port=0', '--leader-elect=false']
  const args = [...flags, bundle.program, 'worker', '--kubeconfig', kubeconfig, ...sides]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: bundle.env })
  const ended = once(child, 'exit')
  try {
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), endOf(ended)])
    const { metrics } = JSON.parse(line)
    const { gapMs: listingMs } = await scraped(metrics)
    let passMs = 0
    async function isDone(): Promise<boolean> {
      await sleep(CALM_MS) // longer than an answer is kept there
      const { turns, waiting, gapMs } = await scraped(metrics, controller)
      passMs = Math.max(passMs, gapMs)
      return turns >= all && waiting === 0
    }
    await until('each object had its turn', isDone, { seconds: 300 })
    return { rss: memoryOf(child.pid, 'VmRSS'), most: memoryOf(child.pid, 'VmHWM'), listingMs, passMs }
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

async function endOf(ended: Promise<unknown[]>): Promise<never> {
  const [code, signal] = await ended
  throw new Error(`the worker ended with ${code ?? signal}`)
}

async function stockOf(kubeconfig: string, plurals: string): Promise<string> {
  try {
    const { rss = 0, gapMs = 0 } = await reported('./stock-informer.ts', kubeconfig, plurals)
    return `${megabytes(rss)}, with a gap of ${gapMs.toFixed(0)} ms`
  } catch {
    return 'they fail'
  }
}

const megabytes = (bytes: number) => `${(bytes / MEGA).toFixed(0)} MB`

function rowsOf(
  ours: readonly WorkerFigures[],
  stock: Readonly<Record<'all' | 'some', string>>,
  { servers, podsOfEach, configs }: Size,
) {
  const [many, pods, versions] = [servers, servers * podsOfEach, configs].map((count) => count.toLocaleString('en'))
  const spread = (field: keyof WorkerFigures, unit: string, by = 1) =>
    spreadOf(
      ours.map((each) => each[field] / by),
      0,
      unit,
    )
  const rss: Row = {
    id: 'PF-8 (worker)',
    what: `RSS of a worker in the heap of its pod, with ${many} TServers, all that is made of them, ${pods} pods and ${versions} TConfigs of 100 KB, from an API server of the bench, once each had its turn`,
    goal: '≤ 250 MB',
    measured: spread('rss', ' MB', MEGA),
    beside: `at most ${spread('most', ' MB', MEGA)}; stock informers of TServers, pods and TConfigs alone: ${stock.all}; without TConfigs: ${stock.some}`,
  }
  const gap = (what: string, field: 'listingMs' | 'passMs'): Row => ({
    id: rss.id,
    what: `longest gap of the event loop ${what}`,
    goal: '≤ 50 ms',
    measured: spread(field, ' ms'),
    beside: '',
  })
  return [
    rss,
    gap('from its start until all is listed, its modules loaded meanwhile', 'listingMs'),
    gap('in the full pass', 'passMs'),
  ]
}
