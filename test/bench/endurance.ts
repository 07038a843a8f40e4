import { setTimeout as sleep } from 'node:timers/promises'
import { type Contender, contender } from './child.ts'
import { drive } from './driver.ts'
import { post } from './line.ts'
import type { Measurement } from './setting.ts'
import { MEGA, spreadOf } from './table.ts'
import { creation } from './templates.ts'

const CALM_SAMPLES = 5
const BETWEEN_MS = 500

/** Whether what a review leaves behind adds up. */
export const endurance: Measurement = {
  ids: ['PF-9'],
  async measure({ quick, folder, ca }) {
    const { few, many } = quick ? { few: 10_000, many: 30_000 } : { few: 50_000, many: 1_000_000 }
    const ours = await contender('./our-server.ts', folder, '1000')
    const load = { port: ours.port, ca, requests: REQUESTS, connections: 16 }
    try {
      await drive(load, { requests: few })
      const before = await calm(ours)
      await drive(load, { requests: many - few })
      const after = await calm(ours)
      return [
        {
          id: 'PF-9',
          what: `RSS after ${many.toLocaleString('en')} reviews by that after ${few.toLocaleString('en')}`,
          goal: '≤ 1.05 ×',
          measured: (median(after) / median(before)).toFixed(2),
          beside: `${megabytes(after)}, before ${megabytes(before)}`,
        },
      ]
    } finally {
      ours.stop()
    }
  },
}

/** Names that come once only, as in a cluster; 1,000 of them make no difference to a server that keeps none. */
const REQUESTS = Array.from({ length: 1_000 }, (_, i) => [
  post('/mutating', creation(`child-${i}`, 'root', { bytes: 4_096, labelled: false })),
  post('/validating', creation(`child-${i}`, 'root', { bytes: 4_096, labelled: true })),
]).flat()

async function calm(server: Contender): Promise<readonly number[]> {
  const samples: number[] = []
  for (let i = 0; i < CALM_SAMPLES; i += 1) {
    await sleep(BETWEEN_MS)
    samples.push(server.rss())
  }
  return samples
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
const megabytes = (values: readonly number[]) =>
  spreadOf(
    values.map((bytes) => bytes / MEGA),
    0,
    ' MB',
  )
