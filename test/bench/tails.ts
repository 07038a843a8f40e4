import { type Caller, callerAt, OUR_PATHS } from './caller.ts'
import { type Contender, contender } from './child.ts'
import { pace } from './driver.ts'
import { mixedCalls } from './mixed.ts'
import { account } from './objects.ts'
import { creation } from './reviews.ts'
import type { Measurement, Setting } from './setting.ts'
import { percentile, quotients, type Row, spreadOf } from './table.ts'

const PER_SECOND = 1_000
const CONNECTIONS = 32
const AUTHORS = 40
const HASHES_PER_SECOND = 5
const CREATES = 20 // of accounts, by turns; each is hashed anew

/** How long the slowest take, at a rate that leaves the server time. Every review has its time, late or not. */
export const tails: Measurement = {
  ids: ['PF-2', 'PF-3'],
  async measure(setting) {
    const bare = await contender('./bare-server.ts', setting.folder)
    const ours = await contender('./our-server.ts', setting.folder, '1000')
    const caller = callerAt({ port: ours.port, ...OUR_PATHS }, setting.ca)
    try {
      const mixed = await mixedCalls(caller, AUTHORS)
      return rowsOf(await rounds({ bare, ours, mixed, hashed: await hashedCalls(caller) }, setting))
    } finally {
      caller.close()
      for (const each of [bare, ours]) each.stop()
    }
  },
}

async function hashedCalls(caller: Caller): Promise<readonly Buffer[]> {
  const calls: Buffer[] = []
  for (let i = 0; i < CREATES; i += 1) {
    const review = creation(account(`hashed${i}`, { password: `Passw0rd!${i}` }))
    calls.push(...(await caller.calls(review, { mutateOnly: true })))
  }
  return calls
}

interface Tail {
  readonly p99: number
  readonly p999: number
  readonly gap: number
}
type Name = 'bare' | 'ours' | 'hashing'
type Rounds = Readonly<Record<Name, readonly Tail[]>>

interface Parts {
  readonly bare: Contender
  readonly ours: Contender
  readonly mixed: readonly Buffer[]
  readonly hashed: readonly Buffer[]
}

async function rounds({ bare, ours, mixed, hashed }: Parts, { quick, ca }: Setting): Promise<Rounds> {
  const { many, seconds } = quick ? { many: 2, seconds: 2 } : { many: 9, seconds: 10 }
  const load = (server: Contender) =>
    pace({ port: server.port, ca, requests: mixed, connections: CONNECTIONS }, { perSecond: PER_SECOND, seconds })
  const hash = () =>
    pace({ port: ours.port, ca, requests: hashed, connections: 2 }, { perSecond: HASHES_PER_SECOND, seconds })
  const tail = async (server: Contender, beside: () => Promise<unknown> = async () => {}): Promise<Tail> => {
    await server.gap()
    const [times] = await Promise.all([load(server), beside()])
    return { p99: percentile(times, 0.99), p999: percentile(times, 0.999), gap: await server.gap() }
  }
  const measured: Record<Name, Tail[]> = { bare: [], ours: [], hashing: [] }
  for (const server of [bare, ours]) await tail(server) // warm
  for (let round = 0; round < many; round += 1) {
    measured.bare.push(await tail(bare))
    measured.ours.push(await tail(ours))
    measured.hashing.push(await tail(ours, hash))
  }
  return measured
}

function rowsOf({ bare, ours, hashing }: Rounds): readonly Row[] {
  const p99 = (tails: readonly Tail[]) => tails.map(({ p99 }) => p99)
  const p999 = (tails: readonly Tail[]) => tails.map(({ p999 }) => p999)
  const gaps = (tails: readonly Tail[]) => tails.map(({ gap }) => gap)
  const ms = (times: readonly number[]) => spreadOf(times, 2, ' ms')
  const hashes = `with ${HASHES_PER_SECOND} password hashes/s beside it`
  return [
    {
      id: 'PF-2',
      what: `p99 at ${PER_SECOND} reviews/s open loop, TServers, TConfigs, TTemplates and TAccounts created, changed and deleted, of 1 to 64 KB, by that of a server that reads and parses`,
      goal: '≤ 1.3 ×',
      measured: spreadOf(quotients(p99(ours), p99(bare))),
      beside: `${ms(p99(ours))}, bare ${ms(p99(bare))}`,
    },
    {
      id: 'PF-3',
      what: `p99 of the same ${hashes}, by that without`,
      goal: '≤ 1.4 ×',
      measured: spreadOf(quotients(p99(hashing), p99(ours))),
      beside: `${ms(p99(hashing))}, without ${ms(p99(ours))}`,
    },
    {
      id: 'PF-3',
      what: `p99.9 ${hashes}`,
      goal: '≤ 10 ms',
      measured: ms(p999(hashing)),
      beside: `without ${ms(p999(ours))}`,
    },
    {
      id: 'PF-3',
      what: `longest stall of the event loop ${hashes}`,
      goal: '≤ 10 ms',
      measured: ms(gaps(hashing)),
      beside: `without ${ms(gaps(ours))}, bare without ${ms(gaps(bare))}`,
    },
  ]
}
