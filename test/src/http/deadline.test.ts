import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ClusterReader } from '../../../src/cluster/port.ts'
import { timeoutOf } from '../../../src/http/review-routes.ts'
import type { Kind } from '../../../src/kind.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const { creationOf } = reviewsOf(GADGET)
const never = () => new Promise<never>(() => undefined)
const SILENT: ClusterReader = { get: never, list: never, dryRun: never }
const silent = { cached: readerOf(), live: SILENT }
const away = { cached: UNREACHABLE, live: UNREACHABLE }

/** Looks up another gadget, and refuses when there is none. */
const needy = aRule({
  id: 'XX-V2',
  live: true,
  check: async (_, cluster) =>
    (await cluster.get(GADGET, { namespace: 'demo', name: 'other' })) ? [] : [{ path: 'spec.owner', value: 'other' }],
  message: () => 'there is no other gadget',
})
const kind = aKind({ validate: [aRule(), needy] })
const good = creationOf(aGadget())
const bad = creationOf(aGadget({ levels: { a: 9 } }))

function cannot(why: string) {
  return {
    uid: UID,
    allowed: false,
    status: {
      code: 503,
      reason: 'ServiceUnavailable',
      message: `cannot decide now: ${why}; nothing is wrong with the object, try again. [ref 29d991ef]`,
      details: { group: 'test.tars.io', kind: 'Gadget', name: 'g', retryAfterSeconds: 1 },
    },
  }
}

/** A handshake, on a busy machine. */
const LATE = 200

describe('a reader that never answers (SV-4)', () => {
  it.each([
    { timeout: '500ms', within: 360 },
    { timeout: '1s', within: 720 },
    { timeout: '10s', within: 1_000 },
  ])('with ?timeout=$timeout leaves the review unanswered after $within ms', async ({ timeout, within }) => {
    await using server = await serving({ kinds: [kind], readers: silent })
    const started = performance.now()
    const { code, body } = await send(server.origin, {
      path: `${VALIDATING}?timeout=${timeout}`,
      body: JSON.stringify(good),
    })
    const took = performance.now() - started
    expect({ code, response: body.response }).toEqual({
      code: 200,
      response: cannot('gadgets could not be read in time'),
    })
    expect(took).toBeGreaterThan(within - 10)
    expect(took).toBeLessThan(within + LATE)
  })

  it('is bounded too where the cache has to ask it', async () => {
    const looking = aRule({ check: async (_, reader) => (await reader.list(GADGET, { namespace: 'demo' })) && [] })
    const cautious = aKind({ validate: [looking] })
    await using server = await serving({ kinds: [cautious], readers: { cached: SILENT, live: readerOf() } })
    const { body } = await send(server.origin, { path: `${VALIDATING}?timeout=500ms`, body: JSON.stringify(good) })
    expect(body.response).toEqual(cannot('gadgets could not be read in time'))
  })

  it('had so much less time as the review had to wait for its turn', async () => {
    const first = Promise.withResolvers<never[]>()
    const slow = aRule({ check: ({ next }) => (next.metadata.name === 'first' ? first.promise : []) })
    const looking = aKind({ validate: [slow, needy] })
    const live = readerOf({ ...aGadget(), metadata: { name: 'other', namespace: 'demo' } })
    const limits = { most: 1, least: 1, waitMs: 60_000, turnMs: 60_000 }
    await using server = await serving({ kinds: [looking], readers: { cached: live, live }, limits })
    const ask = (name: string, timeout: string) => {
      const review = creationOf({ ...aGadget(), metadata: { name, namespace: 'demo' } })
      return send(server.origin, { path: `${VALIDATING}?timeout=${timeout}`, body: JSON.stringify(review) })
    }
    const [before, hurried] = [ask('first', '10s'), ask('g', '100ms')]
    await expect.poll(() => server.counted('tars_admission_queue_depth')).toBe(1)
    await sleep(100)
    first.resolve([])
    expect((await before).body.response).toMatchObject({ allowed: true })
    expect((await hurried).body.response).toEqual(cannot('gadgets could not be read in time'))
  })

  it('does not keep a refusal of content from being said', async () => {
    await using server = await serving({ kinds: [kind], readers: silent })
    const { body } = await send(server.origin, { path: `${VALIDATING}?timeout=1s`, body: JSON.stringify(bad) })
    expect(body.response).toMatchObject({
      allowed: false,
      status: { code: 422, message: 'spec.levels[a]: 9 is too high; take a lower one (XX-V1)' },
    })
  })

  it('does not hold up a review that looks nothing up', async () => {
    const rules = aKind({ validate: [aRule()] })
    await using server = await serving({ kinds: [rules], readers: { cached: SILENT, live: SILENT } })
    const { body } = await send(server.origin, { body: JSON.stringify(good) })
    expect(body.response).toEqual({ uid: UID, allowed: true })
  })
})

describe('what cannot be looked up (SV-6)', () => {
  const looksUp = {
    id: 'XX-M1',
    says: '',
    edits: (_: unknown, cluster: ClusterReader) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []),
  }

  it.each<{ name: string; path: string; kind: Kind }>([
    { name: 'by a rule', path: VALIDATING, kind },
    { name: 'by a mutation', path: MUTATING, kind: aKind({ mutate: [looksUp] }) },
  ])('$name is no refusal of the object: 503, what could not be read, and try again', async ({ path, kind }) => {
    await using server = await serving({ kinds: [kind], readers: away })
    const { code, body } = await send(server.origin, { path, body: JSON.stringify(good) })
    expect({ code, response: body.response }).toEqual({ code: 200, response: cannot('the cluster is out of reach') })
    expect(server.log.lines).toMatchObject([
      { result: 'unanswered', ref: '[ref 29d991ef]', reason: 'the cluster is out of reach' },
    ])
  })

  it('at a door of policy Ignore is an HTTP 503 with a Status, and the API server passes over it', async () => {
    const doors = kind.doors.map((door) => ({ ...door, failurePolicy: 'Ignore' }) as const)
    await using server = await serving({ kinds: [{ ...kind, doors }], readers: away })
    const { code, body, headers } = await send(server.origin, { body: JSON.stringify(good) })
    const { status } = cannot('the cluster is out of reach')
    expect({ code, body }).toEqual({
      code: 503,
      body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', ...status },
    })
    expect(headers).not.toHaveProperty('retry-after') // it would wait, and ask again, before it passes on
    const outcome = await server.caller.call(server.webhook(VALIDATING), good)
    expect(outcome.passedOver).toMatch(/^failed calling webhook "validating.test": .*cannot decide now/)
    expect(outcome.refused).toBeUndefined()
    expect(await server.counted(line(503))).toBe(2)
  })

  it('at such a door that says so is refused all the same, with 503 and try again', async () => {
    const strict = { failurePolicy: 'Ignore', unanswered: 'refuse' } as const
    const doors = kind.doors.map((door) => ({ ...door, ...strict }))
    await using server = await serving({ kinds: [{ ...kind, doors }], readers: away })
    const { code, body } = await send(server.origin, { body: JSON.stringify(good) })
    expect({ code, response: body.response }).toEqual({ code: 200, response: cannot('the cluster is out of reach') })
  })

  it('at such a door a refusal is still a refusal', async () => {
    const doors = kind.doors.map((door) => ({ ...door, failurePolicy: 'Ignore' }) as const)
    await using server = await serving({ kinds: [{ ...kind, doors }], readers: away })
    const { refused } = await server.caller.call(server.webhook(VALIDATING), bad)
    expect(refused?.code).toBe(422)
    expect(await server.counted(line(200))).toBe(1)
  })
})

const line = (code: number) => `controller_runtime_webhook_requests_total{webhook="${VALIDATING}",code="${code}"}`

describe('?timeout is what the API server waits (AP-5)', () => {
  it.each([
    { query: '10s', ms: 10_000 },
    { query: '1.5s', ms: 1_500 },
    { query: '250ms', ms: 250 },
    { query: '30s', ms: 30_000 },
    { query: '600s', ms: 30_000 },
    { query: '0s', ms: 10_000 },
    { query: '-1s', ms: 10_000 },
    { query: '10', ms: 10_000 },
    { query: '1e9s', ms: 10_000 },
    { query: undefined, ms: 10_000 },
    { query: ['1s', '2s'], ms: 10_000 },
  ])('$query: $ms ms', ({ query, ms }) => expect(timeoutOf(query)).toBe(ms))
})
