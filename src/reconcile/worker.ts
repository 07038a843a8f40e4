import { cacheOf, filled, type Kept, keptFor } from '../cluster/kept.ts'
import type { Need } from '../cluster/needs.ts'
import type { Cluster, ClusterWriter, Following } from '../cluster/port.ts'
import { every } from '../timing/clock.ts'
import { type CountCall, countedReader, guardedWriter } from './calls.ts'
import type { Controller } from './controller.ts'
import type { Notify } from './events.ts'
import { Feed } from './feed.ts'
import type { Leadership } from './leadership.ts'
import type { WorkerMetrics } from './metrics.ts'
import { Reconciler, type ReconcilerContext } from './reconciler.ts'
import type { Watched } from './unseen.ts'
import { WriteBudget } from './write-budget.ts'

export interface WorkerParts
  extends Omit<ReconcilerContext, 'cluster' | 'live' | 'writer' | 'metrics' | 'signal' | 'notify' | 'onTurn'> {
  readonly cluster: Pick<Cluster, 'cachedFor' | 'readers' | 'writer' | 'watcher'>
  readonly leadership: Leadership
  readonly metrics: WorkerMetrics
  readonly writesPerSecond: number
  readonly notifier: (writer: ClusterWriter) => Notify
  readonly onTurn?: ReconcilerContext['onTurn']
  /** How many turns run at once, of each controller and of all. */
  readonly atOnce?: AtOnce
  /**
   * Goes on after other work of the process, the renewal of the Lease for one: a turn that finds all in caches waits for
   * nothing, so thousands of them would run as one. Without it they do.
   */
  readonly soon?: (act: () => void) => void
}
interface AtOnce {
  readonly ofEach: number
  readonly ofAll: number
}
/** The objects of one cache, and who hears of them. */
interface FedCache {
  readonly kept: Kept
  readonly feed: Feed
  readonly listeners: { readonly reconciler: Reconciler; readonly watched: Watched }[]
}

const RESYNC_MS = 600_000
const FEW_KEYS = 1_000
const AT_ONCE: AtOnce = { ofEach: 16, ofAll: Number.POSITIVE_INFINITY }

/** Runs controllers: what a cache tells wakes keys, and the keys have their turns while this process leads. */
export class Worker {
  readonly #parts: WorkerParts
  readonly #atOnce: AtOnce
  readonly #caches: ReadonlyMap<string, FedCache>
  readonly #reconcilers: readonly Reconciler[]
  readonly #stopping = new AbortController()
  readonly #turns = new Map<Promise<void>, Reconciler>()
  #followed: readonly Following[] = []
  #leads = false
  #hasBegun = false
  #isPumping = false
  /** What is left of a full pass. */
  #pass: Iterator<void> | undefined
  #isWaking = false
  #isStopped = false
  #stopResync = () => {}

  constructor(controllers: readonly Controller[], parts: WorkerParts) {
    const { cluster, leadership, writesPerSecond, clock, metrics } = parts
    const count: CountCall = (verb, of, code) => metrics.apiRequests.inc({ verb, resource: of.plural, code })
    const budget = new WriteBudget(clock, { perSecond: writesPerSecond })
    const writer = guardedWriter(cluster.writer, { budget, leadership, count, clock })
    this.#parts = parts
    this.#atOnce = parts.atOnce ?? AT_ONCE
    this.#caches = new Map(keptFor(needsOfAll(controllers)).map((kept) => [cacheOf(kept), this.#fedCacheOf(kept)]))
    const onReady = () => this.#pumpSoon()
    const context = {
      ...{ onTurn: () => undefined, ...parts, writer, signal: this.#stopping.signal, onReady },
      live: countedReader(cluster.readers.live, count),
      notify: parts.notifier(writer),
    }
    this.#reconcilers = controllers.map((controller) => this.#reconcilerOf(controller, context))
  }

  get isListed(): boolean {
    return [...this.#caches.values()].every(({ feed }) => feed.isListed)
  }

  /** No turn runs and none is due. */
  get isIdle(): boolean {
    return this.#turns.size === 0 && this.#depth === 0 && this.#pass === undefined
  }

  get #depth(): number {
    return this.#reconcilers.reduce((sum, { queue }) => sum + queue.depth, 0)
  }

  start(): void {
    const { cluster, clock, leadership } = this.#parts
    this.#followed = [...this.#caches.values()].map(({ kept: { resource, ...keeps }, feed }) =>
      cluster.watcher.watch(resource, keeps, feed),
    )
    this.#stopResync = every(RESYNC_MS, () => this.#resync(), clock)
    leadership.onChange((leads) => this.#lead(leads))
  }

  /** Begins no more turns, and waits for those that run; what still runs then is aborted. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true
    this.#stopResync()
    for (const each of this.#followed) each.stop()
    const { promise, resolve } = Promise.withResolvers<void>()
    const cancel = this.#parts.clock.after(graceMs, resolve)
    await Promise.race([Promise.all(this.#turns.keys()), promise])
    cancel()
    this.#stopping.abort()
    for (const reconciler of this.#reconcilers) reconciler.end()
  }

  #fedCacheOf(kept: Kept): FedCache {
    const listeners: FedCache['listeners'] = []
    const feed = new Feed({
      changed: (change) => {
        for (const { reconciler, watched } of listeners) reconciler.changed(watched, change, this.#hasBegun)
      },
      listed: () => this.#begin(),
    })
    return { kept, feed, listeners }
  }

  #reconcilerOf(controller: Controller, context: ConstructorParameters<typeof Reconciler>[2]): Reconciler {
    const caches = controller.watches.flatMap((watch) => {
      const cache = this.#caches.get(cacheOf({ resource: watch.resource, ...filled(watch.keeps ?? {}) }))
      return cache === undefined ? [] : [{ cache, watched: { watch, feed: cache.feed } }]
    })
    const watched = caches.map((each) => each.watched)
    const reconciler = new Reconciler(controller, watched, context)
    for (const { cache, watched } of caches) cache.listeners.push({ reconciler, watched })
    return reconciler
  }

  #lead(leads: boolean): void {
    this.#leads = leads
    this.#parts.metrics.leader.set(leads ? 1 : 0)
    if (leads) this.#begin()
    else this.#end()
  }

  /** As soon as it leads and its caches are warm: a full pass. */
  #begin(): void {
    if (this.#hasBegun || !this.#leads || !this.isListed) return
    this.#hasBegun = true
    for (const reconciler of this.#reconcilers) reconciler.begin()
    this.#wakeAll()
  }

  #end(): void {
    this.#hasBegun = false
    this.#pass = undefined
    for (const reconciler of this.#reconcilers) reconciler.end()
  }

  #resync(): void {
    if (this.#hasBegun) this.#wakeAll()
  }

  /** A full pass (WR-4). */
  #wakeAll(): void {
    this.#pass = this.#reconcilers.values().flatMap((reconciler) => reconciler.wakeAll())
    this.#wakeMore()
  }

  /** While few keys wait, since thousands of them take more memory than their objects. */
  #wakeMore(): void {
    const { soon = (act) => act() } = this.#parts
    if (this.#isWaking || this.#pass === undefined || this.#depth > FEW_KEYS) return
    this.#isWaking = true
    soon(() => {
      this.#isWaking = false
      if (this.#pass?.next().done) this.#pass = undefined
      this.#wakeMore()
    })
  }

  /** Once for all that is told at once, so that edits go first and each key has one turn. */
  #pumpSoon(): void {
    if (this.#isPumping) return
    this.#isPumping = true
    const { soon = queueMicrotask } = this.#parts
    soon(() => {
      this.#isPumping = false
      for (const reconciler of this.#reconcilers) this.#pump(reconciler)
      this.#wakeMore()
    })
  }

  /** Begins one turn, so that all that may begin at once is no long piece of work, and comes back for the next. */
  #pump(reconciler: Reconciler): void {
    const { queue, controller } = reconciler
    const mayBegin = this.#hasBegun && !this.#isStopped && this.#hasRoom(reconciler)
    const key = mayBegin ? queue.next() : undefined
    if (key !== undefined) {
      const turn: Promise<void> = reconciler.run(key).finally(() => {
        this.#turns.delete(turn)
        this.#pumpSoon()
      })
      this.#turns.set(turn, reconciler)
      this.#pumpSoon()
    }
    this.#parts.metrics.queueDepth.set({ controller: controller.name }, queue.depth)
  }

  #hasRoom(reconciler: Reconciler): boolean {
    const { ofEach, ofAll } = this.#atOnce
    if (this.#turns.size >= ofAll) return false
    return [...this.#turns.values()].filter((each) => each === reconciler).length < ofEach
  }
}

function needsOfAll(controllers: readonly Controller[]): readonly Need[] {
  return controllers.flatMap(({ watches }) => watches.map((watch) => ({ ...watch, keeps: watch.keeps ?? {} })))
}
