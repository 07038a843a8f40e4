import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf, lost } from './caller.ts'
import { isDecided, isSent, type OpenLoad, openLoop, reviewsOf, undecidedOf, unsentOf } from './load.ts'
import { ms, type Pace, percentile, type Row } from './row.ts'
import { webhookProcess } from './webhook-process.ts'

const RATE = 1_000
const CONNECTIONS = 500 // all of them wait only if nothing is answered for half a second

/** RL-1: load as it usually is and then some, and a burst as from a controller that writes all it has. */
export async function burst({ quick }: Pace): Promise<readonly Row[]> {
  const webhook = await webhookProcess()
  await openLoop(webhook, reviewsOf(4_096), { connections: 25, seconds: 2, perSecond: RATE / 5 }) // warms up
  const rows = [await steady(webhook, quick ? 10 : 600), await burstOf(webhook, 5)]
  await webhook.stop()
  return rows
}

type Webhook = Awaited<ReturnType<typeof webhookProcess>>

async function steady(webhook: Webhook, seconds: number): Promise<Row> {
  return steadyRow(
    await openLoop(webhook, reviewsOf(4_096), { connections: CONNECTIONS, seconds, perSecond: RATE }),
    seconds,
  )
}

export function steadyRow(load: OpenLoad, seconds: number): Row {
  const { decided, seconds: took } = load
  const reached = decided.length / took
  return {
    id: 'RL-1',
    what: `${RATE} reviews/s for ${seconds} s`,
    goal: '0 errors, 0 timeouts, ≥ 99 % sent; the rate reached is stated',
    measured: `${undecidedOf(load)}; ${reached.toFixed(0)}/s, ${unsentOf(load)}, p99 ${ms(percentile(decided, 0.99))}`,
    holds: isDecided(load) && isSent(load) && percentile(decided, 1) < 10_000,
  }
}

/** Callers of one API server, who dial whenever no connection is free, and keep 25. */
async function burstOf(webhook: Webhook, seconds: number): Promise<Row> {
  const caller = callerOf(webhook)
  const losses: string[] = []
  let answered = 0
  async function ask(end: number): Promise<void> {
    while (performance.now() < end) {
      const loss = lost(await caller.ask())
      if (loss === undefined) answered += 1
      else losses.push(loss)
    }
  }
  const crowd = (many: number, end: number) => Promise.all(Array.from({ length: many }, () => ask(end)))
  const before = performance.now()
  const first = crowd(25, before + (seconds + 2) * 1_000)
  await sleep(2_000)
  await Promise.all([first, crowd(375, before + (seconds + 2) * 1_000)])
  const { connections } = caller
  caller.close()
  return {
    id: 'RL-1',
    what: `from 25 calls at once to 400, for ${seconds} s`,
    goal: 'nothing lost',
    measured: `${losses.length} of ${answered + losses.length} lost${losses[0] === undefined ? '' : `: ${losses[0]}`}; ${connections} connections dialled`,
    holds: losses.length === 0,
  }
}
