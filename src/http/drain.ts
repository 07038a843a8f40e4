import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'

/**
 * What lets a server be left without a loss (SV-10). For a while after it was told to end, the API server still dials it and asks
 * on connections that stand. It serves them all, and says with each answer that this was the last one here: so it is the API
 * server that closes, and nothing is asked on a connection that we are just closing (AP-4).
 */
export function draining(app: FastifyInstance, { after }: Pick<Clock, 'after'>): (ms: number) => Promise<void> {
  const open = new Set<ServerResponse>()
  let isDraining = false
  app.server.prependListener('request', (_request, response) => {
    if (isDraining) return sayLast(response)
    open.add(response)
    response.once('close', () => open.delete(response))
  })
  return async (ms) => {
    isDraining = true
    for (const response of open) sayLast(response)
    const { promise, resolve } = Promise.withResolvers<void>()
    after(ms, resolve)
    await promise
  }
}

function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
}
