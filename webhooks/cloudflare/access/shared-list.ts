import { type CloudflareCall, RecentMap } from '../../kit/cloudflare.ts'
import { listKeyOf, type RemoteAccount } from './account.ts'

interface ListedOnce<R> {
  readonly at: number
  readonly all: Promise<readonly R[]>
}

/** An author may name any account, of which Cloudflare answers few. */
const MOST_LISTS = 100

/** A list of each account that is read once for all objects, and kept for a time. */
export class SharedList<R> {
  readonly #call: CloudflareCall<readonly R[]>
  readonly #tick: () => number
  readonly #keptMs: number
  readonly #listed = new RecentMap<ListedOnce<R>>(MOST_LISTS)

  constructor(call: CloudflareCall<readonly R[]>, tick: () => number, keptMs: number) {
    this.#call = call
    this.#tick = tick
    this.#keptMs = keptMs
  }

  /** Not older than that, where a time is given. */
  of(account: RemoteAccount, atMostMs = this.#keptMs): Promise<readonly R[]> {
    const id = listKeyOf(account, this.#call.path)
    const known = this.#listed.get(id)
    if (known !== undefined && this.#tick() - known.at < Math.min(atMostMs, this.#keptMs)) return known.all
    const listed = { at: this.#tick(), all: account.list(this.#call) }
    this.#listed.set(id, listed)
    listed.all.catch(() => this.#listed.drop(id, listed))
    return listed.all
  }
}
