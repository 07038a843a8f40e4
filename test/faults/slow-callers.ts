import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { isDecided, isSent, type OpenLoad, openLoop, reviewsOf, undecidedOf, unsentOf } from './load.ts'
import { type Figure, ms, type Pace, percentile, type Row } from './row.ts'
import { type WebhookProcess, webhookProcess } from './webhook-process.ts'

const MANY = 200
const RATE = 200
const CONNECTIONS = 100 // all of them wait only if nothing is answered for half a second
const SETTLED_MS = 1_000
const FAR = { times: 20, ms: 100 } // whoever waits for the slow waits for seconds
const MIB = 1024 * 1024

interface Way {
  readonly name: string
  readonly inQuick?: true
  /** After so long such a connection is gone. */
  readonly seconds: number
  readonly come: (webhook: WebhookProcess) => Socket
}

const head = (length: number) =>
  `POST /validating HTTP/1.1\r\nHost: us\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

/** A record of 4 KiB with the beginning of a ClientHello. */
const HELLO = Buffer.from('160301100001000ffc0303', 'hex')

const WAYS: readonly Way[] = [
  {
    name: 'a handshake that does not go on',
    seconds: 12,
    come: ({ port }) => drip(connect(port, '127.0.0.1'), HELLO, '\0'),
  },
  {
    name: 'heads, drop by drop',
    inQuick: true,
    seconds: 12,
    come: (webhook) => drip(over(webhook), 'POST /validating HTTP/1.1\r\nX: ', 'x'),
  },
  { name: 'bodies, drop by drop', seconds: 17, come: (webhook) => drip(over(webhook), head(MIB), ' ') },
  {
    name: 'bodies that stop half way, 100 MiB in all',
    inQuick: true,
    seconds: 17,
    come: (webhook) => drip(over(webhook), head(MIB) + ' '.repeat(MIB / 2), ' '),
  },
]

/** Slow loris: 200 connections of each kind, and good reviews meanwhile. */
export async function slowCallers({ quick }: Pace): Promise<readonly Row[]> {
  const webhook = await webhookProcess()
  const seconds = quick ? 5 : 8 // the first of them go after ten
  const good = () => openLoop(webhook, reviewsOf(4_096), { connections: CONNECTIONS, seconds, perSecond: RATE })
  await good() // warms up
  const rows: Row[] = []
  for (const way of quick ? WAYS.filter(({ inQuick }) => inQuick) : WAYS)
    rows.push(...(await beside(webhook, way, good)))
  await webhook.stop()
  return rows
}

async function beside(webhook: WebhookProcess, way: Way, good: () => Promise<OpenLoad>): Promise<readonly Row[]> {
  const alone = await good()
  const began = performance.now()
  const slow = Array.from({ length: MANY }, () => way.come(webhook))
  const gone = Promise.all(slow.map((socket) => closed(socket, way.seconds + 20))).then(() => performance.now() - began)
  await sleep(SETTLED_MS) // that many handshakes at once hold up anybody, slow or not
  const beside = await good()
  const goneAfter = (await gone) / 1_000
  const what = `${MANY} callers with ${way.name}`
  return [
    {
      id: 'SV-1',
      what: `${what}: good reviews meanwhile`,
      goal: '0 lost, sent away or put off, ≥ 99 % sent; the slow are gone in time',
      measured: `${undecidedOf(beside)}, ${unsentOf(beside)}; gone after ${goneAfter.toFixed(0)} s`,
      holds: isDecided(beside) && isSent(beside) && goneAfter < way.seconds + 3,
    },
    { ...slowdown(alone.decided, beside.decided), what: `${what}: p99` },
  ]
}

export function slowdown(alone: readonly number[], beside: readonly number[], far = FAR): Omit<Figure, 'what'> {
  const [usual, p99] = [percentile(alone, 0.99), percentile(beside, 0.99)]
  return {
    id: 'SV-1',
    goal: `≤ 1.5 × that without; > ${far.times} × and > ${far.ms} ms fails`,
    measured: `${ms(p99)}, ${ms(usual)} without`,
    holds: p99 <= 1.5 * usual,
    isFigure: true,
    isFar: p99 > far.times * usual && p99 > far.ms,
  }
}

const over = ({ port, ca }: WebhookProcess) => connectTls({ host: '127.0.0.1', port, ca, ALPNProtocols: ['http/1.1'] })

function drip(socket: Socket, first: string | Buffer, drop: string): Socket {
  socket.on('error', () => undefined).resume()
  socket.write(first)
  const timer = setInterval(() => socket.writable && socket.write(drop), 1_000)
  socket.once('close', () => clearInterval(timer))
  return socket
}

async function closed(socket: Socket, seconds: number): Promise<void> {
  for (let i = 0; i < seconds * 10 && !socket.closed; i += 1) await sleep(100)
  socket.destroy()
}
