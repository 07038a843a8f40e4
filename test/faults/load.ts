import { setTimeout as sleep } from 'node:timers/promises'
import { post } from '../bench/line.ts'
import { type Connection, dial, type Exchange, type Outcome, outcomeOf } from './connection.ts'
import { arriving, completed } from './templates.ts'

export interface Target {
  readonly port: number
  readonly ca: string
}

/** What a create of a TTemplate of that size brings, first and last. */
export function reviewsOf(bytes: number): readonly [Buffer, Buffer] {
  return [post('/mutating', arriving(bytes)), post('/validating', completed(bytes))]
}

/** Times of the answers by what they said. */
export interface Load {
  readonly seconds: number
  readonly decided: readonly number[]
  /** Answered, but not decided: a handler failed, or a look-up did. */
  readonly putOff: readonly number[]
  readonly shed: readonly number[]
  /** Another code, or no answer. */
  readonly failed: readonly number[]
}

export interface OpenLoad extends Load {
  /** What should have been sent. */
  readonly due: number
  /** Of these, what was not, because every connection waited for an answer or was lost. */
  readonly unsent: number
}

/** Nearly all was sent that should have been: otherwise a server that falls silent looks like one without work. */
export const isSent = ({ due, unsent }: OpenLoad): boolean => unsent <= 0.01 * due
/** None was lost, sent away or put off. */
export const isDecided = ({ putOff, shed, failed }: Load): boolean => putOff.length + shed.length + failed.length === 0
export const undecidedOf = ({ putOff, shed, failed }: Load): string =>
  `${failed.length} lost, ${shed.length} sent away, ${putOff.length} put off`
export const unsentOf = ({ due, unsent }: OpenLoad): string => `${unsent} of ${due} not sent, as all waited`

/** Each connection asks again as soon as it was answered. */
export async function closedLoop(
  target: Target,
  requests: readonly Buffer[],
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Load> {
  const made = await Promise.all(Array.from({ length: connections }, () => dial(target)))
  const tally = tallied()
  const end = performance.now() + seconds * 1_000
  await Promise.all(made.map((connection) => goOn(connection, requests, end, tally.note)))
  for (const connection of made) connection.close()
  return tally.load()
}

async function goOn(
  connection: Connection,
  requests: readonly Buffer[],
  end: number,
  note: (requested: Exchange) => void,
): Promise<void> {
  for (let i = 0; performance.now() < end && connection.isOpen; i += 1)
    note(await connection.ask(requests[i % requests.length] ?? Buffer.alloc(0)))
}

interface Pace {
  readonly connections: number
  readonly seconds: number
  readonly perSecond: number
  readonly patienceMs?: number
}

/**
 * So many a second, whatever becomes of them, on connections that stand; one that comes while all of them wait for an answer is
 * not sent, for a queue of the driver's own would be measured then, but it is counted.
 */
export async function openLoop(
  target: Target,
  requests: readonly Buffer[],
  { connections, seconds, perSecond, patienceMs }: Pace,
): Promise<OpenLoad> {
  const free = await Promise.all(Array.from({ length: connections }, () => dial(target, patienceMs)))
  const made = [...free]
  const tally = tallied()
  const pending = new Set<Promise<void>>()
  const began = performance.now()
  let [due, sent] = [0, 0]
  async function send(connection: Connection): Promise<void> {
    tally.note(await connection.ask(requests[sent++ % requests.length] ?? Buffer.alloc(0)))
    if (connection.isOpen) free.push(connection)
  }
  while (performance.now() - began < seconds * 1_000) {
    const now = ((performance.now() - began) * perSecond) / 1_000
    for (; due < now; due += 1) {
      const connection = free.shift() // in turn: who was idle for two minutes would be closed, and that is no loss
      if (connection === undefined) continue
      const sending: Promise<void> = send(connection).finally(() => pending.delete(sending))
      pending.add(sending)
    }
    await sleep(1)
  }
  await Promise.all(pending) // each is answered, or given up
  for (const connection of made) connection.close()
  return { ...tally.load(), due, unsent: due - sent }
}

/** What has come so far, by what it said. */
export function tallied() {
  const began = performance.now()
  const times: Readonly<Record<Outcome, number[]>> = { decided: [], 'put off': [], 'sent away': [], failed: [] }
  return {
    note: (requested: Exchange) => void times[outcomeOf(requested)].push(requested.ms),
    load(): Load {
      const { decided, 'put off': putOff, 'sent away': shed, failed } = structuredClone(times)
      return { seconds: (performance.now() - began) / 1_000, decided, putOff, shed, failed }
    },
  }
}
