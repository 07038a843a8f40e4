import { Fault } from '../../../src/faults.ts'
import type { Key } from '../../../src/sync/keys.ts'
import type { Snapshot, Store } from '../../../src/sync/store.ts'

/** A store whose content a test writes, and whose watch and answers a test breaks. */
export class FakeStore implements Store {
  readonly name = 'fake'
  readonly #values = new Map<string, string>()
  readonly #watchers = new Set<{ readonly changed: () => void; readonly fail: (why: unknown) => void }>()
  #revision = 1
  /** The keys of each read, in order. */
  readonly reads: (readonly Key[])[] = []
  readonly watches: (readonly Key[])[] = []
  /** What reads and watches reject with, while it is set. */
  broken: Fault | undefined
  /** Awaited by each read before it answers. */
  beforeAnswer: () => Promise<void> = async () => {}
  isClosed = false

  constructor(values: Readonly<Record<string, string>> = {}) {
    for (const [path, value] of Object.entries(values)) this.#values.set(path, value)
  }

  /** One transaction; `undefined` deletes. */
  put(values: Readonly<Record<string, string | undefined>>): void {
    this.putQuietly(values)
    this.change()
  }
  /** A change that the store sends no word of. */
  putQuietly(values: Readonly<Record<string, string | undefined>>): void {
    this.#revision++
    for (const [path, value] of Object.entries(values)) {
      if (value === undefined) this.#values.delete(path)
      else this.#values.set(path, value)
    }
  }
  change(): void {
    for (const { changed } of this.#watchers) changed()
  }
  get watchers(): number {
    return this.#watchers.size
  }
  /** Ends all watches, as a connection that breaks. */
  cut(why: unknown = new Fault('STORE_UNREACHABLE', 'the connection broke')): void {
    for (const { fail } of this.#watchers) fail(why)
  }

  async read(keys: readonly Key[]): Promise<Snapshot> {
    this.reads.push(keys)
    const answer = { values: new Map(this.#values), revision: String(this.#revision) }
    await this.beforeAnswer()
    if (this.broken !== undefined) throw this.broken
    return answer
  }

  async watch(keys: readonly Key[], changed: () => void, signal: AbortSignal): Promise<void> {
    this.watches.push(keys)
    if (this.broken !== undefined) throw this.broken
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const watcher = { changed, fail: reject }
    this.#watchers.add(watcher)
    signal.addEventListener('abort', () => resolve())
    changed()
    await promise.finally(() => this.#watchers.delete(watcher))
  }

  async close(): Promise<void> {
    this.isClosed = true
  }
}
