import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { callerOf, lost } from './caller.ts'
import { dial, type Outcome, outcomeOf } from './connection.ts'
import { reviewsOf } from './load.ts'
import type { Row } from './row.ts'
import { type WebhookProcess, webhookProcess } from './webhook-process.ts'

const GAPS = [5, 60, 72, 89, 91, 119, 121] as const
const UNUSED_GAPS = [12, 89] as const // the first is longer than a head may take
const AGAIN = 5

/** RL-4: nothing is asked on a connection that we close, however long it was idle. */
export async function idleGaps(): Promise<readonly Row[]> {
  const webhook = await webhookProcess()
  const [pooled, unused, abandoned] = await Promise.all([
    Promise.all(GAPS.map((gap) => afterGap(webhook, gap))),
    Promise.all(UNUSED_GAPS.map((gap) => unusedFor(webhook, gap))),
    untilClosed(webhook),
  ])
  await webhook.stop()
  const eofs = pooled.filter(({ losses }) => losses.length > 0)
  return [
    {
      id: 'RL-4',
      what: `pooled connections, idle for ${GAPS.join('/')} s, ${AGAIN} of each`,
      goal: '0 EOF; the caller dials anew after 90 s',
      measured: `${eofs.length} EOF${eofs.map(({ gap, losses }) => `, ${gap} s: ${losses[0]}`).join('')}; ${dialled(pooled)}`,
      holds:
        eofs.length === 0 && pooled.every(({ gap, connections }) => connections === (gap < 90 ? AGAIN : 2 * AGAIN)),
    },
    {
      id: 'RL-4',
      what: `connections dialled and pooled unused for ${UNUSED_GAPS.join('/')} s`,
      goal: '0 EOF',
      measured: unused.map((shown, i) => `${UNUSED_GAPS[i]} s: ${shown}`).join(', '),
      holds: unused.every((shown) => shown === 'decided'),
    },
    {
      id: 'RL-4',
      what: 'a caller that never closes: we do',
      goal: 'after 120 s',
      measured: `after ${abandoned.toFixed(1)} s`,
      holds: abandoned > 119 && abandoned < 125,
    },
  ]
}

interface Gap {
  readonly gap: number
  readonly losses: readonly string[]
  readonly connections: number
}

async function afterGap(webhook: WebhookProcess, gap: number): Promise<Gap> {
  const caller = callerOf(webhook)
  const all = () => Promise.all(Array.from({ length: AGAIN }, () => caller.ask()))
  const before = await all()
  await sleep(gap * 1_000)
  const losses = [...before, ...(await all())].flatMap((outcome) => lost(outcome) ?? [])
  const { connections } = caller
  caller.close()
  return { gap, losses, connections }
}

async function unusedFor(webhook: WebhookProcess, gap: number): Promise<Outcome> {
  const connection = await dial(webhook)
  await sleep(gap * 1_000)
  const requested = await connection.ask(reviewsOf(4_096)[1])
  connection.close()
  return outcomeOf(requested)
}

/** Seconds. */
async function untilClosed(webhook: WebhookProcess): Promise<number> {
  const connection = await dial(webhook)
  await connection.ask(reviewsOf(4_096)[1])
  const began = performance.now()
  await Promise.race([once(connection.socket, 'close'), sleep(140_000, undefined, { ref: false })])
  return (performance.now() - began) / 1_000
}

function dialled(gaps: readonly Gap[]): string {
  return `dialled ${gaps.map(({ gap, connections }) => `${connections} (${gap} s)`).join(', ')}`
}
