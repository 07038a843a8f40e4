import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree } from '../../../src/schema.ts'
import { MUTATING, VALIDATING_DELETE } from '../../../webhooks/tars/doors.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { AUTHORITY, aPair } from '../../support/certificates.ts'
import { type ApiServer, type Call, isWatch, scriptedApiServer } from '../../support/fakes/api-server.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { type Webhook, WebhookCaller } from '../../support/webhook-caller.ts'
import { type Running, running } from '../../support/world.ts'

// RL-6 on the whole webhook, with all that an API server can answer. Time is real here, so all cases run at once, each with an API server of its own.

const ALL = '/apis/k8s.tars.io/v1beta2/ttemplates'
const OUTAGE_MS = 2_000
/** A live read takes a second at most; the rest is for a machine that is busy with all the cases. */
const PUT_OFF_MS = 2_500
const RIGHT_MS = 5_000

const again = { 'retry-after': '1' }
const FAULTS = [
  { name: 'hangs', fault: () => {} },
  { name: 'resets every connection', fault: (call: Call) => call.reset(), calls: 2 }, // on a fresh one, once
  { name: 'answers 500', fault: (call: Call) => call.status(500, 'InternalError') },
  { name: 'answers 503 and says when to come again', fault: (call: Call) => call.status(503, 'Down', {}, again) },
  { name: 'answers 429 and says when to come again', fault: (call: Call) => call.status(429, 'Many', {}, again) },
  { name: 'answers 429 and does not say when', fault: (call: Call) => call.status(429, 'TooManyRequests') },
  { name: 'answers 401', fault: (call: Call) => call.status(401, 'Unauthorized') },
  { name: 'answers 403', fault: (call: Call) => call.status(403, 'Forbidden') },
  { name: 'is a proxy with a page of its own', fault: (call: Call) => call.text(200, '<html>') },
  { name: 'says that everything is gone (410)', fault: (call: Call) => call.status(410, 'Expired') },
  { name: 'sends a byte now and then', fault: trickle },
  { name: 'sends what has no end', fault: flood },
] as const

interface Stage {
  readonly api: ApiServer
  readonly run: Running
  readonly caller: WebhookCaller
  readonly health: string
  readonly webhooks: readonly Webhook[]
  readonly calls: Call[]
}

describe('while the API server', () => {
  const stages: Stage[] = []
  beforeAll(async () => {
    for (const _ of FAULTS) stages.push(await staged())
  }, 60_000)
  afterAll(async () => {
    for (const { api, run, caller } of stages) {
      caller.close()
      await run.stop()
      await api.stop()
    }
  })

  it.concurrent.each(FAULTS.map((each, at) => ({ calls: 1, ...each, at })))(
    '$name, the cache answers, what it cannot answer is put off, and all is right 5 s after',
    async ({ fault, calls, at }) => {
      const stage = stages[at]
      if (stage === undefined) throw new Error('not on stage')
      befall(stage, fault)
      const end = performance.now() + OUTAGE_MS
      let putOff = 0
      while (performance.now() < end) {
        expect(await review(stage, 'base')).toMatchObject({ refused: undefined })
        const { refused, ms } = await review(stage, 'nobody')
        expect(refused).toMatchObject({ code: 503, details: { retryAfterSeconds: 1 } })
        expect(ms).toBeLessThan(PUT_OFF_MS)
        putOff += 1
        expect((await fetch(`${stage.health}/readyz`)).status).toBe(200)
        await sleep(200)
      }
      expectNoStorm(stage, putOff * calls)

      befall(stage, healthy(['base', 'newcomer'], '200'))
      const backAt = performance.now()
      while (!(await isCached(stage, 'newcomer'))) await sleep(20)
      expect(performance.now() - backAt).toBeLessThan(RIGHT_MS)
      const lists = stage.calls.filter(({ path, query }) => path === ALL && query.limit === '500')
      expect(lists.length).toBeLessThanOrEqual(1)
    },
    30_000,
  )
})

async function staged(): Promise<Stage> {
  const api = await scriptedApiServer()
  api.always(healthy(['base'], '100'))
  const pair = await aPair()
  for (const [name, content] of [['tls.crt', pair.cert] as const, ['tls.key', pair.key] as const])
    api.file(name, content)
  const certDir = api.file('ca.crt', AUTHORITY.cert).replace(/\/ca\.crt$/, '')
  const ports = ['--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
  const certs = ['--certs=files', '--cert-dir', certDir]
  const run = running(['webhook', '--kubeconfig', api.kubeconfig(), '--host=127.0.0.1', ...ports, ...certs])
  const line: unknown = JSON.parse(await run.firstLine)
  const { address, health, ca } = isTree(line) ? line : {}
  const caBundle = readFileSync(String(ca), 'utf8')
  const webhooks = [MUTATING, VALIDATING_DELETE].map(
    ({ name, phase, path }): Webhook => ({ name, phase, url: `${address}${path}`, caBundle }),
  )
  return { api, run, caller: new WebhookCaller(), health: String(health), webhooks, calls: [] }
}

/** From now on, for what is open as well. */
function befall({ api, calls }: Stage, fault: (call: Call) => void): void {
  calls.length = 0
  api.always((call) => {
    calls.push(call)
    fault(call)
  })
  api.breakAll()
}

/** An API server that holds these templates. */
function healthy(names: readonly string[], version: string): (call: Call) => void {
  const items = names.map((name) => {
    const template = aTTemplate({ name })
    return { ...template, metadata: { ...template.metadata, resourceVersion: version } }
  })
  return (call) => {
    if (isWatch(call) && Number(call.query.resourceVersion) < Number(version)) return call.status(410, 'Expired')
    if (isWatch(call)) return void call.stream()
    if (call.path === ALL) return call.json(200, { metadata: { resourceVersion: version }, items })
    call.status(404, 'NotFound')
  }
}

async function review({ caller, webhooks }: Stage, parent: string) {
  const beganAt = performance.now()
  const child = aTTemplate({ name: 'child', parent, labels: {} })
  const { refused } = await caller.admit(webhooks, reviewsOf(TTEMPLATE).creationOf(child))
  return { refused, ms: performance.now() - beganAt }
}

/** Allowed, though the API server would say of each single template that it is not there. */
async function isCached(stage: Stage, name: string): Promise<boolean> {
  return (await review(stage, name)).refused === undefined
}

/** Each review asks for its parent, and for nobody's sake again; the cache comes back less and less often. */
function expectNoStorm({ calls }: Stage, most: number): void {
  const ofCache = calls.filter(({ path }) => path === ALL)
  const ofReviews = calls.filter(({ path }) => path.includes('/namespaces/'))
  expect(ofCache.length).toBeLessThanOrEqual(MOST_CALLS)
  expect(ofReviews.length).toBeLessThanOrEqual(most)
}
/** After 0.1 … 0.2 s, twice that and so on, each perhaps with one more try on a fresh connection. */
const MOST_CALLS = 12

function trickle(call: Call): void {
  const stream = call.stream()
  const timer = setInterval(() => stream.raw(' '), 100)
  void call.closed.then(() => clearInterval(timer))
}

function flood(call: Call): void {
  const stream = call.stream()
  const timer = setInterval(() => stream.raw('x'.repeat(1024 * 1024)), 10)
  void call.closed.then(() => clearInterval(timer))
}
