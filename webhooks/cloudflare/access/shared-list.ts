import type { CloudflareCall } from '../../kit/cloudflare.ts'
import type { RemoteAccount } from './account.ts'

interface ListedOnce<R> {
  readonly at: number
  readonly all: Promise<readonly R[]>
}

/** A list of each account that is read once for all objects, and kept for a time. */
export class SharedList<R> {
  readonly #call: CloudflareCall<readonly R[]>
  readonly #tick: () => number
  readonly #keptMs: number
  readonly #listed = new Map<string, ListedOnce<R>>()

  constructor(call: CloudflareCall<readonly R[]>, tick: () => number, keptMs: number) {
    this.#call = call
    this.#tick = tick
    this.#keptMs = keptMs
  }

  /** Not older than that, where a time is given. */
  of(account: RemoteAccount, atMostMs = this.#keptMs): Promise<readonly R[]> {
    const id = `${account.credentials} ${account.id}`
    const known = this.#listed.get(id)
    if (known !== undefined && this.#tick() - known.at < Math.min(atMostMs, this.#keptMs)) return known.all
    const listed = { at: this.#tick(), all: account.list(this.#call) }
    this.#listed.set(id, listed)
    listed.all.catch(() => this.#listed.get(id) === listed && this.#listed.delete(id))
    return listed.all
  }
}
