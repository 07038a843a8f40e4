import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Cluster, ObjectWatcher } from '../cluster/port.ts'
import type { Config } from '../config.ts'
import { type Asking, type Fact, type Facts, type FollowedObject, factsOf } from '../fact.ts'
import { Fault } from '../faults.ts'
import type { Measure } from '../metric.ts'
import type { Log } from '../telemetry/log.ts'
import { type Cancel, type Clock, every, systemClock } from '../timing/clock.ts'
import type { ProcessPart } from './running.ts'

export interface FactsParts {
  readonly facts: readonly Fact<unknown>[]
  /** Asked for when a fact is, since a cluster in memory may itself need the facts. */
  readonly asking: () => Asking
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly measure?: Measure
}

/** A question that is not answered by then failed. */
const ASK_MS = 20_000
/** Changes that follow one another closely are one question. */
const SOON_MS = 1_000
const FAILURE_EACH_MS = 600_000

/** What a process knows of its facts. One question is asked at a time, and what fails changes nothing. */
export class FactKeeper implements Facts {
  readonly #parts: FactsParts
  readonly #known = new Map<string, unknown>()
  readonly #waiting = new Set<string>()
  readonly #told = new Map<string, number>()
  #last = Promise.resolve()

  constructor(parts: FactsParts) {
    this.#parts = parts
  }

  get<F>(fact: Fact<F>): F {
    return factsOf(this.#known).get(fact)
  }

  /** Asks each fact once. Never rejects. */
  async askAll(): Promise<void> {
    await Promise.all(this.#parts.facts.map((fact) => this.#ask(fact)))
  }

  /** Asks now, again and again, and when what a fact follows has changed. */
  keep(watcher: ObjectWatcher): Cancel {
    void this.askAll()
    const cancels = this.#parts.facts.flatMap((fact) => [
      every(fact.everyMs, () => void this.#ask(fact), this.#parts.clock),
      ...(fact.follows ?? []).map((followed) => this.#follow(fact, followed, watcher)),
    ])
    return () => {
      for (const cancel of cancels) cancel()
    }
  }

  #follow(fact: Fact<unknown>, { of, name }: FollowedObject, watcher: ObjectWatcher): Cancel {
    let callOff: Cancel | undefined
    const soon = () => {
      callOff ??= this.#parts.clock.after(SOON_MS, () => {
        callOff = undefined
        void this.#ask(fact)
      })
    }
    const following = watcher.follow(of, { namespace: '', name }, soon)
    return () => {
      following.stop()
      callOff?.()
    }
  }

  #ask(fact: Fact<unknown>): Promise<void> {
    if (this.#waiting.has(fact.name)) return this.#last
    this.#waiting.add(fact.name)
    this.#last = this.#last.then(() => this.#answered(fact))
    return this.#last
  }

  async #answered(fact: Fact<unknown>): Promise<void> {
    this.#waiting.delete(fact.name)
    try {
      const answer = await this.#inTime(fact)
      this.#known.set(fact.name, answer)
      this.#parts.measure?.(fact.measured?.(answer) ?? [])
      this.#told.delete(fact.name)
    } catch (cause) {
      this.#tell(fact, cause)
    }
  }

  #inTime(fact: Fact<unknown>): Promise<unknown> {
    const { asking, clock } = this.#parts
    const { promise: late, reject } = Promise.withResolvers<never>()
    const callOff = clock.after(ASK_MS, () => reject(new Fault('DEADLINE', `no answer within ${ASK_MS / 1_000} s`)))
    return Promise.race([fact.ask(asking()), late]).finally(callOff)
  }

  /** At most once in ten minutes for a fact. */
  #tell({ name }: Fact<unknown>, cause: unknown): void {
    const { clock, log } = this.#parts
    const now = clock.tick()
    if (now - (this.#told.get(name) ?? Number.NEGATIVE_INFINITY) < FAILURE_EACH_MS) return
    this.#told.set(name, now)
    const reason = cause instanceof Fault ? { code: cause.code, reason: cause.message } : { err: cause }
    log.warn({ fact: name, ...reason }, 'a fact is not known, or may be out of date')
  }
}

interface OnCluster {
  readonly asked: readonly Fact<unknown>[]
  readonly config: Pick<Config, 'namespace'>
  readonly log: Log
  readonly measure: Measure
}

export function factsOn(
  { readers, openApi }: Pick<Cluster, 'readers' | 'openApi'>,
  { asked, config, log, measure }: OnCluster,
): FactKeeper {
  const asking = () => ({ ...readers, openApi, home: config.namespace })
  return new FactKeeper({ facts: asked, asking, clock: systemClock, log, measure })
}

/** What is known of an own cluster, which may not be there yet. It does not change, so it is asked once. */
export function factsInMemory(asked: readonly Fact<unknown>[], cluster: () => MemoryCluster, home: string): FactKeeper {
  const asking = () => ({ cached: cluster(), live: cluster(), openApi: async () => undefined, home })
  return new FactKeeper({ facts: asked, asking, clock: systemClock, log: { warn: () => undefined } })
}

/** The process is ready without them. */
export function knowing(keeper: FactKeeper, watcher: ObjectWatcher): ProcessPart {
  return {
    checks: [],
    async start(opened) {
      opened.defer(keeper.keep(watcher))
      return {}
    },
  }
}
