import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { closing } from '../../../src/http/closing.ts'
import { VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const body = JSON.stringify(reviewsOf(GADGET).creationOf(aGadget()))
const head = `POST ${VALIDATING} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`

async function dial(port: number): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  return socket
}

describe('a server that is closed', () => {
  it('does not wait for a connection on which nothing was ever asked', async () => {
    await using server = await serving()
    const close = closing(server.app, 60_000)
    const socket = await dial(server.port)
    await Promise.all([close(), once(socket, 'close')])
  })
  it('waits for a request whose body does not come, but not for ever', async () => {
    await using server = await serving()
    const close = closing(server.app, 100)
    const requested = once(server.app.server, 'request')
    const socket = await dial(server.port)
    socket.write(head)
    await requested
    await Promise.all([close(), once(socket, 'close')])
  })
  it('gives a review in flight its answer', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const slow = aRule({
      check: async () => {
        started.resolve()
        await promise
        return []
      },
    })
    await using server = await serving({ kinds: [aKind({ validate: [slow] })] })
    const close = closing(server.app, 60_000)
    const socket = await dial(server.port)
    socket.write(head + body)
    await started.promise
    const closed = close()
    resolve()
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('HTTP/1.1 200 OK')
    socket.end()
    await closed
  })
})
