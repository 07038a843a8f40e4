import { Refused } from '../cluster/port.ts'
import type { Status } from '../kube/status.ts'
import type { Clock } from '../timing/clock.ts'

/** For how long nothing is created in a namespace after the API server called it terminating. */
const TERMINATING_MS = 5_000
/** For how long others wait for the answer to the one write that asks again. */
const ASKING_MS = 1_000
const MOST_REMEMBERED = 1_000

export const isOfTerminating = ({ details }: Status) =>
  details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true

interface TerminatingAnswer {
  readonly status: Status
  until: number
}

/**
 * The namespaces that the API server lately called terminating. Each object that the namespace controller deletes there
 * wakes its owner, which would create it again, and be refused each time. One write asks again from time to time, since
 * another namespace of that name may be created.
 */
export class TerminatingNamespaces {
  readonly #clock: Clock
  readonly #answers = new Map<string, TerminatingAnswer>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Creates, or throws what the API server answered last, with the time after which it may be asked again. */
  async creating<A>(namespace: string, create: () => Promise<A>): Promise<A> {
    this.#check(namespace)
    try {
      const answer = await create()
      this.#answers.delete(namespace)
      return answer
    } catch (cause) {
      this.#note(namespace, cause)
      throw cause
    }
  }

  #check(namespace: string): void {
    const last = this.#answers.get(namespace)
    if (last === undefined) return
    const now = this.#clock.tick()
    if (last.until > now) throw withRetry(last.status, last.until - now)
    last.until = now + ASKING_MS
  }

  /** Another refusal shows that the namespace is not terminating; a fault shows nothing. Forgets the oldest one beyond the limit. */
  #note(namespace: string, cause: unknown): void {
    if (!(cause instanceof Refused)) return
    this.#answers.delete(namespace)
    if (!isOfTerminating(cause.status)) return
    this.#answers.set(namespace, { status: cause.status, until: this.#clock.tick() + TERMINATING_MS })
    const [oldest] = this.#answers.keys()
    if (oldest !== undefined && this.#answers.size > MOST_REMEMBERED) this.#answers.delete(oldest)
  }
}

function withRetry(status: Status, leftMs: number): Refused {
  return new Refused({ ...status, details: { ...status.details, retryAfterSeconds: Math.ceil(leftMs / 1_000) } })
}
