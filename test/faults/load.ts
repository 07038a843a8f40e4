import { setTimeout as sleep } from 'node:timers/promises'
import { post } from '../bench/line.ts'
import { creation } from '../bench/templates.ts'
import { type Asked, type Connection, dial } from './connection.ts'

export interface Target {
  readonly port: number
  readonly ca: string
}

/** What a create of a TTemplate of that size brings, first and last. */
export function reviewsOf(bytes: number): readonly [Buffer, Buffer] {
  return [
    post('/mutating', creation('child', 'root', { bytes, labelled: false })),
    post('/validating', creation('child', 'root', { bytes, labelled: true })),
  ]
}

/** Times of the answers by what they said. */
export interface Load {
  readonly seconds: number
  readonly answered: readonly number[]
  readonly shed: readonly number[]
  /** Neither: another code, or no answer. */
  readonly failed: readonly number[]
}

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
  note: (asked: Asked) => void,
): Promise<void> {
  for (let i = 0; performance.now() < end && connection.isOpen; i += 1)
    note(await connection.ask(requests[i % requests.length] ?? Buffer.alloc(0)))
}

/**
 * So many a second, whatever becomes of them, on connections that stand; one that comes while all of them wait for an answer is
 * not sent, for a queue of the driver's own would be measured then. What was really sent is in the load.
 */
export async function openLoop(
  target: Target,
  requests: readonly Buffer[],
  {
    connections,
    seconds,
    perSecond,
  }: { readonly connections: number; readonly seconds: number; readonly perSecond: number },
): Promise<Load> {
  const free = await Promise.all(Array.from({ length: connections }, () => dial(target)))
  const made = [...free]
  const tally = tallied()
  const pending = new Set<Promise<void>>()
  const began = performance.now()
  let due = 0
  let sent = 0
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
  await Promise.race([Promise.all(pending), sleep(15_000)])
  const load = tally.load()
  for (const connection of made) connection.close()
  return load
}

function tallied() {
  const began = performance.now()
  const times: { readonly answered: number[]; readonly shed: number[]; readonly failed: number[] } = {
    answered: [],
    shed: [],
    failed: [],
  }
  return {
    note({ code, ms }: Asked): void {
      if (code === 200) times.answered.push(ms)
      else if (code === 429) times.shed.push(ms)
      else times.failed.push(ms)
    },
    load: (): Load => ({ seconds: (performance.now() - began) / 1_000, ...times }),
  }
}
