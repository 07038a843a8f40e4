import type { Cancel } from '../timing/clock.ts'
import { collapsed } from './keys.ts'
import type { Working } from './loop/batch.ts'
import { following } from './loop/following.ts'
import { Runner } from './loop/runner.ts'
import type { State } from './loop/state.ts'
import { statesOf } from './loop/states.ts'
import { type BrokenResource, isBroken, type Loaded, type TemplateResource } from './resources/resource.ts'
import type { Store } from './store.ts'

export interface DaemonParts {
  readonly store: Store
  readonly working: Working
  readonly intervalMs: number
  /** Follows the store; otherwise it is asked after each interval. */
  readonly watches: boolean
  /** Reads conf.d again; `undefined` where it cannot be read, and then what is known stays. */
  readonly load: () => Promise<readonly Loaded[] | undefined>
}

/** A longer timer would fire at once. */
const LONGEST_WAIT_MS = 2_000_000_000

/** Keeps targets as the store wants them until it is stopped. */
export class Daemon {
  readonly #parts: DaemonParts
  readonly #runner: Runner
  #broken: readonly BrokenResource[] = []
  #callOff: Cancel = () => {}
  /** Ends the present watch; another begins when the keys change. */
  #unwatch = new AbortController()
  #following: Promise<void> = Promise.resolve()
  #rereading: Promise<void> = Promise.resolve()
  #watched = ''

  constructor(parts: DaemonParts) {
    this.#parts = parts
    this.#runner = new Runner(parts.store, parts.working, () => this.#poll())
  }

  get states(): readonly State[] {
    return this.#runner.states
  }
  get broken(): readonly BrokenResource[] {
    return this.#broken
  }

  async start(loaded: readonly Loaded[]): Promise<void> {
    await this.#adopt(loaded)
    if (this.#parts.watches) this.#resync()
  }

  /** Reads conf.d again and passes all resources, one call after the other. */
  reread(): Promise<void> {
    this.#rereading = this.#rereading.then(async () => {
      const loaded = await this.#parts.load()
      this.#parts.working.templates.forget()
      if (this.#isStopping) return
      if (loaded === undefined) this.#runner.force()
      else await this.#adopt(loaded)
    })
    return this.#rereading
  }

  /** The signals of its parts are aborted before. It resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#callOff()
    this.#unwatch.abort()
    await Promise.all([this.#runner.stop(), this.#following, this.#rereading])
  }

  get #isStopping(): boolean {
    return this.#parts.working.stopping.aborted
  }

  async #adopt(loaded: readonly Loaded[]): Promise<void> {
    const { working, watches } = this.#parts
    const before = [...this.states.map(({ resource }) => resource), ...this.#broken]
    this.#broken = loaded.filter(isBroken)
    for (const each of this.#broken) working.report.broken(each)
    const resources = loaded.filter((each): each is TemplateResource => !isBroken(each))
    const names = new Set(loaded.map(({ name }) => name))
    for (const { name } of before) if (!names.has(name)) working.report.forget(name)
    const states = await statesOf(resources, this.states, working.host.files)
    this.#runner.take(states)
    if (watches) this.#follow(states)
  }

  /** One watch for all resources. It stays while their keys do. */
  #follow(states: readonly State[]): void {
    const { store, working } = this.#parts
    const { report, host } = working
    const keys = collapsed(states.flatMap(({ resource }) => resource.keys))
    if (this.#isStopping || JSON.stringify(keys) === this.#watched) return
    this.#watched = JSON.stringify(keys)
    this.#unwatch.abort()
    this.#unwatch = new AbortController()
    if (keys.length === 0) return
    const changed = () => this.#runner.change()
    const { signal } = this.#unwatch
    this.#following = Promise.all([
      this.#following,
      following({ store, keys, changed, clock: host.clock, report, signal }),
    ]).then(() => undefined)
  }

  /** Catches what no word came of, of conf.d too (SY-FAIL-5). */
  #resync(): void {
    const { intervalMs, working } = this.#parts
    const jitter = 0.9 + working.host.clock.random() / 5
    this.#after(intervalMs * jitter, () => {
      void this.reread()
      this.#resync()
    })
  }

  /** The next one is so long after the end of the last one, and reads conf.d again (SY-PIPE-14, SY-RES-5). */
  #poll(): void {
    if (!this.#parts.watches) this.#after(this.#parts.intervalMs, () => void this.reread())
  }

  #after(ms: number, act: () => void): void {
    this.#callOff()
    if (!this.#isStopping) this.#callOff = this.#parts.working.host.clock.after(Math.min(ms, LONGEST_WAIT_MS), act)
  }
}
