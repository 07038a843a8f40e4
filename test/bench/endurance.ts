import { setTimeout as sleep } from 'node:timers/promises'
import { callerAt, OUR_PATHS } from './caller.ts'
import { type Contender, contender } from './child.ts'
import { drive } from './driver.ts'
import { mixedCalls } from './mixed.ts'
import type { Measurement } from './setting.ts'
import { MEGA, spreadOf } from './table.ts'

/** Each with names of its own: as many as a server that keeps none of them can tell from a million. */
const AUTHORS = 100
const CALM_SAMPLES = 5
const BETWEEN_MS = 500

/** Whether what a review leaves behind adds up. */
export const endurance: Measurement = {
  ids: ['PF-9'],
  async measure({ quick, folder, ca }) {
    const { few, many } = quick ? { few: 10_000, many: 30_000 } : { few: 50_000, many: 1_000_000 }
    const ours = await contender('./our-server.ts', folder, '1000')
    const caller = callerAt({ port: ours.port, ...OUR_PATHS }, ca)
    try {
      const requests = await mixedCalls(caller, AUTHORS)
      const load = { port: ours.port, ca, requests, connections: 16 }
      await drive(load, { requests: few })
      const before = await calm(ours)
      await drive(load, { requests: many - few })
      const after = await calm(ours)
      return [
        {
          id: 'PF-9',
          what: `RSS after ${many.toLocaleString('en')} reviews of all kinds, of 1 to 64 KB, by that after ${few.toLocaleString('en')}`,
          goal: '≤ 1.05 ×',
          measured: (median(after) / median(before)).toFixed(2),
          beside: `${megabytes(after)}, before ${megabytes(before)}`,
        },
      ]
    } finally {
      caller.close()
      ours.stop()
    }
  },
}

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
