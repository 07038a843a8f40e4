import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDecided, openLoop, reviewsOf, undecidedOf, unsentOf } from './load.ts'
import { mib, type Pace, type Row } from './row.ts'
import { slowdown } from './slow-callers.ts'
import { type WebhookProcess, webhookProcess } from './webhook-process.ts'

const CONNECTIONS = 100 // all of them wait only if nothing is answered for half a second
const RATE = 200
const PROBE_MS = 1_000
const PROBE_TIMEOUT_MS = 5_000 // of the liveness probe in the printed Deployment
const MANY_HALVES = 10_000
const MOST_STANDING = 64
const GONE_MS = 6_000 // five seconds for the head, and what the look at it takes
const MUCH_MEMORY = 256 * 1024 * 1024
const MOST_MEMORY = 512 * 1024 * 1024

const FAR = { times: 20, ms: 5_000 } // Node still parses what is pipelined; unbounded, it took 6 to 12 s

const HALF = 'GET /livez HTTP/1.1\r\nX: '
const PIPELINE = 'GET /metrics HTTP/1.1\r\nHost: us\r\n\r\n'.repeat(1_500)

interface Attack {
  readonly name: string
  /** Goes on until what it returns is called. */
  readonly begin: (webhook: WebhookProcess) => () => void
}

const ATTACKS: readonly Attack[] = [
  {
    name: '40 connections that pipeline 1,500 GETs each and read nothing',
    begin: ({ metrics }) => every(1_000, 40, () => dial(metrics, PIPELINE)),
  },
  {
    name: 'one that pipelines 1,500 GETs again and again, and reads',
    begin: ({ metrics }) => every(10, 1, () => dial(metrics, PIPELINE).resume()),
  },
  { name: '100 half heads a second', begin: ({ health }) => flood(health, 100) },
  { name: '10,000 half heads, 2,000 a second', begin: ({ health }) => flood(health, 2_000, MANY_HALVES) },
]

/** Pods that may reach the ports of metrics and health, and good reviews and liveness probes meanwhile. */
export async function plainPorts({ quick }: Pace): Promise<readonly Row[]> {
  const webhook = await webhookProcess()
  const seconds = quick ? 8 : 30
  const good = () => openLoop(webhook, reviewsOf(4_096), { connections: CONNECTIONS, seconds, perSecond: RATE })
  await good() // warms up
  const usual = await good()
  const rows: Row[] = []
  for (const attack of ATTACKS) {
    const end = attack.begin(webhook)
    const meanwhile = Promise.all([good(), probed(webhook, seconds)])
    const [beside, probes] = await meanwhile.catch((cause) => deathOf(webhook, attack, cause)).finally(end)
    rows.push(
      {
        id: 'SV-16',
        what: `${attack.name}: good reviews and liveness probes meanwhile`,
        goal: '0 lost, sent away or put off; every probe answered',
        measured: `${undecidedOf(beside)}, ${unsentOf(beside)}; ${probes.answered} of ${probes.requested} probes answered`,
        holds: isDecided(beside) && probes.answered === probes.requested,
      },
      { ...slowdown(usual.decided, beside.decided, FAR), id: 'SV-16', what: `${attack.name}: p99` },
    )
  }
  return [...rows, await standing(webhook), ...(await endOf(webhook))]
}

/** Reviews fail to be sent because the process has ended, or is about to. */
async function deathOf(webhook: WebhookProcess, { name }: Attack, cause: unknown): Promise<never> {
  const { signal, code } = await webhook.stop()
  throw new Error(`${name}: the process ended by ${signal ?? `exit ${code}`}`, { cause })
}

/** As many connections as that: those that have ended are dialled again at each tick. */
function every(ms: number, many: number, dialOne: () => Socket): () => void {
  const sockets = Array.from({ length: many }, dialOne)
  const timer = setInterval(() => {
    for (const [i, socket] of sockets.entries()) if (socket.closed) sockets[i] = dialOne()
  }, ms)
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

const TICK_MS = 10

function flood(url: string, perSecond: number, most = Number.POSITIVE_INFINITY): () => void {
  const halves: Socket[] = []
  const timer = setInterval(() => {
    for (let i = 0; i < (perSecond * TICK_MS) / 1_000 && halves.length < most; i += 1)
      halves.push(dial(url, HALF).resume())
  }, TICK_MS)
  return () => {
    clearInterval(timer)
    for (const half of halves) half.destroy()
  }
}

function dial(url: string, text: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.write(text)
  return socket
}

async function probed({ health }: WebhookProcess, seconds: number) {
  const probes: Promise<boolean>[] = []
  for (const end = performance.now() + seconds * 1_000; performance.now() < end; await sleep(PROBE_MS))
    probes.push(isAlive(health))
  const answers = await Promise.all(probes)
  return { requested: answers.length, answered: answers.filter(Boolean).length }
}

async function isAlive(health: string): Promise<boolean> {
  try {
    return (await fetch(`${health}/livez`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })).ok
  } catch {
    return false
  }
}

/** How many half heads stand, and for how long. */
async function standing({ health }: WebhookProcess): Promise<Row> {
  const halves: Socket[] = []
  while (halves.length < MANY_HALVES) {
    for (let i = 0; i < 50; i += 1) halves.push(dial(health, HALF).resume())
    await sleep(TICK_MS)
  }
  const left = () => halves.filter(({ closed }) => !closed).length
  await sleep(1_000)
  const stood = left()
  const began = performance.now()
  while (left() > 0 && performance.now() - began < 2 * GONE_MS) await sleep(100)
  const goneMs = performance.now() - began
  for (const half of halves) half.destroy()
  return {
    id: 'SV-16',
    what: `${MANY_HALVES} half heads: how many stand`,
    goal: `≤ ${MOST_STANDING}, gone within ${GONE_MS / 1_000} s`,
    measured: `${stood}; gone after ${(goneMs / 1_000).toFixed(0)} s`,
    holds: stood <= MOST_STANDING && goneMs <= GONE_MS,
  }
}

async function endOf(webhook: WebhookProcess): Promise<readonly Row[]> {
  const peak = webhook.memory('VmHWM')
  const { signal, code } = await webhook.stop()
  const ended = signal ?? `exit ${code}`
  return [
    { id: 'SV-16', what: 'after all that', goal: 'exit 0', measured: ended, holds: code === 0 },
    {
      id: 'SV-16',
      what: 'after all that: peak of memory',
      goal: `≤ ${mib(MUCH_MEMORY)}; > ${mib(MOST_MEMORY)}, the limit of the container, fails`,
      measured: mib(peak),
      holds: peak <= MUCH_MEMORY,
      isFigure: true,
      isFar: peak > MOST_MEMORY,
    },
  ]
}
