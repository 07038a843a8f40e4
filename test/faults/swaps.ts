import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { TTEMPLATE } from '../../webhooks/tars/ttemplate/schema.ts'
import { MUTATING, VALIDATING } from '../support/answerer-parts.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { AUTHORITY, SERVICE } from '../support/certificates.ts'
import { kubeletWrites } from '../support/kubelet.ts'
import { certificateAt } from '../support/peers.ts'
import { reviewsOf } from '../support/reviews.ts'
import { type Webhook, WebhookCaller } from '../support/webhook-caller.ts'
import { ms, type Pace, type Row } from './row.ts'
import { pairFiles, type Wanted, type WebhookProcess, webhookProcess } from './webhook-process.ts'

/** CT-3: what a mounted Secret that is renewed does to reviews. */
export async function renewals({ quick }: Pace): Promise<readonly Row[]> {
  const { swaps: many, medianMs, worstMs, pooled, fresh, failures, redialled } = await swaps(quick ? 60 : 300)
  const what = `${many} renewed pairs under load: ${pooled} writes on pooled connections, ${fresh} on new ones`
  const lost = `${failures.length} failed, ${redialled} dialled again`
  return [
    { id: 'CT-3', what, goal: '0 failed, 0 dialled again', measured: lost, holds: failures.length + redialled === 0 },
    {
      id: 'CT-3',
      what: 'from the exchange of the files to the first handshake with the new pair',
      goal: '≤ 2 s',
      measured: `median ${ms(medianMs)}, worst ${ms(worstMs)}`,
      holds: worstMs <= 2_000,
    },
  ]
}

export interface SwapFigures {
  readonly swaps: number
  /** From the exchange of `..data` to the first fresh handshake that shows the new certificate. */
  readonly medianMs: number
  readonly worstMs: number
  /** Of writes, each through both webhooks: over pooled connections, and over connections of their own. */
  readonly pooled: number
  readonly fresh: number
  readonly failures: readonly string[]
  /** Pooled connections that had to be dialled again, because one was dropped. */
  readonly redialled: number
}

const POOLED = 8
const FRESH = 2
/** Between a pair that was seen and the next one, so that reviews meet each of them. */
const REST_MS = 50
const GIVEN_UP_MS = 30_000
const LOOKED_MS = 5

/** Renewed pairs, laid down as kubelet does, under reviews as an API server sends them: 300 swaps take about 30 s. */
export async function swaps(count: number, wanted: Pick<Wanted, 'program'> = {}): Promise<SwapFigures> {
  const args = ['--cluster=memory', '--certs=files']
  const webhook = await webhookProcess({ ...wanted, args, withPair: true })
  const load = loadOn(webhook.address)
  const took: number[] = []
  try {
    for (let swap = 0; swap < count; swap += 1) {
      took.push(await seenAfter(webhook))
      await sleep(REST_MS)
    }
  } finally {
    await load.stop()
    await webhook.stop()
  }
  const sorted = took.toSorted((one, other) => one - other)
  const [medianMs = 0, worstMs = 0] = [sorted[sorted.length >> 1], sorted.at(-1)]
  return { swaps: count, medianMs, worstMs, ...load.figures() }
}

/** Milliseconds until a fresh handshake shows the pair that is laid down now. */
async function seenAfter({ address, certDir }: WebhookProcess): Promise<number> {
  const files = await pairFiles()
  const { serialNumber } = new X509Certificate(files['tls.crt'])
  kubeletWrites(certDir, files)
  const started = performance.now()
  for (;;) {
    const seen = await certificateAt(address, AUTHORITY.cert, SERVICE)
    const elapsed = performance.now() - started
    if (seen.serialNumber === serialNumber) return elapsed
    await sleep(LOOKED_MS)
    if (elapsed > GIVEN_UP_MS) throw new Error(`the renewed pair is not served after ${GIVEN_UP_MS / 1_000} s`)
  }
}

function loadOn(address: string) {
  const webhooks = webhooksAt(address)
  const failures: string[] = []
  const done = { pooled: 0, fresh: 0 }
  const pool = new WebhookCaller()
  let isStopped = false

  async function write(caller: WebhookCaller, over: keyof typeof done): Promise<void> {
    const { refused } = await caller.admit(webhooks, REVIEW)
    if (refused !== undefined) failures.push(`${over}: ${refused.message}`)
    done[over] += 1
  }
  async function again(once: () => Promise<void>): Promise<void> {
    while (!isStopped) {
      await once()
      await sleep(EVERY_MS)
    }
  }
  async function overItsOwn(): Promise<void> {
    const caller = new WebhookCaller()
    await write(caller, 'fresh')
    caller.close()
  }

  const running = [
    ...Array.from({ length: POOLED }, () => again(() => write(pool, 'pooled'))),
    ...Array.from({ length: FRESH }, () => again(overItsOwn)),
  ]
  return {
    figures: () => ({ ...done, failures, redialled: pool.connections - POOLED }),
    async stop() {
      isStopped = true
      await Promise.all(running)
      pool.close()
    },
  }
}
/** Steady rather than as much as goes: driver and server share the cores. */
const EVERY_MS = 20
const REVIEW = reviewsOf(TTEMPLATE).creationOf(aTTemplate())

function webhooksAt(address: string): readonly Webhook[] {
  const reach = { caBundle: AUTHORITY.cert, service: SERVICE }
  return [
    { name: 'mutating.tars.io', phase: 'mutate', url: address + MUTATING, ...reach },
    { name: 'validating.tars.io', phase: 'validate', url: address + VALIDATING, ...reach },
  ]
}
