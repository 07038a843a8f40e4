import { setTimeout as sleep } from 'node:timers/promises'
import { dial, outcomeOf } from './connection.ts'
import { reviewsOf } from './load.ts'
import { type MemoryLimit, memoryLimit } from './memory-limit.ts'
import { mib, type Pace, type Row } from './row.ts'
import { completed } from './templates.ts'
import { CONTAINER_MIB, type WebhookProcess, webhookProcess } from './webhook-process.ts'

const MIB = 1024 * 1024
const LIMIT = CONTAINER_MIB * MIB
const BODY = 7 * MIB
const MANY = 25
const CONNECTIONS = 1_800 // three API servers with all their calls in flight

/** What 7 MiB of JSON may be: it is what is parsed out of them that takes the memory. */
const SHAPES: Readonly<Record<string, () => string>> = {
  'one text': () => JSON.stringify('x'.repeat(BODY)),
  'one text of two bytes a character': () => JSON.stringify('字'.repeat(BODY / 3)),
  'empty objects': () => filledWith(() => '{}'),
  'arrays in arrays': () => filledWith(() => '[[[[]]]]'),
  numbers: () => filledWith(() => '0.5'),
  'objects with a key each of their own': () => filledWith((i) => `{"${i.toString(36)}":{}}`),
  'one object of many keys': () => `{${members()}}`,
}
const QUICK = ['one text', 'empty objects', 'one object of many keys']

function filledWith(item: (i: number) => string): string {
  return `[${listOf(item)}]`
}
function members(): string {
  return listOf((i) => `"${i.toString(36)}":0`)
}
function listOf(item: (i: number) => string): string {
  const items: string[] = []
  for (let bytes = 0; bytes < BODY; ) {
    const next = item(items.length)
    bytes += next.length + 1
    items.push(next)
  }
  return items.join(',')
}

/** 25 × 7 MiB at once within 256 MiB: some are sent away, nobody is killed. */
export async function bodies({ quick }: Pace): Promise<readonly Row[]> {
  const rows: Row[] = []
  const names = quick ? QUICK : Object.keys(SHAPES)
  for (const name of names) rows.push(await together(name, SHAPES[name]?.() ?? '', quick ? 2 : 4))
  return [...rows, await idleConnections()]
}

async function together(name: string, inside: string, rounds: number): Promise<Row> {
  const { webhook, limit } = await limited()
  const request = requestWith(inside)
  const shown = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1)
    for (const each of await Promise.all(Array.from({ length: MANY }, () => sent(webhook, request))))
      shown.set(each, (shown.get(each) ?? 0) + 1)
  const peak = peakOf(webhook, limit)
  await sleep(1_000)
  const after = await sent(webhook, reviewsOf(4_096)[1])
  const { signal, code } = await webhook.stop()
  const isWhole = signal === null && code === 0 && after === 'decided'
  const isOrderly = [...shown.keys()].every((each) => ORDERLY.includes(each))
  const manyOf = [...shown].map(([each, many]) => `${many} ${each}`).join(', ')
  return {
    id: 'SV-5',
    what: `${rounds} × ${MANY} bodies of 7 MiB at once, ${name}; ${limitWords(limit)}`,
    goal: 'sent away, not killed',
    measured: `${isWhole ? 'not killed' : `ended: ${signal ?? code}`}; ${manyOf}; peak ${mib(peak)}`,
    holds: isWhole && isOrderly && (limit !== undefined || peak <= LIMIT),
  }
}

async function idleConnections(): Promise<Row> {
  const { webhook, limit } = await limited()
  const before = webhook.memory('VmRSS')
  const made = []
  for (let i = 0; i < CONNECTIONS / 50; i += 1)
    made.push(...(await Promise.all(Array.from({ length: 50 }, () => dial(webhook)))))
  const each = (webhook.memory('VmRSS') - before) / made.length
  const answered = await sent(webhook, reviewsOf(4_096)[1])
  const open = made.filter(({ isOpen }) => isOpen).length
  for (const connection of made) connection.close()
  const { signal, code } = await webhook.stop()
  return {
    id: 'AP-2',
    what: `${CONNECTIONS} idle connections, as three API servers may have; ${limitWords(limit)}`,
    goal: 'none refused, not killed',
    measured: `${open} stand, ${(each / 1024).toFixed(0)} KiB each`,
    holds: signal === null && code === 0 && answered === 'decided' && open === CONNECTIONS,
  }
}

async function limited(): Promise<{ readonly webhook: WebhookProcess; readonly limit: MemoryLimit | undefined }> {
  const limit = memoryLimit(LIMIT)
  return { webhook: await webhookProcess({ limit }), limit }
}

const limitWords = (limit: MemoryLimit | undefined) =>
  limit === undefined ? 'peak RSS, no control group could be made' : `in a control group of ${CONTAINER_MIB} MiB`
const peakOf = (webhook: WebhookProcess, limit: MemoryLimit | undefined) => limit?.peak() ?? webhook.memory('VmHWM')

function requestWith(inside: string): Buffer {
  const review = JSON.stringify(completed(2_000))
  const body = Buffer.from(review.replace('"metadata":', () => `"more":${inside},"metadata":`))
  const head = `POST /validating?timeout=10s HTTP/1.1\r\nHost: us\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}

const PATIENCE_MS = 60_000
const ORDERLY = ['decided', 'refused', 'sent away']
const WORDS: Readonly<Record<number, string>> = { 413: 'refused', 0: 'lost' }

async function sent(webhook: WebhookProcess, request: Buffer): Promise<string> {
  try {
    const connection = await dial(webhook, PATIENCE_MS)
    const requested = await connection.ask(request)
    connection.close()
    const shown = outcomeOf(requested)
    return shown === 'failed' ? (WORDS[requested.code] ?? `code ${requested.code}`) : shown
  } catch {
    return 'lost'
  }
}
