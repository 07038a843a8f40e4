import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { post } from '../bench/line.ts'
import type { Ended } from '../cluster/processes.ts'
import type { Inside } from './inside.ts'
import { type LivelyApiServer, livelyApiServer } from './lively-api-server.ts'
import { isDecided, isSent, type OpenLoad, openLoop, reviewsOf, undecidedOf, unsentOf } from './load.ts'
import { ms, type Pace, percentile, type Row } from './row.ts'
import { completed } from './templates.ts'
import { webhookProcess } from './webhook-process.ts'

const RATE = 100
/** What V8 compiles on the way grows for some fifty thousand reviews. */
const WARM_UP_RATE = 600
const MIB = 1024 * 1024
const LARGE = 3 * MIB
const INSIDE = ['--expose-gc', '--import', './test/faults/inside.ts']
const GOAL_MIB_AN_HOUR = 1
const GAP_MS = 50
const FAR_GAP_MS = 1_000
/** What is shorter shows the last of what is compiled and learnt, not what grows. */
export const SAYING_SECONDS = 600
/** In ten minutes that is still half a megabyte (seen in heap snapshots: code and feedback, no objects). */
const PROMISE_SECONDS = 3_600
const FAR_MIB_AN_HOUR = 20

/** RL-10: what grows, however slowly, and what holds up the event loop; the client of the API server is part of it. */
export async function soak({ soakSeconds }: Pace): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-soak-'))
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'bare')]
  const api = await livelyApiServer()
  const args = ['--cluster=kube', `--kubeconfig=${api.kubeconfig}`, '--certs=files']
  const webhook = await webhookProcess({ args, withPair: true, nodeArgs: INSIDE, env: insideTo(ours) })
  const bare = bareProcess(theirs)
  const load = (seconds: number, perSecond = RATE) =>
    Promise.all([small(webhook, seconds, perSecond), large(webhook, seconds)])
  await load(Math.min(120, soakSeconds), WARM_UP_RATE)
  api.calmDown()
  const warm = linesIn(ours).length
  const before = { ...api.seen }
  const files = () => readdirSync(`/proc/${webhook.pid}/fd`).length
  const opened: number[] = []
  const watch = setInterval(() => opened.push(files()), 1_000)
  const loads = await load(soakSeconds)
  clearInterval(watch)
  const [seen, beside] = [linesIn(ours).slice(warm), linesIn(theirs).slice(warm)]
  const meanwhile = apiServerRow(before, { ...api.seen }, soakSeconds)
  bare.kill()
  const ended = await webhook.stop()
  await api.stop()
  rmSync(folder, { recursive: true })
  return [
    lossRow(loads, ended, soakSeconds),
    meanwhile,
    growthRow(seen, soakSeconds),
    filesRow(opened),
    gapRow(seen, beside),
  ]
}

function lossRow(loads: readonly OpenLoad[], { signal, code }: Ended, seconds: number): Row {
  const many = loads.reduce((sum, { decided }) => sum + decided.length, 0)
  return {
    id: 'RL-10',
    what: `${RATE} reviews/s of 4 KiB and one of 3 MiB every two seconds, for ${seconds} s`,
    goal: '0 lost, sent away or put off, ≥ 99 % sent',
    measured: `${many} decided; ${loads.map(lossOf).join('; ')}; ended with ${signal ?? code}`,
    holds: loads.every(isDecided) && loads.every(isSent) && code === 0,
  }
}

const lossOf = (load: OpenLoad) => `${undecidedOf(load)}, ${unsentOf(load)}`

/** What the cache does not have is looked for at the API server, before it is refused. */
const ORPHAN = post('/validating', completed(4_096, 'nowhere'))

type Target = Awaited<ReturnType<typeof webhookProcess>>

const small = (webhook: Target, seconds: number, perSecond: number): Promise<OpenLoad> =>
  openLoop(webhook, [...reviewsOf(4_096), ORPHAN], { connections: 25, seconds, perSecond })
const large = (webhook: Target, seconds: number): Promise<OpenLoad> =>
  openLoop(webhook, reviewsOf(LARGE), { connections: 2, seconds, perSecond: 0.5 })

/** Beside the webhook, and with nothing to do: what holds that up is the machine. */
function bareProcess(file: string) {
  const args = [...INSIDE, '-e', 'process.stdin.resume().on("end", () => process.exit())']
  return spawn(process.execPath, args, {
    env: { ...process.env, ...insideTo(file) },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}

const insideTo = (file: string) => ({ TARS_FAULTS_INSIDE: file })

function linesIn(file: string): readonly Inside[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** All that may leak with it has come to pass: look-ups, watches that ended, lists anew. */
function apiServerRow(before: LivelyApiServer['seen'], after: LivelyApiServer['seen'], seconds: number): Row {
  const reads = after.reads - before.reads
  const watches = after.watches - before.watches
  const lists = after.lists - before.lists
  const events = after.events - before.events
  return {
    id: 'RL-10',
    what: 'the API server meanwhile, whose watches end, expire and break in turn',
    goal: 'a look-up for every third review; watched all the time',
    measured: `${reads} look-ups, ${watches} watches, ${lists} lists, ${events} events`,
    holds: reads >= 0.9 * ((RATE * seconds) / 3) && events >= seconds && watches >= Math.floor(seconds / 15),
  }
}

type Held = Pick<Inside, 'seconds' | 'heap' | 'external'>

export function growthRow(seen: readonly Held[], seconds: number): Row {
  const { slope, error } = fitted(seen.map(({ seconds, heap, external }) => [seconds / 3_600, (heap + external) / MIB]))
  const isShown = 2 * error <= GOAL_MIB_AN_HOUR
  const most = seconds >= PROMISE_SECONDS ? GOAL_MIB_AN_HOUR : FAR_MIB_AN_HOUR
  return {
    id: 'RL-10',
    what: `memory in use after a collection, ${seen.length} times`,
    goal: `grows by < ${GOAL_MIB_AN_HOUR} MiB/h; ${most} MiB/h fail`,
    measured: `${slope.toFixed(2)} ± ${(2 * error).toFixed(2)} MiB/h${isShown ? '' : ' (too short to say more)'}`,
    holds: slope - 2 * error < GOAL_MIB_AN_HOUR,
    isFigure: true,
    isFar: slope - 2 * error >= most,
    isUnsaid: seconds < SAYING_SECONDS,
  }
}

/** A watch that breaks is dialled anew beside the old connection, so the median of each tenth of the time counts. */
function filesRow(opened: readonly number[]): Row {
  const length = Math.max(1, Math.ceil(opened.length / 10))
  const tenths = Array.from({ length: Math.ceil(opened.length / length) }, (_, at) =>
    percentile(opened.slice(at * length, (at + 1) * length), 0.5),
  )
  const [least, most] = [Math.min(...tenths), Math.max(...tenths)]
  const measured = `${least} … ${most} in the medians of ten parts, ${Math.min(...opened)} … ${Math.max(...opened)} in all`
  return { id: 'RL-10', what: 'file descriptors', goal: 'constant ± 5', measured, holds: most - least <= 10 }
}

type Gap = Pick<Inside, 'gapMs'>

export function gapRow(seen: readonly Gap[], beside: readonly Gap[]): Row {
  const gaps = (lines: readonly Gap[]) => lines.map(({ gapMs }) => gapMs)
  const [ours, bare] = [gaps(seen), gaps(beside)]
  const shown = (of: readonly number[]) =>
    `longest ${ms(percentile(of, 1))}, median of the longest of each 5 s ${ms(percentile(of, 0.5))}`
  return {
    id: 'RL-10',
    what: 'gaps of the event loop, 3 MiB reviews among them',
    goal: `none > ${GAP_MS} ms; > ${FAR_GAP_MS / 1_000} s fails`,
    measured: `${shown(ours)}; of a process with nothing to do: ${shown(bare)}`,
    holds: percentile(ours, 1) <= GAP_MS,
    isFigure: true,
    isFar: percentile(ours, 1) > FAR_GAP_MS,
  }
}

/** Least squares, and the standard error of the slope. */
export function fitted(points: readonly (readonly [number, number])[]): {
  readonly slope: number
  readonly error: number
} {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [each]) => sum + (each - x) ** 2, 0)
  const slope = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) / spread
  const rest = points.reduce((sum, [at, value]) => sum + (value - y - slope * (at - x)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) }
}
