import type { Contender } from './child.ts'
import { drive } from './driver.ts'
import type { Setting } from './setting.ts'
import { spreadOf } from './table.ts'

export const CONNECTIONS = 16

/** A server that is raced, whatever it is written in. */
export interface Peer extends Pick<Contender, 'port' | 'cpu'> {
  stop(): unknown
}
export interface Runner {
  readonly server: Peer
  /** By turns. */
  readonly requests: readonly Buffer[]
}
export interface Pace {
  readonly ca: string
  readonly rounds: number
  readonly seconds: number
  readonly warmUp: number
}
export interface Run {
  readonly perSecond: number
  readonly cpuMicros: number // of the server, for one review
}

export function paceOf({ quick, ca }: Setting): Pace {
  return quick ? { ca, rounds: 2, seconds: 0.5, warmUp: 1 } : { ca, rounds: 15, seconds: 2, warmUp: 5 }
}

/** As many as they can, in turn, so that whatever else the machine does meets them all alike. */
export async function race(runners: readonly Runner[], pace: Pace): Promise<readonly (readonly Run[])[]> {
  const lanes = runners.map((runner): { runner: Runner; runs: Run[] } => ({ runner, runs: [] }))
  for (const { runner } of lanes) await run(runner, pace.ca, pace.warmUp)
  for (let round = 0; round < pace.rounds; round += 1)
    for (const { runner, runs } of lanes) runs.push(await run(runner, pace.ca, pace.seconds))
  return lanes.map(({ runs }) => runs)
}

async function run({ server, requests }: Runner, ca: string, seconds: number): Promise<Run> {
  const before = await server.cpu()
  const load = { port: server.port, ca, requests, connections: CONNECTIONS }
  const { requests: many, perSecond } = await drive(load, { seconds })
  return { perSecond, cpuMicros: ((await server.cpu()) - before) / many }
}

export const ratesOf = (runs: readonly Run[]) => runs.map(({ perSecond }) => perSecond)
export const cpuOf = (runs: readonly Run[]) => runs.map(({ cpuMicros }) => cpuMicros)
export const rateWords = (runs: readonly Run[]) => spreadOf(ratesOf(runs), 0, ' reviews/s')
export const cpuWords = (runs: readonly Run[]) => spreadOf(cpuOf(runs), 0, ' µs')
