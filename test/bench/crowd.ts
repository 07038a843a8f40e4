import { type Caller, callerAt, OUR_PATHS } from './caller.ts'
import { contender } from './child.ts'
import { config, programOf, server } from './objects.ts'
import { cpuOf, cpuWords, paceOf, race } from './race.ts'
import { change, creation } from './reviews.ts'
import type { Measurement } from './setting.ts'
import { quotients, type Row, spreadOf } from './table.ts'

const FEW = 100
const MANY = 100_000

interface Case {
  readonly what: string
  readonly calls: (caller: Caller) => Promise<readonly Buffer[]>
}

const SUPERSEDES = { warned: 'deactivates TConfig' }

/** Dry runs look everything up and write nothing. Each configuration has ten versions, so those that are marked are few. */
const CASES: readonly Case[] = [
  {
    what: 'TConfig CREATE that supersedes the active version (dry run)',
    calls: (caller) => caller.calls(creation(config('new', { program: programOf(3) }), { dryRun: true }), SUPERSEDES),
  },
  {
    what: 'TConfig UPDATE that activates an old version (dry run)',
    async calls(caller) {
      const idle = await caller.store(config('old', { program: programOf(3), activated: false }))
      return caller.calls(change(idle, { ...idle, activated: true }, { dryRun: true }), SUPERSEDES)
    },
  },
  { what: 'TServer CREATE', calls: (caller) => caller.calls(creation(server('demo-echo'))) },
]

/** What 100,000 objects in the store add to a review. */
export const crowd: Measurement = {
  ids: ['PF-11'],
  async measure(setting) {
    const { folder, ca } = setting
    const few = await contender('./our-server.ts', folder, String(FEW))
    const many = await contender('./our-server.ts', folder, String(MANY))
    const caller = callerAt({ port: many.port, ...OUR_PATHS }, ca)
    const rows: Row[] = []
    try {
      for (const { what, calls } of CASES) {
        const requests = await calls(caller)
        const [lone = [], crowded = []] = await race(
          [few, many].map((server) => ({ server, requests })),
          paceOf(setting),
        )
        rows.push({
          id: 'PF-11',
          what: `CPU time of a review of a ${what}, mutate + validate, with 100,000 TConfigs and TTemplates in the store, by that with 100`,
          goal: '≤ 1.1 ×',
          measured: spreadOf(quotients(cpuOf(crowded), cpuOf(lone))),
          beside: `${cpuWords(crowded)}, with 100 ${cpuWords(lone)}`,
        })
      }
    } finally {
      caller.close()
      for (const each of [few, many]) each.stop()
    }
    return rows
  },
}
