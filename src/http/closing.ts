import type { Socket } from 'node:net'
import { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'

/** The longest that an API server waits for an answer (AP-5). */
const LONGEST_REVIEW_MS = 30_000

/**
 * Closes a server in time. Node waits for every connection that is not idle after a request, so a connection without
 * any request could delay the stop indefinitely, and an API server pools such connections.
 */
export function closing(app: FastifyInstance, longestMs = LONGEST_REVIEW_MS): () => Promise<void> {
  const { server } = app
  const unasked = new Set<Socket>()
  let isClosing = false
  server.on(server instanceof Server ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy() // its handshake was under way
    unasked.add(socket)
    socket.once('close', () => unasked.delete(socket))
  })
  server.on('request', ({ socket }) => unasked.delete(socket))
  return async () => {
    isClosing = true
    const late = setTimeout(() => server.closeAllConnections(), longestMs)
    const closed = app.close()
    for (const socket of unasked) socket.destroy()
    await closed
    clearTimeout(late)
  }
}
