import type { Log } from '../telemetry/log.ts'
import type { Clock } from '../timing/clock.ts'
import type { Key } from './keys.ts'

/**
 * Where the values come from. Paths and values are byte strings: one character per byte, as in templates, so that
 * values that are no UTF-8 survive and order is that of bytes.
 */
export interface Store {
  /** For logs, metrics and messages: the backend, such as `etcdv3`. */
  readonly name: string
  /** Where a read has the values of a key, in a store with names of its own. Absent: at the key itself and below it. */
  readonly placeOf?: (key: Key) => KeyPlace
  /**
   * Every value at or below the keys. All or nothing: it rejects rather than leave something out (SY-BE-3). It rejects
   * with a Fault: `retry` tells an outage, tried again soon, from a refusal, tried again at the longest pause only.
   */
  read(keys: readonly Key[], signal: AbortSignal): Promise<Snapshot>
  /**
   * Calls `changed` once it listens, and after every possible change, also after any gap: a reconnect, a compaction, an
   * overflow. It carries no data, the caller reads again; a call too many does no harm, a missing one is an error
   * (SY-BE-2). It resolves when the signal aborts, and rejects when it cannot go on: the caller calls it again after a
   * pause. STORE_SENDS_NO_CHANGES says that there is no sense in that, and the caller polls.
   */
  watch(keys: readonly Key[], changed: () => void, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface KeyPlace {
  readonly key: Key
  /** Another name of the value at the path of `key`: what the resource asked for. */
  readonly alias: string
}

export interface Snapshot {
  /** By absolute path. A value that none of the keys asked for may be among them. */
  readonly values: ReadonlyMap<string, string>
  /** Of the store, where it counts them. */
  readonly revision?: string
}

/** Opens a store. It connects with the first read, so that a daemon starts while its store is away. */
export type OpenStore = (options: StoreOptions, around: Around) => Store

export interface Around {
  readonly clock: Clock
  readonly log: Log
}

/** What the options of confd say of a store. Empty means not given. */
export interface StoreOptions {
  readonly nodes: readonly string[]
  readonly clientCert: string
  readonly clientKey: string
  readonly clientCaKeys: string
  readonly clientInsecure: boolean
  readonly username: string
  readonly password: string
  /** Read at each connect; it wins over `password`. */
  readonly passwordFile: string
  /** Of redis. */
  readonly separator: string
  /** Of the backend `file`. */
  readonly files: readonly string[]
  readonly filter: string
  /** The longest that one answer may take. */
  readonly timeoutMs: number
}
