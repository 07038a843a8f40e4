import type { ClusterWriter } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'

/**
 * A process that is killed right behind a write, at the API server or at Cloudflare: that write is done, nobody hears of
 * it, and nothing more of the process gets through.
 */
export class LastWrite {
  readonly #last: number
  /** What went to the API server. */
  readonly written: string[] = []
  #writes = 0

  constructor(last = Number.POSITIVE_INFINITY) {
    this.#last = last
  }

  get isDone(): boolean {
    return this.#writes >= this.#last
  }

  writer(writer: ClusterWriter): ClusterWriter {
    const counted =
      <A extends readonly unknown[], R>(write: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        this.written.push(JSON.stringify(args))
        return this.#ended(() => write(...args), UNREACHABLE)
      }
    return {
      create: counted(writer.create),
      replace: counted(writer.replace),
      patch: counted(writer.patch),
      apply: counted(writer.apply),
      merge: counted(writer.merge),
      remove: counted(writer.remove),
    }
  }

  fetch: typeof fetch = (input, init) => {
    const call = () => fetch(input, init)
    return init?.method === 'GET' && !this.isDone ? call() : this.#ended(call, NO_ANSWER)
  }

  async #ended<R>(write: () => Promise<R>, noAnswer: Error): Promise<R> {
    if (this.isDone) throw noAnswer
    const answer = await write()
    this.#writes += 1
    if (this.isDone) throw noAnswer
    return answer
  }
}
const UNREACHABLE = new Fault('CLUSTER_UNREACHABLE', 'the process was killed')
/** As fetch says it. */
const NO_ANSWER = new TypeError('the process was killed')
