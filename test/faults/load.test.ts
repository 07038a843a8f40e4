import { once } from 'node:events'
import { createServer } from 'node:https'
import { expect, it } from 'vitest'
import { AUTHORITY, aPair } from '../support/certificates.ts'
import { isSent, openLoop, reviewsOf } from './load.ts'

const PACE = { connections: 10, seconds: 1, perSecond: 100, patienceMs: 2_000 }

it('what a server that fell silent did not answer is lost, and what could not be sent is told', async () => {
  await using server = await answering(30)
  const load = await openLoop(server, reviewsOf(4_096), PACE)
  const { answered, shed, failed, due, unsent } = load
  expect({ answered: answered.length, shed: shed.length, failed: failed.length }).toEqual({
    answered: 30,
    shed: 0,
    failed: PACE.connections,
  })
  expect(unsent).toBe(due - 30 - PACE.connections)
  expect(isSent(load)).toBe(false)
})

it('a server that goes on answering loses nothing', async () => {
  await using server = await answering(Number.POSITIVE_INFINITY)
  const load = await openLoop(server, reviewsOf(4_096), { ...PACE, connections: 100, patienceMs: 15_000 })
  expect({ failed: load.failed.length, answered: load.answered.length }).toEqual({ failed: 0, answered: load.due })
  expect(isSent(load)).toBe(true)
})

/** So many requests, and none after them. */
async function answering(many: number) {
  const { cert, key } = await aPair()
  let left = many
  const server = createServer({ cert, key }, (request, response) => {
    request.resume()
    left -= 1
    if (left >= 0) response.writeHead(200, { 'content-length': 2 }).end('{}')
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
