import { RecentMap } from '../../kit/cloudflare.ts'
import { listKeyOf, type RemoteAccount } from '../access/account.ts'
import type { RemoteCalls } from './calls.ts'
import type { Placement, RemoteFound, RemoteListing } from './table.ts'

interface ListedPlace {
  readonly at: number
  readonly all: Promise<ReadonlyMap<string, RemoteFound>>
  /** Written since then, so the list says nothing of them. */
  readonly written: Set<string>
}

/** A list of each holds all of its objects. */
const MOST_PLACES = 500

type ListingAt = RemoteListing & { readonly path: string }

/** The remote objects of a place in one list for all objects, in place of a call for each of them (CF-ONE-06). */
export class SharedLook {
  readonly #listing: ListingAt
  readonly #calls: Pick<RemoteCalls, 'find'>
  readonly #tick: () => number
  readonly #keptMs: number
  readonly #places = new RecentMap<ListedPlace>(MOST_PLACES)

  constructor(listing: ListingAt, calls: Pick<RemoteCalls, 'find'>, tick: () => number, keptMs: number) {
    this.#listing = listing
    this.#calls = calls
    this.#tick = tick
    this.#keptMs = keptMs
  }

  /** Undefined where the list does not have it, or is older than what was written. */
  async find(account: RemoteAccount, place: Placement, id: string): Promise<RemoteFound | undefined> {
    const { all, written } = this.#of(account, place)
    const found = (await all).get(id)
    return written.has(id) ? undefined : found
  }

  /** The same calls; what they write is not read from a list of before. */
  around(calls: RemoteCalls): RemoteCalls {
    const noted = async <R>(id: string, done: Promise<R>): Promise<R> => {
      this.#note(id)
      return done.finally(() => this.#note(id))
    }
    return {
      ...calls,
      update: (account, place, id, body, signal) => noted(id, calls.update(account, place, id, body, signal)),
      remove: (account, place, id, signal) => noted(id, calls.remove(account, place, id, signal)),
    }
  }

  #note(id: string): void {
    for (const { written } of this.#places.values()) written.add(id)
  }

  #of(account: RemoteAccount, place: Placement): ListedPlace {
    const key = JSON.stringify([listKeyOf(account, this.#listing.path), place.params])
    const known = this.#places.get(key)
    if (known !== undefined && this.#tick() - known.at < this.#keptMs) return known
    const listed = { at: this.#tick(), all: this.#list(account, place), written: new Set<string>() }
    this.#places.set(key, listed)
    listed.all.catch(() => this.#places.drop(key, listed))
    return listed
  }

  async #list(account: RemoteAccount, place: Placement): Promise<ReadonlyMap<string, RemoteFound>> {
    const found = await this.#calls.find(account, place, { query: this.#listing.query, isIt: () => true })
    return new Map(found.map((each) => [each.id, each]))
  }
}
