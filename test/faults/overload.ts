import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, dial, outcomeOf } from './connection.ts'
import { closedLoop, type Load, openLoop, reviewsOf, type Target, tallied, unsentOf } from './load.ts'
import { type Figure, mib, ms, type Pace, percent, percentile, type Row, type Vow } from './row.ts'
import { type WebhookProcess, webhookProcess } from './webhook-process.ts'

const KIB = 1024
const CALLS = 600 // what one API server has in flight at most
const RECOVERED_MS = 2_000

/** Beyond these no machine is so busy: about a quarter of the least goodput that was measured, and several times the rest. */
interface Bounds {
  /** Of saturation. */
  readonly goodput: number
  readonly shedMs: number
}
const SMALL: Bounds = { goodput: 0.12, shedMs: 5_000 }
const LARGE: Bounds = { goodput: 0.02, shedMs: 10_000 } // all of a body is read, whatever becomes of it
const BOUNDS = { growth: 2, recoveredMs: 10_000 }

/** RL-2, PF-5: three times as many reviews as can be answered. */
export async function overload({ quick }: Pace): Promise<readonly Row[]> {
  const seconds = quick ? 4 : 15
  const rows: Row[] = []
  for (const kib of quick ? [4, 1024] : [4, 64, 1024]) {
    const webhook = await webhookProcess()
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
  /** A look-up that waits for its turn too long puts its review off; where nothing is looked up, none may be. */
  readonly looksUp?: true
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
  const callers = await connected(webhook, requests, saturating)
  const peakBefore = webhook.memory('VmHWM') // with the connections, whose memory is not the overload's
  const { inTime: patient, inAll } = await patientCallers(callers, requests, seconds)
  const perSecond = 3 * rateOf(before)
  const impatient = await openLoop(webhook, requests, { connections: CALLS, seconds, perSecond })
  const peak = webhook.memory('VmHWM')
  const recoveredMs = await recovery(webhook, requests, percentile(before.decided, 0.99))
  const after = await saturate()
  const saturation = (rateOf(before) + rateOf(after)) / 2
  const [saturated, overloaded] = [undecided(before, after), undecided(inAll, impatient)]
  return { patient, impatient, saturated, overloaded, saturation, peakBefore, peak, recoveredMs }
}

const undecided = (...loads: readonly Load[]) => ({
  lost: loads.reduce((sum, { failed }) => sum + failed.length, 0),
  putOff: loads.reduce((sum, { putOff }) => sum + putOff.length, 0),
})

/** All calls of an API server; each has been answered once, no more of them at a time than saturate. */
async function connected(target: Target, requests: readonly Buffer[], atATime: number): Promise<readonly Connection[]> {
  const made = await Promise.all(Array.from({ length: CALLS }, () => dial(target)))
  for (let i = 0; i < made.length; i += atATime)
    await Promise.all(made.slice(i, i + atATime).map((each) => each.ask(requests[0] ?? Buffer.alloc(0))))
  return made
}

type Measured = Awaited<ReturnType<typeof measured>>

export function rowsOf(
  found: Measured,
  { what, looksUp, bounds = SMALL }: Pick<Overload, 'what' | 'looksUp' | 'bounds'>,
): readonly Row[] {
  const { patient, impatient, saturated, overloaded, saturation } = found
  return [
    // What is put off then is no saturation, and no measure of goodput.
    { ...losses(saturated), what: `${what}, at saturation, before and after` },
    { ...losses(overloaded, looksUp), what: `${what}, overload in both ways` },
    {
      ...goodput(patient, saturation, bounds),
      what: `${what}, ${CALLS} calls of an API server in flight all the time: goodput`,
    },
    {
      ...goodput(impatient, saturation, bounds, `; ${sentOf(impatient, saturation)}, ${unsentOf(impatient)}`),
      what: `${what}, 3 × saturation by callers who do not wait: goodput`,
    },
    { ...sentAway(found, bounds), what: `${what}: sent away within` },
    { ...growth(found), what: `${what}: peak of memory, before and after both` },
    { ...recovered(found), what: `${what}: as before again` },
  ]
}

function losses({ lost, putOff }: Measured['overloaded'], mayPutOff = false): Omit<Vow, 'what'> {
  return {
    id: 'RL-2',
    goal: mayPutOff ? '0 lost' : '0 lost or put off',
    measured: `${lost} lost, ${putOff} put off`,
    holds: lost + (mayPutOff ? 0 : putOff) === 0,
  }
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
    isFar: !(share >= least), // nor is there a share of nothing
  }
}

function sentAway({ patient, impatient }: Measured, { shedMs: most }: Bounds): Unnamed {
  const p99 = percentile(patient.shed, 0.99)
  const shown = ({ shed }: Load) =>
    shed.length === 0 ? 'nobody' : `p99 ${ms(percentile(shed, 0.99))}, median ${ms(percentile(shed, 0.5))}`
  return {
    ...FIGURE,
    goal: `p99 ≤ 10 ms; > ${most / 1_000} s fails`,
    measured: `${shown(patient)}; of those who do not wait ${shown(impatient)}`,
    holds: patient.shed.length === 0 || p99 <= 10,
    isFar: p99 > most,
  }
}

function growth({ peakBefore, peak }: Measured): Unnamed {
  const share = peak / peakBefore - 1
  return {
    ...FIGURE,
    goal: `≤ 25 % more; > ${percent(BOUNDS.growth)} fails`,
    measured: `${percent(share)}: ${mib(peakBefore)}, then ${mib(peak)}`,
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

const rateOf = ({ decided, seconds }: Load) => decided.length / seconds
function away({ shed, putOff, decided, seconds }: Load): string {
  const each = (many: readonly number[]) => `${(many.length / seconds).toFixed(0)}/s`
  return `${each(shed)} sent away, ${each(putOff)} put off, p99 of the decided ${ms(percentile(decided, 0.99))}`
}
const sentOf = ({ shed, putOff, decided, seconds }: Load, saturation: number) =>
  `${((shed.length + putOff.length + decided.length) / seconds / saturation).toFixed(1)} × came`

/** Each asks on and on, and waits for a second when it was sent away (AP-4). */
async function patientCallers(
  made: readonly Connection[],
  requests: readonly Buffer[],
  seconds: number,
): Promise<{ readonly inTime: Load; readonly inAll: Load }> {
  const tally = tallied()
  const end = performance.now() + seconds * 1_000
  async function call(connection: Connection): Promise<void> {
    for (let i = 0; performance.now() < end && connection.isOpen; i += 1) {
      const requested = await connection.ask(requests[i % requests.length] ?? Buffer.alloc(0))
      tally.note(requested)
      if (outcomeOf(requested) === 'sent away') await sleep(1_000)
    }
  }
  const calls = Promise.all(made.map(call))
  await sleep(seconds * 1_000)
  const inTime = tally.load()
  await calls
  for (const connection of made) connection.close()
  return { inTime, inAll: tally.load() }
}

/** Until the first of five in a row that are decided as soon as nearly all were before. */
async function recovery(target: Target, requests: readonly Buffer[], usualMs: number): Promise<number> {
  const began = performance.now()
  const connection = await dial(target)
  let since = began
  for (let inRow = 0; inRow < 5 && performance.now() - began < 20_000; ) {
    const requested = await connection.ask(requests[0] ?? Buffer.alloc(0))
    inRow = outcomeOf(requested) === 'decided' && requested.ms <= 2 * usualMs ? inRow + 1 : 0
    if (inRow === 0) since = performance.now()
    await sleep(10)
  }
  connection.close()
  return since - began
}
