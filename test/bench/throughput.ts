import { type Caller, callerAt, OUR_PATHS } from './caller.ts'
import { contender } from './child.ts'
import { server } from './objects.ts'
import { CONNECTIONS, cpuOf, cpuWords, paceOf, type Run, race, ratesOf, rateWords } from './race.ts'
import { change, recorded, smallCreation } from './reviews.ts'
import type { Measurement } from './setting.ts'
import { quotients, type Row, spreadOf } from './table.ts'

interface Case {
  readonly id: string
  readonly what: string
  readonly goal: string
  readonly calls: (caller: Caller) => Promise<readonly Buffer[]>
}

const CASES: readonly Case[] = [
  {
    id: 'PF-1',
    what: 'CREATE of 4 KB',
    goal: '≥ 0.92',
    calls: (caller) => caller.calls(smallCreation()),
  },
  {
    id: 'PF-1b',
    what: 'UPDATE that a real API server sent, 5.5 KB',
    goal: '≥ 0.88',
    calls: (caller) => caller.calls(recorded('04-tserver-update-json-patch.mutate'), { uncompleted: true }),
  },
  { id: 'PF-1b', what: 'UPDATE of 64 KB, of variables and mounts', goal: '≥ 0.90', calls: bounding },
]

const FILLING = 29_500 // of each of the two objects

/** `kubectl annotate` on a large one. */
async function bounding(caller: Caller): Promise<readonly Buffer[]> {
  const there = await caller.store(server('demo-large', FILLING))
  const annotations = { 'tars.io/MaxReplicas': '5' }
  return caller.calls(change(there, { ...there, metadata: { ...there.metadata, annotations } }))
}

/** What a review costs beside a server that reads and parses. */
export const throughput: Measurement = {
  ids: ['PF-1', 'PF-1b'],
  async measure(setting) {
    const bare = await contender('./bare-server.ts', setting.folder)
    const ours = await contender('./our-server.ts', setting.folder, '1000')
    const caller = callerAt({ port: ours.port, ...OUR_PATHS }, setting.ca)
    const rows: Row[] = []
    try {
      for (const each of CASES) {
        const requests = await each.calls(caller)
        const runners = [bare, ours].map((server) => ({ server, requests }))
        const [beside = [], measured = []] = await race(runners, paceOf(setting))
        rows.push(...rowsOf(each, measured, beside))
      }
    } finally {
      caller.close()
      for (const each of [bare, ours]) each.stop()
    }
    return rows
  },
}

function rowsOf({ id, what, goal }: Case, ours: readonly Run[], bare: readonly Run[]): readonly Row[] {
  return [
    {
      id,
      what: `reviews/s, mutate + validate of a TServer ${what}, ${CONNECTIONS} connections, by those of a server that reads and parses`,
      goal,
      measured: spreadOf(quotients(ratesOf(ours), ratesOf(bare))),
      beside: `${rateWords(ours)}, bare ${rateWords(bare)}`,
    },
    {
      id: `${id} (CPU)`,
      what: 'the same by CPU time: that of the bare server for one review, by ours',
      goal: '–',
      measured: spreadOf(quotients(cpuOf(bare), cpuOf(ours))),
      beside: `${cpuWords(ours)}, bare ${cpuWords(bare)}`,
    },
  ]
}
