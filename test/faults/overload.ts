import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, dial } from './connection.ts'
import { closedLoop, type Load, openLoop, reviewsOf, type Target, unsentOf } from './load.ts'
import { type Figure, mib, ms, type Pace, percent, percentile, type Row } from './row.ts'
import { type WebhookProcess, webhookProcess } from './webhook-process.ts'

const KIB = 1024
const CALLS = 600 // what one API server has in flight at most
const RECOVERED_MS = 2_000

/** Beyond these no machine is so busy: a quarter of the least goodput that was measured, and several times the rest. */
interface Bounds {
  /** Of saturation. */
  readonly goodput: number
  readonly shedMs: number
}
const SMALL: Bounds = { goodput: 0.12, shedMs: 5_000 }
const LARGE: Bounds = { goodput: 0.03, shedMs: 10_000 } // all of a body is read, whatever becomes of it
const BOUNDS = { growth: 2, recoveredMs: 10_000 }

/** RL-2, PF-5: three times as many reviews as can be answered. */
export async function overload({ quick }: Pace): Promise<readonly Row[]> {
  const seconds = quick ? 4 : 15
  const rows: Row[] = []
  for (const kib of quick ? [4, 1024] : [4, 64, 1024]) {
    const webhook = await webhookProcess({ nodeArgs: ['--max-old-space-size=153'] })
    const load = { what: `${kib} KiB`, requests: reviewsOf(kib * KIB), seconds }
    rows.push(...(await overloaded(webhook, { ...load, bounds: kib > 64 ? LARGE : SMALL })))
    await webhook.stop()
  }
  return rows
}

interface Overload {
  readonly what: string
  readonly requests: readonly Buffer[]
  readonly seconds: number
  /** So many connections keep the webhook busy all the time. */
  readonly saturating?: number
  readonly bounds?: Bounds
}

export async function overloaded(webhook: WebhookProcess, load: Overload): Promise<readonly Row[]> {
  return rowsOf(await measured(webhook, load), load)
}

/** In two ways: as an API server does it, who waits a second when told so, and by callers who do not. */
async function measured(webhook: WebhookProcess, { requests, seconds, saturating = 16 }: Overload) {
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
  return { patient, impatient, saturation, memory, patientMemory, recoveredMs }
}

type Measured = Awaited<ReturnType<typeof measured>>

function rowsOf(found: Measured, { what, bounds = SMALL }: Overload): readonly Row[] {
  const { patient, impatient, saturation } = found
  const lost = patient.failed.length + impatient.failed.length
  return [
    { id: 'RL-2', what: `${what}, overload in both ways`, goal: '0 lost', measured: `${lost} lost`, holds: lost === 0 },
    {
      ...goodput(patient, saturation, bounds),
      what: `${what}, ${CALLS} calls of an API server in flight all the time: goodput`,
    },
    {
      ...goodput(impatient, saturation, bounds, `; ${sentOf(impatient, saturation)}, ${unsentOf(impatient)}`),
      what: `${what}, 3 × saturation by callers who do not wait: goodput`,
    },
    { ...sentAway(found, bounds), what: `${what}: sent away within` },
    { ...growth(found), what: `${what}: memory under overload` },
    { ...recovered(found), what: `${what}: as before again` },
  ]
}

type Unnamed = Omit<Figure, 'what'>
const FIGURE = { id: 'RL-2', isFigure: true } as const

function goodput(load: Load, saturation: number, { goodput: least }: Bounds, more = ''): Unnamed {
  const share = rateOf(load) / saturation
  return {
    ...FIGURE,
    goal: `≥ 80 % of saturation; < ${percent(least)} fails`,
    measured: `${percent(share)} of ${saturation.toFixed(0)}/s; ${away(load)}${more}`,
    holds: share >= 0.8,
    isFar: share < least,
  }
}

function sentAway({ patient, impatient }: Measured, { shedMs: most }: Bounds): Unnamed {
  const within = (load: Load, share: number) => percentile(load.shed, share)
  const p99 = within(patient, 0.99)
  const restless = ms(within(impatient, 0.99))
  return {
    ...FIGURE,
    goal: `p99 ≤ 10 ms; > ${most / 1_000} s fails`,
    measured: `p99 ${ms(p99)}, median ${ms(within(patient, 0.5))}; by those who do not wait p99 ${restless}`,
    holds: patient.shed.length === 0 || p99 <= 10,
    isFar: p99 > most,
  }
}

function growth({ memory, patientMemory }: Measured): Unnamed {
  const share = patientMemory / memory - 1
  return {
    ...FIGURE,
    goal: `≤ 25 % more; > ${percent(BOUNDS.growth)} fails`,
    measured: `${percent(share)}: ${mib(memory)}, then ${mib(patientMemory)}`,
    holds: share <= 0.25,
    isFar: share > BOUNDS.growth,
  }
}

function recovered({ recoveredMs }: Measured): Unnamed {
  return {
    ...FIGURE,
    goal: `≤ ${RECOVERED_MS / 1_000} s; > ${BOUNDS.recoveredMs / 1_000} s fails`,
    measured: `after ${(recoveredMs / 1_000).toFixed(1)} s`,
    holds: recoveredMs <= RECOVERED_MS,
    isFar: recoveredMs > BOUNDS.recoveredMs,
  }
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
