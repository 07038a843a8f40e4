import type { Profile } from '../admission/change.ts'
import { needsOf } from '../cluster/needs.ts'
import type { Cluster, ClusterReader, ClusterWriter } from '../cluster/port.ts'
import { type Facts, NOTHING_KNOWN } from '../fact.ts'
import { Fault } from '../faults.ts'
import type { Measure } from '../metric.ts'
import type { Settings } from '../setting.ts'
import type { Log } from '../telemetry/log.ts'
import type { Clock } from '../timing/clock.ts'
import type { Action, Notice } from './action.ts'
import { Cells } from './cells.ts'
import { type Controller, type Index, type Key, makes, type Sight, type Watch } from './controller.ts'
import { Echoes } from './echoes.ts'
import type { Notify } from './events.ts'
import type { FeedChange } from './feed.ts'
import { GoneObjects } from './gone.ts'
import type { WorkerMetrics } from './metrics.ts'
import { pacing } from './paces.ts'
import { idOf, KeyQueue } from './queue.ts'
import { References } from './references.ts'
import { type Live, sightOf } from './sight.ts'
import { againInMsOf, endOf, isToRepeat, namedTimeIn, noticesOf, type TurnEnd } from './turn-result.ts'
import { writerWith } from './turn-writer.ts'
import { UnseenWrites, type Watched } from './unseen.ts'

export interface ReconcilerContext {
  readonly cluster: Pick<Cluster, 'cachedFor'>
  readonly live: ClusterReader
  readonly writer: ClusterWriter
  readonly clock: Clock
  readonly settings: Settings
  readonly profile: Profile
  readonly facts?: Facts | undefined
  readonly metrics: Pick<WorkerMetrics, 'reconcileDuration' | 'retries' | 'futileApplies'>
  readonly log: Log
  readonly signal: AbortSignal
  readonly notify: Notify
  readonly measure?: Measure
  /** Hears of each turn. */
  readonly onTurn: (controller: Controller, key: Key, end: TurnEnd) => void
}

/** How long a key waits for the caches to show what its last turn wrote. */
const UNSEEN_MS = 5_000
/** A controller that wants to be asked again at once is asked after this time. */
const AGAIN_AT_LEAST_MS = 5
const FAILURE_EACH_MS = 60_000
/** They take a few milliseconds. */
const OBJECTS_OF_STEP = 500

/** One controller with the queue of its keys. */
export class Reconciler {
  readonly controller: Controller
  readonly queue: KeyQueue
  readonly #watched: readonly Watched[]
  readonly #context: ReconcilerContext
  readonly #cached: ClusterReader
  readonly #references = new References()
  readonly #gone = new GoneObjects()
  readonly #rereads = new Set<string>()
  readonly #cells = new Cells()
  readonly #echoes: Echoes
  readonly #pace: (action: Action) => Promise<void>
  readonly #logged = new Set<string>()
  #failedAt = Number.NEGATIVE_INFINITY
  readonly #holds = new Set<() => void>()
  readonly #index: Index
  readonly #beginWrites: ReturnType<typeof writerWith>

  /** The first watch is that of the objects that the controller is for. */
  constructor(
    controller: Controller,
    watched: readonly Watched[],
    context: ReconcilerContext & { onReady: () => void },
  ) {
    this.controller = controller
    this.queue = new KeyQueue(context.clock, context.onReady)
    this.#watched = watched
    this.#echoes = new Echoes(watched)
    this.#context = context
    this.#cached = context.cluster.cachedFor(needsOf({ controllers: [controller] }, 'worker').reads)
    this.#beginWrites = writerWith({
      live: context.live,
      adopts: controller.adopts === undefined ? [] : context.settings.get(controller.adopts),
      countFutile: () => context.metrics.futileApplies.inc(),
    })
    this.#pace = pacing(controller.writes, context)
    this.#index = { referring: (to) => this.#references.to(to), all: (namespace) => this.#all(namespace) }
  }

  /** Keeps what is known of objects up to date, and wakes their keys. */
  changed({ watch, feed }: Watched, change: FeedChange, isLeading: boolean): void {
    const { gone } = change
    if (feed === this.#watched[0]?.feed) this.#refer(change)
    const isKept = gone !== undefined && watch.keepsGone === true
    if (!isLeading && !isKept) return
    const at = this.#context.clock.tick()
    for (const [id, key] of this.#wokenBy(change, watch)) {
      if (isKept) this.#gone.add(key, { of: watch.resource, object: gone, at })
      if (!isLeading) continue
      if (gone !== undefined && makes(this.controller, watch.resource)) this.#rereads.add(id)
      const wake = () => this.queue.wake(key, watch.gather && { gather: watch.gather })
      if (watch.exceptOwn) this.#echoes.tell(id, change, wake)
      else wake()
    }
  }

  /** Wakes the keys of all objects, each once, of a few objects with each step. */
  *wakeAll(): Generator<void> {
    const woken = new Set<string>()
    for (const { watch, feed } of this.#watched)
      for (const [at, object] of feed.list().entries()) {
        if (at % OBJECTS_OF_STEP === 0) yield
        for (const key of watch.wakes(object, this.#index))
          if (woken.size < woken.add(idOf(key)).size) this.queue.wake(key, { urgency: 'resync' })
      }
  }

  begin(): void {
    this.#gone.dropStale(this.#context.clock.tick())
  }

  end(): void {
    this.queue.clear()
    this.#rereads.clear()
    this.#cells.clear()
    for (const release of this.#holds) release()
  }

  /** Runs the key that `next` of the queue answered. Never rejects. */
  async run(key: Key): Promise<void> {
    const unseen = new UnseenWrites(this.#watched)
    const id = idOf(key)
    const writer = this.#echoes.noted(unseen.noted(this.#context.writer), id)
    const rereads = this.#rereads.delete(id)
    const first = await this.#timed(key, writer, rereads ? 'itself' : 'nothing')
    const end = first.result === 'overtaken' ? await this.#timed(key, writer, 'all') : first
    if (rereads && isToRepeat(end)) this.#rereads.add(id)
    this.#hold(key, unseen)
    this.#echoes.end(id)
    this.#requeue(key, end)
    if (end.result === 'thrown') this.#tellThrown(key, end.cause)
    if (end.result === 'failed') this.#tellFailed(key, end)
    for (const notice of noticesOf(end)) this.#notify(key, notice)
    this.#context.measure?.([...(end.turn?.measured ?? []), ...(end.counted ?? [])])
  }

  #requeue(key: Key, end: TurnEnd): void {
    if (isToRepeat(end)) this.#repeat(key, end)
    else this.queue.finished(key)
    const againInMs = againInMsOf(end)
    if (againInMs === undefined) return
    this.queue.wake(key, { urgency: 'resync', afterMs: Math.max(AGAIN_AT_LEAST_MS, againInMs) })
  }

  async #timed(key: Key, writer: ClusterWriter, reads: Live): Promise<TurnEnd> {
    const { clock, metrics, live } = this.#context
    const began = clock.tick()
    const gone = this.#gone.of(key)
    const sight = sightOf({ cached: this.#cached, live, of: this.controller.of, key, reads, gone })
    const end = await this.#turn(key, writer, sight)
    if (!isToRepeat(end)) this.#gone.settle(key, gone)
    const labels = { controller: this.controller.name, result: end.result }
    metrics.reconcileDuration.observe(labels, (clock.tick() - began) / 1_000)
    this.#context.onTurn(this.controller, key, end)
    return end
  }

  async #turn(key: Key, writer: ClusterWriter, sight: Sight): Promise<TurnEnd> {
    const { clock, settings, profile, facts = NOTHING_KNOWN, live, signal } = this.#context
    const given = { at: clock.now(), attempt: this.queue.failuresOf(key), profile, settings, facts }
    const begun = this.#beginWrites(writer)
    const write = (action: Action) => this.#pace(action).then(() => begun(action))
    const carryOut = { context: { ...given, live, writer, signal }, write }
    try {
      const cell = this.#cells.of(key, (await this.#cached.get(this.controller.of, key))?.metadata.uid)
      const turn = await this.controller.turn(key, { ...given, sight, carryOut, cell })
      if (turn === undefined) this.#cells.drop(key)
      const counted = await this.controller.counts?.(this.#cached)
      return { ...endOf(turn), ...(counted && { counted }) }
    } catch (cause) {
      return { result: 'thrown', cause }
    }
  }

  #repeat(key: Key, end: TurnEnd): void {
    this.#context.metrics.retries.inc({ controller: this.controller.name })
    const namedMs = namedTimeIn(end)
    if (namedMs === undefined) this.queue.failed(key)
    else this.queue.postponed(key, namedMs)
  }

  /** The next turn would plan on what its caches do not show yet. */
  #hold(key: Key, unseen: UnseenWrites): void {
    if (unseen.isShown) return
    this.queue.hold(key)
    const release = () => {
      cancel()
      end()
      this.#holds.delete(release)
      this.queue.release(key)
    }
    const end = unseen.follow(() => unseen.isShown && release())
    const cancel = this.#context.clock.after(UNSEEN_MS, release)
    this.#holds.add(release)
  }

  /** A failed look-up is an event (WK-7). Each class of error is logged once. */
  #tellThrown(key: Key, cause: unknown): void {
    if (cause instanceof Fault) this.#notify(key, { type: 'Warning', reason: 'GetError', message: cause.message })
    const what = cause instanceof Fault ? cause.code : String(cause instanceof Error ? cause.name : typeof cause)
    if (this.#logged.has(what)) return
    this.#logged.add(what)
    this.#context.log.error({ controller: this.controller.name, err: cause }, 'a controller has thrown')
  }

  /** At most once a minute: while the API server is away, every key fails. */
  #tellFailed({ namespace, name }: Key, { turn }: TurnEnd): void {
    const now = this.#context.clock.tick()
    if (now - this.#failedAt < FAILURE_EACH_MS) return
    this.#failedAt = now
    const { message } = turn?.results.find(({ outcome }) => outcome === 'failed') ?? {}
    this.#context.log.warn({ controller: this.controller.name, namespace, name, reason: message }, 'a write has failed')
  }

  #notify({ namespace, name }: Key, { about, ...notice }: Notice): void {
    const uid = this.#watched[0]?.feed.get({ namespace, name })?.metadata.uid
    const itself = uid === undefined ? undefined : { of: this.controller.of, ref: { namespace, name }, uid }
    const subject = about ?? itself
    if (subject !== undefined) this.#context.notify({ ...notice, about: subject })
  }

  /** Each key once. */
  #wokenBy({ before, now, gone }: FeedChange, { wakes, wakesOnChange }: Watch): ReadonlyMap<string, Key> {
    const states = [before, now, gone].filter((state) => state !== undefined)
    const own = () => this.#watched[0]?.feed.list() ?? []
    const keys =
      wakesOnChange?.({ before: before ?? gone, now }, own) ?? states.flatMap((state) => wakes(state, this.#index))
    return new Map(keys.map((key) => [idOf(key), key]))
  }

  #refer({ now, gone }: FeedChange): void {
    const object = now ?? gone
    if (object === undefined) return
    const references = now === undefined ? [] : this.controller.refersTo(now)
    this.#references.set(object, references, references.length === 0 ? [] : this.#keysOf(object))
  }

  #all(namespace: string): readonly Key[] {
    const objects = this.#watched[0]?.feed.list(namespace) ?? []
    return objects.flatMap((object) => this.#keysOf(object))
  }

  #keysOf(object: Parameters<Controller['refersTo']>[0]): readonly Key[] {
    return this.#watched[0]?.watch.wakes(object, this.#index) ?? []
  }
}
