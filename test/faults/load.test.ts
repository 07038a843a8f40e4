import { once } from 'node:events'
import { createServer } from 'node:https'
import { expect, it } from 'vitest'
import { AUTHORITY, aPair } from '../support/certificates.ts'
import { isDecided, isSent, type Load, openLoop, reviewsOf } from './load.ts'

const ALLOWED = { allowed: true }
const FAILED = { allowed: false, status: { code: 500, message: 'tars-admission failed on this TTemplate' } }
const PACE = { connections: 10, seconds: 1, perSecond: 100, patienceMs: 2_000 }

it('what a server that fell silent did not answer is lost, and what could not be sent is told', async () => {
  await using server = await answering(30)
  const load = await openLoop(server, reviewsOf(4_096), PACE)
  expect(counted(load)).toEqual({ decided: 30, putOff: 0, shed: 0, failed: PACE.connections })
  expect(load.unsent).toBe(load.due - 30 - PACE.connections)
  expect(isSent(load)).toBe(false)
})

it('a server that goes on answering loses nothing', async () => {
  await using server = await answering(Number.POSITIVE_INFINITY)
  const load = await openLoop(server, reviewsOf(4_096), { ...PACE, connections: 100, patienceMs: 15_000 })
  expect(counted(load)).toEqual({ decided: load.due, putOff: 0, shed: 0, failed: 0 })
  expect({ isSent: isSent(load), isDecided: isDecided(load) }).toEqual({ isSent: true, isDecided: true })
})

it.each([
  { name: 'a failure that is answered under HTTP 200 decides nothing', response: FAILED, shown: 'putOff' },
  { name: 'a refusal is a decision', response: { allowed: false, status: { code: 422 } }, shown: 'decided' },
  { name: 'a refusal without a code is one as well', response: { allowed: false }, shown: 'decided' },
  { name: 'an answer that says neither yes nor no is none', response: {}, shown: 'failed' },
])('$name', async ({ response, shown }) => {
  await using server = await answering(Number.POSITIVE_INFINITY, response)
  const load = await openLoop(server, reviewsOf(4_096), { ...PACE, seconds: 0.2 })
  expect(counted(load)).toEqual({ ...NOTHING, [shown]: load.due })
  expect(isDecided(load)).toBe(shown === 'decided')
})

it('an answer that comes in pieces is read as a whole', async () => {
  await using server = await answering(Number.POSITIVE_INFINITY, { ...FAILED, warnings: ['x'.repeat(100_000)] })
  const load = await openLoop(server, reviewsOf(4_096), { ...PACE, seconds: 0.2 })
  expect(counted(load)).toEqual({ ...NOTHING, putOff: load.due })
})

const NOTHING = { decided: 0, putOff: 0, shed: 0, failed: 0 }
function counted({ decided, putOff, shed, failed }: Load) {
  return { decided: decided.length, putOff: putOff.length, shed: shed.length, failed: failed.length }
}

/** So many requests, and none after them. */
async function answering(many: number, shown: object = ALLOWED) {
  const { cert, key } = await aPair()
  const body = JSON.stringify({ response: shown })
  let left = many
  const server = createServer({ cert, key }, (request, response) => {
    request.resume()
    left -= 1
    if (left >= 0) response.writeHead(200, { 'content-length': body.length }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    ca: AUTHORITY.cert,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
