import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueAuthority } from '../../certs/authority.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { AUTHORITY, aPair, SERVICE } from './certificates.ts'
import { type Webhook, WebhookCaller } from './webhook-caller.ts'
import {
  ANSWERS,
  type Answer,
  allowed,
  base64,
  json,
  NAME,
  NOT_ITS_BUSINESS,
  reset,
  review,
  silent,
  UID,
} from './webhook-caller-answers.ts'

interface Reaction extends Tree {
  readonly case: string
  readonly label?: string
  readonly phase: string
}
const isReaction = (value: unknown): value is Reaction => isTree(value) && typeof value.case === 'string'
const fixture: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/reviews/apiserver-reactions.json', import.meta.url), 'utf8'),
)
const reactions = isTree(fixture) ? [fixture['v1.36.4']].flat().filter(isReaction) : []

const object = () => ({
  metadata: { name: 'case', labels: { a: 'b' } },
  spec: { app: 'tars', server: 'x', subType: 'normal' },
})
const requested = (): Tree => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: UID, operation: 'CREATE', object: object() },
})

let origin: string
let server: ReturnType<typeof createServer>
let answer: Answer
const heard: { url: string; headers: IncomingMessage['headers']; protocol: unknown; name: unknown; body: string }[] = []
let caller: WebhookCaller

beforeAll(async () => {
  server = createServer({ ...(await aPair()), ALPNProtocols: ['http/1.1'] }, async (request, response) => {
    const { url = '', headers, socket } = request
    const { alpnProtocol: protocol, servername: name } = { alpnProtocol: '', servername: '', ...socket }
    heard.push({ url, headers, protocol, name, body: await text(request) })
    answer(response, request)
  })
  server.keepAliveTimeout = 120_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  origin = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => server.close())
beforeEach(() => {
  heard.length = 0
  caller = new WebhookCaller(async () => undefined)
})
afterEach(() => caller.close())

const webhook = (wishes: Partial<Webhook> = {}): Webhook => ({
  name: NAME,
  phase: 'validate',
  url: `${origin}/b/case`,
  caBundle: AUTHORITY.cert,
  timeoutSeconds: 2,
  ...wishes,
})
const phaseOf = (phase: string) => (phase === 'mutating' ? 'mutate' : 'validate')

describe('what an author gets is what kube-apiserver 1.36 gave', () => {
  it('in all cases but those that are not for a caller to say', () => {
    const reported = new Set([...Object.keys(ANSWERS), ...NOT_ITS_BUSINESS])
    expect(new Set(reactions.map((reaction) => reaction.case))).toEqual(reported)
  })

  it.each(reactions.filter(({ label, case: name }) => label === undefined && name in ANSWERS && name !== 'reset'))(
    '$phase, $case',
    async ({ case: name, phase, code, reason, message, details, stored, ...shown }) => {
      answer = ANSWERS[name] ?? silent
      const timeoutSeconds = name === 'hang' ? 0.05 : 2
      const outcome = await caller.call(webhook({ phase: phaseOf(phase), timeoutSeconds }), requested())
      const { refused, warnings } = outcome
      expect(refused?.code ?? 201).toBe(code)
      expect(refused?.reason ?? '').toBe(reason ?? '')
      expect(placeless(refused?.message)).toBe(placeless(message))
      expect(causesIn(refused?.details)).toEqual(causesIn(details))
      if (isTree(stored)) expect(outcome.object).toMatchObject(written(stored))
      expect(warnings).toHaveLength(Number(shown.warningCount ?? 0))
      expect(headerBytes(warnings)).toBe(shown.warningHeaderBytes ?? 0)
    },
  )

  it('a webhook that hangs up is not asked again', async () => {
    answer = reset
    const { refused } = await caller.call(webhook(), requested())
    expect(refused?.message).toMatch(/^Internal error occurred: failed calling webhook "case.lab.example": .*: EOF$/)
    expect(heard).toHaveLength(1)
  })

  it('nobody listens', async () => {
    const { refused } = await caller.call(webhook({ url: 'https://127.0.0.1:9/b/ok' }), requested())
    const [reaction] = reactions.filter(({ label }) => label === 'connection refused')
    expect(refused?.message).toBe(reaction?.message)
  })

  it('the CA is another', async () => {
    answer = allowed({})
    const other = await issueAuthority(new Date())
    const { refused } = await caller.call(webhook({ caBundle: other.cert }), requested())
    const [reaction] = reactions.filter(({ label }) => label === 'wrong CA')
    expect(placeless(refused?.message)).toBe(placeless(reaction?.message))
  })

  it('policy Ignore passes over a call that failed, but not over a denial', async () => {
    answer = reset
    expect(await caller.call(webhook({ failurePolicy: 'Ignore' }), requested())).toMatchObject({
      passedOver: expect.stringContaining('failed calling webhook'),
    })
    answer = ANSWERS['deny-message'] ?? silent
    expect(await caller.call(webhook({ failurePolicy: 'Ignore' }), requested())).toMatchObject({
      refused: { code: 400 },
    })
  })
})

describe('how it calls', () => {
  it('speaks HTTP/1.1 with the headers, the timeout and the name of an API server', async () => {
    answer = allowed({})
    await caller.call(webhook({ service: SERVICE, timeoutSeconds: 7 }), requested())
    const headers = {
      host: origin.replace('https://', ''),
      'user-agent': 'kube-apiserver-admission',
      'content-length': String(JSON.stringify(requested()).length),
      accept: 'application/json, */*',
      'content-type': 'application/json',
      'accept-encoding': 'gzip',
    }
    const body = JSON.stringify(requested())
    expect(heard).toEqual([{ url: '/b/case?timeout=7s', headers, protocol: 'http/1.1', name: SERVICE, body }])
  })

  it('checks the name in the certificate', async () => {
    const { refused } = await caller.call(webhook({ service: 'other.tars-system.svc' }), requested())
    expect(refused?.message).toContain('x509: certificate is valid for other names')
  })

  it('takes an idle connection before it dials, and keeps 25 of a burst', async () => {
    answer = allowed({})
    const burst = (many: number) => Promise.all(Array.from({ length: many }, () => caller.call(webhook(), requested())))
    await burst(1)
    await burst(1)
    expect(caller.connections).toBe(1)
    await burst(40)
    expect(caller.connections).toBe(40)
    await burst(40)
    expect(caller.connections).toBe(40 + 15)
  })

  it.each([
    { name: '429 with a number', code: 429, after: '1', requests: 11 },
    { name: '503 with a number', code: 503, after: '0', requests: 11 },
    { name: '503 without', code: 503, after: '', requests: 1 },
    { name: '503 with a date', code: 503, after: 'Fri, 31 Dec 1999 23:59:59 GMT', requests: 1 },
    { name: '404 with a number', code: 404, after: '1', requests: 1 },
  ])('sends again on $name: $requests in all', async ({ code, after, requests }) => {
    answer = json({}, code, after === '' ? {} : { 'retry-after': after })
    await caller.call(webhook(), requested())
    expect(caller.requests).toBe(requests)
    expect(new Set(heard.map(({ body, url }) => url + body)).size).toBe(1)
  })

  it('gives up repeating when the time is over', async () => {
    answer = json({}, 503, { 'retry-after': '1' })
    caller = new WebhookCaller()
    const { refused } = await caller.call(webhook({ timeoutSeconds: 0.2 }), requested())
    expect(refused?.message).toMatch(/context deadline exceeded$/)
  })
})

describe('one write', () => {
  it('is mutated, then validated with an identity, each under a uid of its own (AP-6, AP-14)', async () => {
    const requests: Tree[] = []
    answer = (response, asking) => {
      const { request } = JSON.parse(heard.at(-1)?.body ?? '')
      requests.push(request)
      const operations = [{ op: 'add', path: '/spec/app', value: 'changed' }]
      const change = requests.length === 1 ? { patchType: 'JSONPatch', patch: base64(operations) } : {}
      return review({ uid: request.uid, allowed: true, warnings: ['mind'], ...change })(response, asking)
    }
    const outcome = await caller.admit([webhook({ phase: 'mutate' }), webhook()], requested())
    const [first, second] = requests
    expect(first?.object).toEqual(object())
    expect(second?.object).toMatchObject({ spec: { app: 'changed' }, metadata: { uid: expect.any(String) } })
    expect(new Set(requests.map(({ uid }) => uid)).size).toBe(2)
    expect(outcome).toEqual({ object: second?.object, warnings: ['mind'] })
  })

  it('ends with the first refusal', async () => {
    answer = (response, asking) => {
      const { request } = JSON.parse(heard.at(-1)?.body ?? '')
      return review({ uid: request.uid, allowed: false, status: { code: 403, message: 'no' } })(response, asking)
    }
    const outcome = await caller.admit([webhook({ phase: 'mutate' }), webhook()], requested())
    expect(outcome.refused?.message).toBe(`admission webhook "${NAME}" denied the request: no`)
    expect(heard).toHaveLength(1)
  })
})

function written({ labels, finalizers, spec, name }: Tree): Tree {
  const metadata = { labels, ...(finalizers !== undefined && { finalizers }), ...(name === 'renamed' && { name }) }
  return { metadata, spec }
}
function causesIn(details: unknown): unknown {
  const causes = isTree(details) && Array.isArray(details.causes) ? details.causes.filter(isTree) : []
  return causes.map(({ reason, message, field }) => ({
    reason: reason ?? '',
    message: placeless(message),
    field: field ?? '',
  }))
}
/** Ports, paths, the uid and times are the laboratory's. */
function placeless(words: unknown): string {
  return typeof words === 'string'
    ? words
        .replaceAll(/:(PORT|\d{4,5})\/b\/\w+/g, '')
        .replaceAll(/<uid>|705ab4f5[-\w]+/g, 'UID')
        .replaceAll(/timeout=[\d.]+s/g, '')
    : ''
}
function headerBytes(warnings: readonly string[]): number {
  return warnings.map((each) => `299 - "${each}"`).join(', ').length
}
