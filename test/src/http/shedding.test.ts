import { once } from 'node:events'
import { Agent } from 'node:https'
import { describe, expect, it, vi } from 'vitest'
import { type Mutation, set } from '../../../src/admission/mutation.ts'
import { Fault } from '../../../src/faults.ts'
import { BODY_LIMIT } from '../../../src/http/intake/body.ts'
import type { GateLimits } from '../../../src/http/intake/gate.ts'
import { BYTE, weightOf } from '../../../src/http/intake/weight.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { lastWords, send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { type Serving, serving } from '../../support/serving.ts'
import { WebhookCaller } from '../../support/webhook-caller.ts'

const review = reviewsOf(GADGET).creationOf(aGadget())
const body = JSON.stringify(review)
const ANSWERED = { code: 200, body: { response: { uid: UID, allowed: true } } }
const SENT_AWAY = {
  code: 429,
  headers: { 'retry-after': '1' },
  body: {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code: 429,
    reason: 'TooManyRequests',
    message: 'too many reviews at once; send it again in a second',
  },
}
const headOf = (length: number) =>
  `POST ${VALIDATING} HTTP/1.1\r\nHost: us\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const shed = (server: Serving, reason: string) => server.counted(`tars_admission_shed_total{reason="${reason}"}`)

/** However long the event loop takes to come round. */
const ONE_PLACE = { most: 1, least: 1, waiting: 0, waitMs: 60_000, turnMs: 60_000 }

/** A server whose only place is taken until the test says otherwise, and nobody may wait. */
async function crowded(limits: Partial<GateLimits> = {}) {
  let begun = 0
  const answered = Promise.withResolvers<never[]>()
  const began = Promise.withResolvers<void>()
  const slow = aRule({
    check: () => {
      begun += 1
      began.resolve()
      return answered.promise
    },
  })
  const server = await serving({ kinds: [aKind({ validate: [slow] })], limits: { ...ONE_PLACE, ...limits } })
  const first = send(server.origin, { body })
  await began.promise
  return {
    server,
    began: () => begun,
    relieve() {
      answered.resolve([])
      return first
    },
  }
}

function connectionsOf({ app }: Serving): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  app.server.getConnections((_error, many) => resolve(many))
  return promise
}

describe('a review too many (SV-5)', () => {
  it('is sent away for a second, on a connection that stays', async () => {
    const { server, relieve } = await crowded()
    await using _ = server
    const agent = new Agent({ keepAlive: true })
    expect(await send(server.origin, { body, agent })).toMatchObject(SENT_AWAY)
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    expect(await relieve()).toMatchObject(ANSWERED)
    expect(await send(server.origin, { body, agent })).toMatchObject(ANSWERED)
    agent.destroy()
  })

  it('is sent away before its body has come', async () => {
    const { server, relieve } = await crowded()
    await using _ = server
    const socket = await server.dial()
    socket.write(headOf(BODY_LIMIT))
    const [shown] = await once(socket, 'data')
    expect(String(shown)).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\nretry-after: 1\r\n/)
    socket.destroy()
    await relieve()
  })

  it('is repeated by the API server, and then answered (AP-4)', async () => {
    const { server, relieve } = await crowded()
    await using _ = server
    const caller = new WebhookCaller(() => relieve())
    expect(await caller.call(server.webhook(VALIDATING), review)).not.toHaveProperty('refused')
    expect(caller.requests).toBe(2)
    caller.close()
  })

  it('is not worked on when whoever sent it has gone meanwhile', async () => {
    const { server, began, relieve } = await crowded({ waiting: 1 })
    await using _ = server
    const socket = await server.dial()
    socket.write(headOf(body.length) + body)
    await expect.poll(() => server.counted('tars_admission_queue_depth')).toBe(1)
    socket.destroy()
    await once(socket, 'close')
    await expect.poll(() => connectionsOf(server)).toBe(1)
    await relieve()
    await expect.poll(() => shed(server, 'gone')).toBe(1)
    expect(began()).toBe(1)
  })

  it('is counted, and the log tells of the first', async () => {
    const { server, relieve } = await crowded()
    await using _ = server
    await Promise.all([send(server.origin, { body }), send(server.origin, { body })])
    expect(await shed(server, 'queue')).toBe(2)
    const line = `controller_runtime_webhook_requests_total{webhook="${VALIDATING}",code="429"}`
    expect(await server.counted(line)).toBe(2)
    expect(server.log.lines).toMatchObject([
      { reason: 'queue', msg: 'too many reviews at once; some are sent away for a second' },
    ])
    await relieve()
  })

  it('is one in flight, or waiting, and not one whose body does not come', async () => {
    await using server = await serving({ kinds: [aKind()], limits: ONE_PLACE })
    const slow = await Promise.all(Array.from({ length: 20 }, () => server.dial()))
    for (const socket of slow) socket.write(`${headOf(BODY_LIMIT)}{`)
    expect(await send(server.origin, { body })).toMatchObject(ANSWERED)
    for (const socket of slow) socket.destroy()
  })
})

describe('a password too many (SV-12)', () => {
  const tooMany = () => Promise.reject(new Fault('OVERLOADED', 'too many passwords wait to be hashed'))
  const hashed: Mutation<Gadget> = {
    id: 'XX-M1',
    says: 'hashes the note',
    edits: async (_given, _cluster, { passwords }) => [set('/spec/note', await passwords.hash('text', 10))],
  }
  const kinds = [aKind({ mutate: [hashed] })]

  it('sends its review away for a second, which is counted, and not as a failure', async () => {
    await using server = await serving({ kinds, remotes: { passwords: { hash: tooMany, verify: tooMany } } })
    const agent = new Agent({ keepAlive: true })
    expect(await send(server.origin, { path: MUTATING, body, agent })).toMatchObject(SENT_AWAY)
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    expect(await shed(server, 'hash')).toBe(1)
    expect(await server.counted('tars_admission_reviews_in_flight')).toBe(0)
    expect(server.log.lines).toMatchObject([{ reason: 'hash' }])
    agent.destroy()
  })

  it('comes again with its review, and is hashed then (AP-4)', async () => {
    const answers = [tooMany, async () => 'a hash']
    const hash = () => (answers.shift() ?? tooMany)()
    await using server = await serving({ kinds, remotes: { passwords: { hash, verify: tooMany } } })
    const caller = new WebhookCaller(async () => undefined)
    expect(await caller.call(server.webhook(MUTATING), review)).not.toHaveProperty('refused')
    expect(caller.requests).toBe(2)
    caller.close()
  })
})

describe('a connection too many', () => {
  it('is cut off and counted, and those that stand are served', async () => {
    await using server = await serving({ kinds: [aKind()], connections: 1 })
    const agent = new Agent({ keepAlive: true })
    expect(await send(server.origin, { body, agent })).toMatchObject(ANSWERED)
    await expect(server.dial()).rejects.toThrow()
    expect(await send(server.origin, { body, agent })).toMatchObject(ANSWERED)
    expect(await server.counted('tars_admission_connections_cut_total{reason="CONNECTION_TOO_MANY"}')).toBe(1)
    agent.destroy()
  })
})

describe('bodies that take too much memory together', () => {
  const kinds = [aKind()]
  const roomFor = (text: string) => text.length * BYTE + weightOf(text)
  const padded = body + ' '.repeat(9 * body.length)
  const room = roomFor(padded)
  const far = Array(8).fill(padded)

  it('are sent away unread when what is announced does not fit, and what is small still does', async () => {
    await using server = await serving({ kinds, room: roomFor(body) })
    const socket = await server.dial()
    socket.write(headOf(padded.length))
    const [shown] = await once(socket, 'data')
    expect(String(shown)).toMatch(/^HTTP\/1\.1 429 /)
    expect(await shed(server, 'memory')).toBe(1)
    expect(await send(server.origin, { body })).toMatchObject(ANSWERED)
    socket.destroy()
  })

  it('are sent away when what really came does not fit, on a connection that stays', async () => {
    await using server = await serving({ kinds, room })
    const agent = new Agent({ keepAlive: true })
    expect(await send(server.origin, { body: far, agent })).toMatchObject(SENT_AWAY)
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    expect(await shed(server, 'memory')).toBe(1)
    agent.destroy()
  })

  it('are sent away when what would be parsed out of them does not fit beside another', async () => {
    const answered = Promise.withResolvers<never[]>()
    const slow = aRule({ check: () => answered.promise })
    await using server = await serving({ kinds: [aKind({ validate: [slow] })], room: room + body.length * BYTE })
    const first = send(server.origin, { body: padded })
    await vi.waitFor(async () => expect(await server.counted('tars_admission_reviews_in_flight')).toBe(1))
    expect(await send(server.origin, { body })).toMatchObject(SENT_AWAY)
    answered.resolve([])
    expect(await first).toMatchObject(ANSWERED)
  })

  it('are refused for good when that would not fit either if nobody else came', async () => {
    await using server = await serving({ kinds, room: room - 1 })
    expect(await send(server.origin, { body: padded })).toMatchObject({
      code: 413,
      body: { message: 'the body holds too many objects, arrays or elements' },
    })
  })

  it.each([
    { name: 'answered', act: (server: Serving) => send(server.origin, { body: padded }) },
    {
      name: 'answered with an error',
      act: (server: Serving) => send(server.origin, { body: '{'.repeat(padded.length) }),
    },
    { name: 'sent away', act: (server: Serving) => send(server.origin, { body: far }) },
    {
      name: 'broken off',
      act: async (server: Serving) => {
        const socket = await server.dial()
        socket.write(headOf(padded.length) + body)
        socket.end()
        await lastWords(socket)
      },
    },
  ])('leave their room when they are $name', async ({ act }) => {
    await using server = await serving({ kinds, room })
    for (let i = 0; i < 3; i += 1) await act(server)
    expect(await send(server.origin, { body: padded })).toMatchObject(ANSWERED)
  })
})
