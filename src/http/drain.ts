import type { FastifyInstance } from 'fastify'
import type { Clock } from '../timing/clock.ts'

/**
 * Drains a server without losing a review (SV-10). For a while after SIGTERM the API server still dials it and reuses
 * open connections. The server answers every review with `Connection: close`, so the API server closes each connection,
 * and no review arrives on a connection that we are closing (AP-4).
 */
export class Drain {
  readonly #clock: Pick<Clock, 'after'>
  #isOn = false

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  /** Must be called before the routes are added: a hook applies to later routes only. */
  tellCallersOf(app: FastifyInstance): void {
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (this.#isOn) reply.header('connection', 'close')
      done()
    })
  }

  async last(ms: number): Promise<void> {
    this.#isOn = true
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#clock.after(ms, resolve)
    await promise
  }
}
