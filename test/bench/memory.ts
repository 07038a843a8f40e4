import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { imageFlags } from '../support/image.ts'
import { apiServerOf } from './api-server-of.ts'
import { contender, memoryOf, reported } from './child.ts'
import { storedConfig } from './objects.ts'
import type { Measurement, Setting } from './setting.ts'
import { MEGA, type Row, spreadOf } from './table.ts'

const CALM_MS = 2_000

/** What a pod takes: idle, with a cluster of TConfigs in its cache, and while it lists them. */
export const memory: Measurement = {
  ids: ['PF-8'],
  async measure(setting) {
    const count = setting.quick ? 10_000 : 100_000
    const rounds = setting.quick ? 1 : 5
    const bare: number[] = []
    const idle: number[] = []
    const heap: number[] = []
    const peak: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await bareFastify(setting))
      idle.push((await webhookWith(setting, {})).now)
      heap.push(await indexed(count))
      peak.push((await webhookWith(setting, { tconfigs: { count, at: storedConfig } })).most)
    }
    return rowsOf({ bare, idle, heap, peak }, count)
  },
}

async function bareFastify({ folder }: Setting): Promise<number> {
  const server = await contender('./fastify-server.ts', folder)
  await sleep(CALM_MS)
  const bytes = server.rss()
  server.stop()
  return bytes
}

/** The bytes of the bundled webhook, when these are listed and it has come to rest. */
export async function webhookWith(
  { bundle, folder }: Pick<Setting, 'bundle' | 'folder'>,
  objects: Parameters<typeof apiServerOf>[0],
): Promise<{ now: number; most: number }> {
  await using api = await apiServerOf(objects)
  const ports = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0']
  const args = [
    ...imageFlags(),
    bundle.program,
    'webhook',
    '--kubeconfig',
    api.kubeconfig,
    ...ports,
    '--certs=files',
    `--cert-dir=${folder}`,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: bundle.env })
  await once(createInterface(child.stdout), 'line')
  await sleep(CALM_MS)
  const bytes = { now: memoryOf(child.pid, 'VmRSS'), most: memoryOf(child.pid, 'VmHWM') }
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  return bytes
}

async function indexed(count: number): Promise<number> {
  const { bytes = Number.NaN } = await reported('./indexing.ts', String(count))
  return bytes
}

type Bytes = Readonly<Record<'bare' | 'idle' | 'heap' | 'peak', readonly number[]>>

function rowsOf({ bare, idle, heap, peak }: Bytes, count: number): readonly Row[] {
  const megabytes = (bytes: readonly number[]) =>
    spreadOf(
      bytes.map((each) => each / MEGA),
      0,
      ' MB',
    )
  const objects = `${count.toLocaleString('en')} TConfigs of 300 B to 4 KB`
  const beside = `a bare Fastify TLS process ${megabytes(bare)}`
  return [
    { id: 'PF-8', what: 'RSS idle, bundled, client loaded', goal: '≤ 105 MB', measured: megabytes(idle), beside },
    { id: 'PF-8', what: `heap added by indexing ${objects}`, goal: '≤ 45 MB', measured: megabytes(heap), beside: '' },
    { id: 'PF-8', what: `peak RSS while listing ${objects}`, goal: '≤ 225 MB', measured: megabytes(peak), beside },
  ]
}
