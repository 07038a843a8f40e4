import type { FastifyInstance } from 'fastify'
import { afterEach } from 'vitest'
import { metricsOf } from '../../../src/process/metrics.ts'

// Set by `listen`; a hook closes the server behind each test of a file that imports this one.
export let app: FastifyInstance
export let origin: string

export async function listen(server: FastifyInstance): Promise<void> {
  app = server
  origin = await server.listen({ host: '127.0.0.1', port: 0 })
}
afterEach(() => app.close())

/** Each rendering lasts until the test ends it. */
export function heldMetrics() {
  const metrics = metricsOf()
  const renderings: PromiseWithResolvers<string>[] = []
  Object.assign(metrics.registry, {
    metrics() {
      const rendering = Promise.withResolvers<string>()
      renderings.push(rendering)
      return rendering.promise
    },
  })
  return { metrics, renderings }
}

export function connections(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  app.server.getConnections((_error, many) => resolve(many))
  return promise
}

export async function get(path: string) {
  const response = await fetch(origin + path)
  return { code: response.status, text: await response.text(), type: response.headers.get('content-type') }
}
