import { Fault } from '../../../faults.ts'
import { isOlder } from '../../../kube/versions.ts'
import type { Log } from '../../../telemetry/log.ts'
import { backoffMs } from '../../../timing/backoff.ts'
import type { Clock } from '../../../timing/clock.ts'
import { fuse } from '../../../timing/fuse.ts'
import { pause } from '../../../timing/pause.ts'
import type { Built, Sink } from '../../port.ts'
import type { Source, WatchEvent } from './source.ts'

export interface ReflectorParts<O extends Built> {
  readonly kind: string
  readonly source: Source<O>
  readonly sink: Sink<O>
  readonly clock: Clock
  readonly log: Log
  readonly sinkFailed: (cause: unknown) => void
  /** A watch could not go on, so everything is listed again. */
  readonly relisted: () => void
}

/** Bookmarks come each minute (AP-19). */
const SILENCE_MS = 90_000
const WATCH_SECONDS = { least: 290, most: 590 }
/** A watch that ends sooner without an event did not work. */
const SHORT_MS = 1_000
/** The longest backoff that still lets us list and watch within 5 s after the API server is back (RL-6). */
const AFTER_FAILURE = { first: 200, most: 3_000 }
/** A store is not restored from a backup in less time. */
const OUTAGE_MS = 10_000
const UNTIL_KNOWN = { first: 1_000, most: 30_000 }

/** Lists, and then watches for good (CL-2): whatever goes wrong, it goes on from the last version that it heard of. */
export class Reflector<O extends Built = Built> {
  readonly #parts: ReflectorParts<O>
  readonly #stopped = new AbortController()
  readonly #synced = Promise.withResolvers<void>()
  #hasSynced = false
  /** Undefined before a list, and when its version has become too old to continue from. */
  #version: string | undefined
  #heardAt: number
  #failures = 0
  /** Since when calls fail. From then on the store may be another one than our version is of. */
  #doubtfulSince: number | undefined
  #timesExpired = 0
  #timesUnknown = 0

  constructor(parts: ReflectorParts<O>) {
    this.#parts = parts
    this.#heardAt = parts.clock.tick()
  }

  get synced(): Promise<void> {
    return this.#synced.promise
  }

  get hasSynced(): boolean {
    return this.#hasSynced
  }

  /** The time since the last list, event or bookmark of the API server. */
  get ageMs(): number {
    return this.#parts.clock.tick() - this.#heardAt
  }

  async run(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      const ms = await this.#step(signal)
      if (ms > 0) await pause(this.#parts.clock, ms, signal)
    }
  }

  stop(): void {
    this.#stopped.abort()
  }

  /** Runs one list or one watch. Resolves with the delay before the next. */
  async #step(signal: AbortSignal): Promise<number> {
    try {
      if (this.#version === undefined) return await this.#list(signal)
      return (await this.#mayGoOn(this.#version, signal)) ? await this.#watch(this.#version, signal) : this.#startOver()
    } catch (cause) {
      return signal.aborted ? 0 : this.#failed(cause)
    }
  }

  /** A store put back from a backup may be past our version again when we look, so after an outage all is listed. */
  async #mayGoOn(version: string, signal: AbortSignal): Promise<boolean> {
    const since = this.#doubtfulSince
    if (since === undefined) return true
    const { source, clock } = this.#parts
    return (await source.reaches(version, signal)) && clock.tick() - since < OUTAGE_MS
  }

  async #list(signal: AbortSignal): Promise<number> {
    const { source, sink } = this.#parts
    this.#tell(() => sink.begin())
    for (let next = ''; ; ) {
      const page = await source.page(next, signal)
      if (page === 'expired') return this.#backOff()
      if (page === 'unknown') return this.#unknown()
      this.#tell(() => sink.add(page.items))
      next = page.next
      if (next === '') return this.#listed(page.version)
    }
  }

  #listed(version: string): number {
    this.#settle()
    this.#version = version
    this.#doubtfulSince = undefined
    this.#timesUnknown = 0
    return 0
  }

  /** Without a CRD there are no objects. That is an answer like any other, so the cache counts as synced. */
  #unknown(): number {
    this.#tell(() => this.#parts.sink.begin()) // nor those of pages before this one
    this.#settle()
    if (this.#timesUnknown === 0) this.#parts.log.info({ kind: this.#parts.kind }, 'not known to the API server yet')
    return backoffMs(UNTIL_KNOWN, this.#timesUnknown++, this.#parts.clock)
  }

  #settle(): void {
    this.#tell(() => this.#parts.sink.done())
    this.#heard()
    this.#hasSynced = true
    this.#synced.resolve()
  }

  async #watch(version: string, signal: AbortSignal): Promise<number> {
    const { source, clock } = this.#parts
    const beganAt = clock.tick()
    const silence = fuse(clock, SILENCE_MS, () => this.#silent(), signal)
    let hasEvents = false
    this.#doubtfulSince = undefined
    try {
      for await (const event of source.watch(version, this.#seconds(), silence.signal)) {
        silence.rewind()
        if (event.type === 'EXPIRED' || isOlder(event.version, this.#version ?? '')) return this.#startOver()
        this.#take(event)
        hasEvents = true
      }
    } finally {
      silence.release()
    }
    if (!hasEvents && clock.tick() - beganAt < SHORT_MS) return this.#backOff()
    this.#isWell()
    return 0
  }

  #take(event: Exclude<WatchEvent<O>, { type: 'EXPIRED' }>): void {
    const { sink } = this.#parts
    if (event.type === 'WRITTEN') this.#tell(() => sink.put(event.object))
    if (event.type === 'DELETED') this.#tell(() => sink.remove(event.object))
    this.#version = event.version
    this.#isWell()
    this.#heard()
  }

  #isWell(): void {
    this.#failures = 0
    this.#timesExpired = 0
  }

  /** Lists at once despite earlier failures, but not repeatedly: a version may be too old as soon as it was listed. */
  #startOver(): number {
    this.#version = undefined
    this.#parts.relisted()
    return this.#timesExpired++ === 0 ? 0 : backoffMs(AFTER_FAILURE, this.#timesExpired, this.#parts.clock)
  }

  #failed(cause: unknown): number {
    const { kind, log } = this.#parts
    const why = cause instanceof Fault ? { code: cause.code, reason: cause.message } : { err: cause }
    log.warn({ kind, attempt: this.#failures + 1, ...why }, 'list or watch failed')
    this.#doubtfulSince ??= this.#parts.clock.tick()
    return this.#backOff()
  }

  #backOff(): number {
    return backoffMs(AFTER_FAILURE, this.#failures++, this.#parts.clock)
  }

  #seconds(): number {
    const { least, most } = WATCH_SECONDS
    return least + Math.floor(this.#parts.clock.random() * (most - least + 1))
  }

  /** What happened meanwhile may have happened at any time since the last word. */
  #silent(): Fault {
    this.#doubtfulSince = this.#heardAt
    return new Fault('CLUSTER_UNREACHABLE', `nothing was heard of ${this.#parts.kind} for ${SILENCE_MS / 1_000} s`)
  }

  #heard(): void {
    this.#heardAt = this.#parts.clock.tick()
  }

  #tell(say: () => void): void {
    if (this.#stopped.signal.aborted) return
    safely(say, this.#parts.sinkFailed)
  }
}

/** Whether it throws at once or later. */
export function safely(say: () => unknown, failed: (cause: unknown) => void): void {
  try {
    const result = say()
    if (result instanceof Promise) result.catch(failed)
  } catch (cause) {
    failed(cause)
  }
}
