import { Worker } from 'node:worker_threads'
import type { Runs } from './target.ts'

export interface Job extends Runs {
  readonly name: string
}
export interface Result {
  readonly findings: readonly string[]
  readonly ms: number
}

/** A case takes milliseconds, the start of a server or of a thread a second, on a machine that has other work many. */
const HANGS_MS = 60_000
const LOOK_EVERY_MS = 1_000

/** Tries jobs apart from whoever waits for them, who can so see that one hangs, and end it. */
export class Thread {
  readonly #begun = new Int32Array(new SharedArrayBuffer(4))
  #worker: Worker | undefined

  async try(job: Job): Promise<Result> {
    this.#worker ??= this.#start()
    const worker = this.#worker
    const { promise, resolve } = Promise.withResolvers<Result>()
    const died = (why: unknown) => this.#lost(`the thread ended: ${why}`, resolve)
    Atomics.store(this.#begun, 0, 0)
    const watch = this.#watch(job, resolve)
    worker.on('message', resolve).on('error', died).on('exit', died)
    worker.postMessage(job)
    const result = await promise
    clearInterval(watch)
    worker.off('message', resolve).off('error', died).off('exit', died)
    return result
  }

  async end(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    return new Worker(new URL('./worker.ts', import.meta.url), { workerData: this.#begun.buffer })
  }

  #watch(job: Job, resolve: (result: Result) => void) {
    let [begun, since] = [0, performance.now()]
    return setInterval(() => {
      const now = Atomics.load(this.#begun, 0)
      if (now !== begun) [begun, since] = [now, performance.now()]
      const hangs = performance.now() - since > HANGS_MS
      if (hangs) this.#lost(`hangs: { seed: ${job.seed}, path: "${begun - 1}" }`, resolve)
    }, LOOK_EVERY_MS)
  }

  #lost(why: string, resolve: (result: Result) => void): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
    resolve({ findings: [why], ms: 0 })
  }
}
