import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, dial } from './connection.ts'
import { closedLoop, type Load, openLoop, reviewsOf, type Target, unsentOf } from './load.ts'
import { mib, ms, type Pace, percent, percentile, type Row } from './row.ts'
import { type WebhookProcess, webhookProcess } from './webhook-process.ts'

const KIB = 1024
const CALLS = 600 // what one API server has in flight at most
const RECOVERED_MS = 2_000

/** RL-2, PF-5: three times as many reviews as can be answered. */
export async function overload({ quick }: Pace): Promise<readonly Row[]> {
  const seconds = quick ? 4 : 15
  const rows: Row[] = []
  for (const bytes of quick ? [4 * KIB, 1024 * KIB] : [4 * KIB, 64 * KIB, 1024 * KIB]) {
    const webhook = await webhookProcess({ nodeArgs: ['--max-old-space-size=153'] })
    const what = `${bytes / KIB} KiB`
    rows.push(...(await overloaded(webhook, reviewsOf(bytes), what, seconds)))
    await webhook.stop()
  }
  return rows
}

/** In two ways: as an API server does it, who waits a second when told so, and by callers who do not. */
export async function overloaded(
  webhook: WebhookProcess,
  requests: readonly Buffer[],
  what: string,
  seconds: number,
  saturating = 16,
): Promise<readonly Row[]> {
  const saturate = () => closedLoop(webhook, requests, { connections: saturating, seconds })
  await saturate() // warms up
  const before = await saturate()
  const callers = await Promise.all(Array.from({ length: CALLS }, () => dial(webhook)))
  for (const each of callers) await each.ask(requests[0] ?? Buffer.alloc(0))
  const memory = webhook.memory('VmRSS') // that of the connections is not the overload's
  const patient = await patientCallers(callers, requests, seconds)
  const patientMemory = webhook.memory('VmRSS')
  const perSecond = 3 * rateOf(before)
  const impatient = await openLoop(webhook, requests, { connections: CALLS, seconds, perSecond })
  const recoveredMs = await recovery(webhook, requests, percentile(before.answered, 0.99))
  const saturation = (rateOf(before) + rateOf(await saturate())) / 2
  const lost = patient.failed.length + impatient.failed.length
  const growth = patientMemory / memory - 1
  const figure = { id: 'RL-2', isFigure: true } as const
  return [
    { id: 'RL-2', what: `${what}, overload in both ways`, goal: '0 lost', measured: `${lost} lost`, holds: lost === 0 },
    {
      ...figure,
      what: `${what}, ${CALLS} calls of an API server in flight all the time: goodput`,
      goal: '≥ 80 % of saturation',
      measured: `${percent(rateOf(patient) / saturation)} of ${saturation.toFixed(0)}/s; ${away(patient)}`,
      holds: rateOf(patient) >= 0.8 * saturation,
    },
    {
      ...figure,
      what: `${what}, 3 × saturation by callers who do not wait: goodput`,
      goal: '≥ 80 % of saturation',
      measured: `${percent(rateOf(impatient) / saturation)}; ${away(impatient)}; ${sentOf(impatient, saturation)}, ${unsentOf(impatient)}`,
      holds: rateOf(impatient) >= 0.8 * saturation,
    },
    {
      ...figure,
      what: `${what}: sent away within`,
      goal: 'p99 ≤ 10 ms',
      measured: `p99 ${ms(percentile(patient.shed, 0.99))}, median ${ms(percentile(patient.shed, 0.5))}; by those who do not wait p99 ${ms(percentile(impatient.shed, 0.99))}`,
      holds: patient.shed.length === 0 || percentile(patient.shed, 0.99) <= 10,
    },
    {
      ...figure,
      what: `${what}: memory under overload`,
      goal: '≤ 25 % more',
      measured: `${percent(growth)}: ${mib(memory)}, then ${mib(patientMemory)}`,
      holds: growth <= 0.25,
    },
    {
      ...figure,
      what: `${what}: as before again`,
      goal: '≤ 2 s',
      measured: `after ${(recoveredMs / 1_000).toFixed(1)} s`,
      holds: recoveredMs <= RECOVERED_MS,
    },
  ]
}

const rateOf = ({ answered, seconds }: Load) => answered.length / seconds
const away = ({ shed, answered, seconds }: Load) =>
  `${(shed.length / seconds).toFixed(0)}/s sent away, p99 of the answered ${ms(percentile(answered, 0.99))}`
const sentOf = ({ shed, answered, seconds }: Load, saturation: number) =>
  `${((shed.length + answered.length) / seconds / saturation).toFixed(1)} × came`

/** Each asks on and on, and waits for a second when it was sent away (AP-4). */
async function patientCallers(
  made: readonly Connection[],
  requests: readonly Buffer[],
  seconds: number,
): Promise<Load> {
  const times: { readonly answered: number[]; readonly shed: number[]; readonly failed: number[] } = {
    answered: [],
    shed: [],
    failed: [],
  }
  const began = performance.now()
  const end = began + seconds * 1_000
  async function call(connection: Connection): Promise<void> {
    for (let i = 0; performance.now() < end && connection.isOpen; i += 1) {
      const { code, ms } = await connection.ask(requests[i % requests.length] ?? Buffer.alloc(0))
      if (code === 200) times.answered.push(ms)
      else if (code !== 429) times.failed.push(ms)
      else {
        times.shed.push(ms)
        await sleep(1_000)
      }
    }
  }
  const calls = Promise.all(made.map(call))
  await sleep(seconds * 1_000)
  const elapsed = (performance.now() - began) / 1_000
  const soFar = { answered: [...times.answered], shed: [...times.shed] }
  await calls
  for (const connection of made) connection.close()
  return { seconds: elapsed, ...soFar, failed: times.failed }
}

/** Until the first of five in a row that are answered as soon as nearly all were before. */
async function recovery(target: Target, requests: readonly Buffer[], usualMs: number): Promise<number> {
  const began = performance.now()
  const connection = await dial(target)
  let since = began
  for (let inRow = 0; inRow < 5 && performance.now() - began < 20_000; ) {
    const { code, ms } = await connection.ask(requests[0] ?? Buffer.alloc(0))
    inRow = code === 200 && ms <= 2 * usualMs ? inRow + 1 : 0
    if (inRow === 0) since = performance.now()
    await sleep(10)
  }
  connection.close()
  return since - began
}
