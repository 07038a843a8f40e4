import { type Contender, contender } from './child.ts'
import { drive } from './driver.ts'
import { post } from './line.ts'
import type { Measurement, Setting } from './setting.ts'
import { quotients, type Row, spreadOf } from './table.ts'
import { creation } from './templates.ts'

const CONNECTIONS = 16
const TEMPLATE_COUNTS = { ours: 100, crowded: 100_000 }

interface Measured {
  readonly perSecond: number
  readonly cpuMicros: number // of the server, for one review
}
type Name = 'bare' | 'ours' | 'crowded'
type Rounds = Readonly<Record<Name, readonly Measured[]>>

/** What a review costs beside a server that reads and parses; and what 100,000 objects in the store add to it. */
export const throughput: Measurement = {
  ids: ['PF-1', 'PF-11'],
  async measure(setting) {
    const contenders = {
      bare: await contender('./bare-server.ts', setting.folder),
      ours: await contender('./our-server.ts', setting.folder, String(TEMPLATE_COUNTS.ours)),
      crowded: await contender('./our-server.ts', setting.folder, String(TEMPLATE_COUNTS.crowded)),
    }
    try {
      return rowsOf(await race(contenders, setting))
    } finally {
      for (const each of Object.values(contenders)) each.stop()
    }
  },
}

/** In turn, so that whatever else the machine does meets them all alike. */
async function race(contenders: Readonly<Record<Name, Contender>>, { quick, ca }: Setting): Promise<Rounds> {
  const { rounds, seconds, warmUp } = quick
    ? { rounds: 3, seconds: 1, warmUp: 1 }
    : { rounds: 15, seconds: 2, warmUp: 5 }
  const names = ['bare', 'ours', 'crowded'] as const
  const measured: Record<Name, Measured[]> = { bare: [], ours: [], crowded: [] }
  for (const name of names) await answers(contenders[name], ca, warmUp)
  for (let round = 0; round < rounds; round += 1)
    for (const name of names) measured[name].push(await answers(contenders[name], ca, seconds))
  return measured
}

/** The two reviews that a create of a 4 KB TTemplate brings, by turns. */
async function answers(server: Contender, ca: string, seconds: number): Promise<Measured> {
  const requests = [
    post('/mutating', creation('child', 'root', { bytes: 4_096, labelled: false })),
    post('/validating', creation('child', 'root', { bytes: 4_096, labelled: true })),
  ]
  const before = await server.cpu()
  const load = { port: server.port, ca, requests, connections: CONNECTIONS }
  const { requests: many, perSecond } = await drive(load, { seconds })
  return { perSecond, cpuMicros: ((await server.cpu()) - before) / many }
}

function rowsOf({ bare, ours, crowded }: Rounds): readonly Row[] {
  const rates = (measured: readonly Measured[]) => measured.map(({ perSecond }) => perSecond)
  const cpu = (measured: readonly Measured[]) => measured.map(({ cpuMicros }) => cpuMicros)
  const rate = (measured: readonly Measured[]) => spreadOf(rates(measured), 0, ' reviews/s')
  const micros = (measured: readonly Measured[]) => spreadOf(cpu(measured), 0, ' µs')
  return [
    {
      id: 'PF-1',
      what: `reviews/s, mutate + validate of a 4 KB TTemplate, ${CONNECTIONS} connections, by those of a server that reads and parses`,
      goal: '≥ 0.92',
      measured: spreadOf(quotients(rates(ours), rates(bare))),
      beside: `${rate(ours)}, bare ${rate(bare)}`,
    },
    {
      id: 'PF-1 (CPU)',
      what: 'the same by CPU time: that of the bare server for one review, by ours',
      goal: '–',
      measured: spreadOf(quotients(cpu(bare), cpu(ours))),
      beside: `${micros(ours)}, bare ${micros(bare)}`,
    },
    {
      id: 'PF-11',
      what: 'CPU time of a review with 100,000 TTemplates in the store, by that with 100',
      goal: '≤ 1.1 ×',
      measured: spreadOf(quotients(cpu(crowded), cpu(ours))),
      beside: `${micros(crowded)}, with 100 ${micros(ours)}`,
    },
  ]
}
