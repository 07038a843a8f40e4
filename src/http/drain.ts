import type { FastifyInstance } from 'fastify'
import type { Clock } from '../timing/clock.ts'

/**
 * What lets a server be left without a loss (SV-10). For a while after it was told to end, the API server still dials it and asks
 * on connections that stand. It serves them all, and says with each answer that this was the last one here: so it is the API
 * server that closes, and nothing is asked on a connection that we are just closing (AP-4).
 */
export class Drain {
  readonly #clock: Pick<Clock, 'after'>
  #isOn = false

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock
  }

  /** Before the routes: a hook is only for those that come after it. */
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
