import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Caller, callerAt, OUR_PATHS } from './caller.ts'
import { type Contender, contender } from './child.ts'
import { pace } from './driver.ts'
import { config, server } from './objects.ts'
import { change, creation, sized } from './reviews.ts'
import type { Measurement, Setting } from './setting.ts'
import { percentile, quotients, type Row, spreadOf } from './table.ts'

const MEGABYTE = 1_000_000
const SMALL_PER_SECOND = 500
const LARGE_PER_SECOND = 2
const CONNECTIONS = 16

interface Case {
  readonly what: string
  readonly calls: (caller: Caller) => Promise<readonly Buffer[]>
}
const CASES: readonly Case[] = [
  {
    what: '1 MB, a CREATE',
    calls: (caller) =>
      caller.calls(sized(MEGABYTE, (filling) => creation(config('large', { program: 'Large', filling })))),
  },
  {
    what: '3 MB, an UPDATE with 1.5 MB of content on both sides',
    async calls(caller) {
      const idle = await caller.store(config('large', { program: 'Large', activated: false, filling: 1.5 * MEGABYTE }))
      return caller.calls(change(idle, { ...idle, activated: true }))
    },
  },
]

/** What one large review does to all the small ones. It comes from a process of its own, or the caller itself would be late. */
export const large: Measurement = {
  ids: ['PF-12'],
  async measure(setting) {
    const ours = await contender('./our-server.ts', setting.folder, '1000')
    const caller = callerAt({ port: ours.port, ...OUR_PATHS }, setting.ca)
    const rows: Row[] = []
    try {
      const small = await caller.calls(sized(4_096, (filling) => creation(server('demo-echo', filling))))
      for (const { what, calls } of CASES)
        rows.push(...(await beside(what, { ours, small, large: await calls(caller) }, setting)))
    } finally {
      caller.close()
      ours.stop()
    }
    return rows
  },
}

interface Parts {
  readonly ours: Contender
  readonly small: readonly Buffer[]
  readonly large: readonly Buffer[]
}
interface Meanwhile {
  readonly p99: number
  readonly gap: number
}

async function beside(what: string, parts: Parts, { quick, ca, folder }: Setting): Promise<readonly Row[]> {
  const { ours, small } = parts
  const { rounds, seconds } = quick ? { rounds: 2, seconds: 1.5 } : { rounds: 9, seconds: 10 }
  const caller = await largeCaller(parts, folder)
  async function meanwhile(others: () => Promise<unknown>): Promise<Meanwhile> {
    await ours.gap()
    const load = { port: ours.port, ca, requests: small, connections: CONNECTIONS }
    const [times] = await Promise.all([pace(load, { perSecond: SMALL_PER_SECOND, seconds }), others()])
    return { p99: percentile(times, 0.99), gap: await ours.gap() }
  }
  const measured: { lone: Meanwhile[]; beside: Meanwhile[] } = { lone: [], beside: [] }
  await meanwhile(() => caller.call(seconds)) // warm
  for (let round = 0; round < rounds; round += 1) {
    measured.lone.push(await meanwhile(async () => {}))
    measured.beside.push(await meanwhile(() => caller.call(seconds)))
  }
  caller.stop()
  return rowsOf(what, measured.beside, measured.lone)
}

async function largeCaller({ ours, large }: Parts, folder: string) {
  const files = large.map((_, i) => join(folder, `large-${i}`))
  for (const [i, file] of files.entries()) await writeFile(file, large[i] ?? '')
  const child = fork(new URL('./large-caller.ts', import.meta.url), [String(ours.port), folder, ...files])
  await once(child, 'message')
  return {
    async call(seconds: number) {
      child.send({ perSecond: LARGE_PER_SECOND, seconds })
      await once(child, 'message')
    },
    stop: () => child.disconnect(),
  }
}

function rowsOf(what: string, beside: readonly Meanwhile[], lone: readonly Meanwhile[]): readonly Row[] {
  const gaps = (those: readonly Meanwhile[]) => those.map(({ gap }) => gap)
  const p99 = (those: readonly Meanwhile[]) => those.map(({ p99 }) => p99)
  const ms = (times: readonly number[]) => spreadOf(times, 2, ' ms')
  const reviews = `${LARGE_PER_SECOND} reviews/s of a TConfig of ${what}, mutate and validate by turns`
  return [
    {
      id: 'PF-12',
      what: `longest gap of the event loop with ${reviews}, beside ${SMALL_PER_SECOND} reviews/s of 4 KB`,
      goal: '≤ 12 ms',
      measured: ms(gaps(beside)),
      beside: `without them ${ms(gaps(lone))}`,
    },
    {
      id: 'PF-12',
      what: 'p99 of the small ones meanwhile, by that without',
      goal: '≤ 2 ×',
      measured: spreadOf(quotients(p99(beside), p99(lone))),
      beside: `${ms(p99(beside))}, without ${ms(p99(lone))}`,
    },
  ]
}
