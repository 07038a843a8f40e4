import { type Backoff, backoffMs } from '../../timing/backoff.ts'
import type { Cancel } from '../../timing/clock.ts'
import type { Outcome } from '../pass/outcome.ts'
import { areSame, type SnapshotValues } from '../pass/values.ts'
import type { Store } from '../store.ts'
import { batch, type Done, type Job, type Working } from './batch.ts'
import { mayRetry, read } from './reading.ts'
import { NEVER, type State } from './state.ts'

const RETRY: Backoff = { first: 1_000, most: 60_000, jitter: [0.5, 1.5] }
/** What one writer puts in a row comes together (SY-FAIL-4). */
const GATHER_MS = 20
/** A longer timer would fire at once. */
const LONGEST_WAIT_MS = 2_000_000_000

/**
 * Decides when each resource has its pass. It is level-triggered: what is due is cleared before the read, and any
 * failure makes it due again; a change that arrives during a pass leads to exactly one more (SY-FAIL-1).
 */
export class Runner {
  #states: readonly State[] = []
  readonly #store: Store
  readonly #working: Working
  readonly #allTried: () => void
  /** Those that have not had the pass that was asked of all. */
  #untried = new Set<State>()
  #callOff: Cancel = () => {}
  #isReading = false
  #readFailures = 0
  readonly #batches = new Set<Promise<void>>()

  /** `allTried` hears when each has had the pass that was asked of all; what is tried again later does not put it off. */
  constructor(store: Store, working: Working, allTried: () => void) {
    this.#store = store
    this.#working = working
    this.#allTried = allTried
  }

  /** From now on these, all of them due at once. */
  take(states: readonly State[]): void {
    this.#states = states
    this.force()
  }

  get states(): readonly State[] {
    return this.#states
  }

  /** Something in the store may have changed. */
  change(): void {
    const now = this.#now()
    for (const state of this.#states) {
      const { debounceMs } = state.resource
      const at = debounceMs === 0 ? now : Math.max(now + GATHER_MS, state.startedAt + debounceMs)
      state.dueAt = Math.min(state.dueAt, at)
    }
    this.#arm()
  }

  /** A pass of each, whatever the store says. */
  force(): void {
    const now = this.#now()
    for (const state of this.#states) state.forcedAt = Math.min(state.forcedAt, now)
    this.#untried = new Set(this.#states)
    if (this.#untried.size === 0) this.#allTried()
    this.#arm()
  }

  /** Starts nothing more, and resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#callOff()
    while (this.#batches.size > 0) await Promise.all(this.#batches)
  }

  #arm(): void {
    this.#callOff()
    if (this.#working.stopping.aborted || this.#isReading) return
    const next = Math.min(...this.#states.map(dueAt))
    if (next === NEVER) return
    const wait = Math.min(Math.max(0, next - this.#now()), LONGEST_WAIT_MS)
    this.#callOff = this.#working.host.clock.after(wait, () => this.#begin())
  }

  #begin(): void {
    const running = this.#turn().finally(() => this.#batches.delete(running))
    this.#batches.add(running)
  }

  /** One read for all that are due, then their passes; meanwhile others may read. */
  async #turn(): Promise<void> {
    const now = this.#now()
    const due = this.#states.filter((state) => dueAt(state) <= now)
    if (due.length === 0) return this.#arm()
    const turns = due.map((state) => ({ state, isForced: state.forcedAt <= now }))
    for (const { state, isForced } of turns) start(state, isForced, now)
    this.#isReading = true
    const values = await this.#read(due)
    this.#isReading = false
    const jobs = values === undefined ? this.#unread(due) : turns.flatMap((turn) => this.#jobOf(turn, values))
    this.#arm()
    await batch(jobs, this.#working, (done) => this.#done(done))
  }

  async #read(due: readonly State[]): Promise<SnapshotValues | undefined> {
    const { report, stopping } = this.#working
    try {
      const values = await read(this.#store, due, stopping)
      this.#readFailures = 0
      report.read(this.#store.name, values.revision)
      return values
    } catch (error) {
      if (!stopping.aborted) report.unread(this.#store.name, error, ++this.#readFailures)
      this.#again(due, mayRetry(error) ? this.#readFailures - 1 : RETRY.most)
      return undefined
    }
  }

  /** All of them together, so that they share the next read too. */
  #again(due: readonly State[], failures: number): void {
    const at = this.#now() + backoffMs(RETRY, failures, this.#working.host.clock)
    for (const state of due) {
      state.isRunning = false
      state.forcedAt = Math.min(state.forcedAt, at)
      state.tried = undefined
      state.problem = 'the store cannot be read'
      this.#working.report.failedRead(state.resource)
      this.#tried(state)
    }
  }

  #tried(state: State): void {
    if (this.#untried.delete(state) && this.#untried.size === 0) this.#allTried()
  }

  /** Reloads that are owed need no store. */
  #unread(due: readonly State[]): readonly Job[] {
    const owing = due.filter(({ owesReload }) => owesReload)
    for (const state of owing) state.isRunning = true
    return owing.map((state) => ({ state, pairs: undefined }))
  }

  /** What has the same values as at the last try has nothing to do, unless it is forced. */
  #jobOf({ state, isForced }: { state: State; isForced: boolean }, values: SnapshotValues): readonly Job[] {
    const pairs = values.under(state.resource.keys)
    if (!isForced && state.tried !== undefined && areSame(state.tried, pairs)) {
      state.isRunning = false
      return []
    }
    if (pairs.length === 0 && (state.tried ?? []).length > 0) this.#working.report.emptied(state.resource)
    state.tried = pairs
    return [{ state, pairs }]
  }

  #done(done: Done): void {
    const { state, outcome, ran } = done
    const { host, report } = this.#working
    state.isRunning = false
    const why = outcome.did === 'failed' ? outcome.why : ran?.ok === false ? `reload_cmd: it ${ran.why}` : undefined
    if (why === undefined) passedWell(state, outcome, this.#now())
    else {
      const isHopeless = outcome.did === 'failed' && outcome.cure === 'change'
      const wait = backoffMs(RETRY, isHopeless ? RETRY.most : state.failures++, host.clock)
      state.forcedAt = Math.min(state.forcedAt, this.#now() + wait)
      if (!isHopeless) state.tried = undefined
      state.problem = why
    }
    report.state(state, host.clock.now())
    this.#tried(state)
    this.#arm()
  }

  #now(): number {
    return this.#working.host.clock.tick()
  }
}

const dueAt = ({ isRunning, dueAt, forcedAt }: State) => (isRunning ? NEVER : Math.min(dueAt, forcedAt))

function start(state: State, isForced: boolean, now: number): void {
  state.isRunning = true
  state.dueAt = NEVER
  if (isForced) state.forcedAt = NEVER
  state.startedAt = now
}

/** A retry that waits is needed no more; a pass that was asked for meanwhile is, and so is one that did not take place. */
function passedWell(state: State, { did }: Outcome, now: number): void {
  if (did === 'stopped' || did === 'unread') return
  if (state.forcedAt > now) state.forcedAt = NEVER
  state.failures = 0
  state.hasPassed = true
  state.problem = undefined
}
