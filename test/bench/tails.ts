import { type Contender, contender } from './child.ts'
import { pace } from './driver.ts'
import { post } from './line.ts'
import type { Measurement } from './setting.ts'
import { quotients, spreadOf } from './table.ts'
import { change, creation, deletion } from './templates.ts'

const PER_SECOND = 1_000
const CONNECTIONS = 32

/** How long the slowest of a hundred takes, at a rate that leaves the server time. Every review has its time, late or not. */
export const tails: Measurement = {
  ids: ['PF-2'],
  async measure({ quick, folder, ca }) {
    const { rounds, seconds } = quick ? { rounds: 2, seconds: 2 } : { rounds: 9, seconds: 10 }
    const bare = await contender('./bare-server.ts', folder)
    const ours = await contender('./our-server.ts', folder, '1000')
    const p99 = async ({ port }: Contender) => {
      const load = { port, ca, requests: MIXED, connections: CONNECTIONS }
      return percentile(await pace(load, { perSecond: PER_SECOND, seconds }), 0.99)
    }
    const measured: { bare: number[]; ours: number[] } = { bare: [], ours: [] }
    try {
      for (const each of [bare, ours]) await p99(each) // warm
      for (let round = 0; round < rounds; round += 1) {
        measured.bare.push(await p99(bare))
        measured.ours.push(await p99(ours))
      }
    } finally {
      for (const each of [bare, ours]) each.stop()
    }
    return [
      {
        id: 'PF-2',
        what: `p99 at ${PER_SECOND} reviews/s open loop, creates, updates and deletes of 1 to 64 KB, by that of a server that reads and parses`,
        goal: '≤ 1.3 ×',
        measured: spreadOf(quotients(measured.ours, measured.bare)),
        beside: `${spreadOf(measured.ours, 2, ' ms')}, bare ${spreadOf(measured.bare, 2, ' ms')}`,
      },
    ]
  },
}

/** Most objects are small, as in a cluster. */
const SIZES = [2_048, 2_048, 2_048, 4_096, 4_096, 8_192, 16_384, 65_536]
const MIXED = SIZES.flatMap((bytes) => [
  post('/mutating', creation('child', 'root', { bytes, labelled: false })),
  post('/validating', creation('child', 'root', { bytes, labelled: true })),
  post('/mutating', change('child', 'root', { bytes: bytes / 2 })),
  post('/validating', change('child', 'root', { bytes: bytes / 2 })),
  post('/validating', deletion('child', 'root', { bytes })),
])

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * values.length)] ?? Number.NaN
}
