import type { Profile } from '../admission/change.ts'
import type { Cluster } from '../cluster/port.ts'
import type { Facts } from '../fact.ts'
import { Fault } from '../faults.ts'
import type { Settings } from '../setting.ts'
import { logTo } from '../telemetry/log.ts'
import { Meter } from '../telemetry/metrics.ts'
import { HandClock } from '../timing/hand-clock.ts'
import type { Notice } from './action.ts'
import type { Controller, Key, Result, Step } from './controller.ts'
import { ALWAYS } from './leadership.ts'
import { workerMetrics } from './metrics.ts'
import { idOf } from './queue.ts'
import type { TurnEnd } from './turn-result.ts'
import { Worker } from './worker.ts'

export interface SettleOptions {
  readonly settings: Settings
  readonly profile: Profile
  readonly facts?: Facts | undefined
  /** The time at which the first turn runs; a clock of its own goes on from there. */
  readonly at: Date
  /** How far that clock goes for what is due later. */
  readonly forMs?: number
  /** The most turns of one key. */
  readonly turnsAtMost?: number
}
/** What the turns did, in order; each notice says what it is about. */
export interface SettledTurns {
  readonly results: readonly Result<Step>[]
  readonly notices: readonly Notice[]
  readonly turns: number
}

const FOR_MS = 60_000
const TURNS_AT_MOST = 100

/**
 * Runs controllers on a cluster in memory, one turn after the other, until nothing is due. Rejects with what a controller
 * throws, and if a key does not come to rest.
 */
export async function settle(
  controllers: readonly Controller[],
  cluster: Pick<Cluster, 'cachedFor' | 'readers' | 'writer' | 'watcher'>,
  { settings, profile, facts, at, forMs = FOR_MS, turnsAtMost = TURNS_AT_MOST }: SettleOptions,
): Promise<SettledTurns> {
  const clock = new HandClock(at)
  const turns = new Turned(turnsAtMost)
  const worker = new Worker(controllers, {
    ...{ cluster, clock, settings, profile, facts, leadership: ALWAYS, writesPerSecond: UNBOUNDED },
    metrics: workerMetrics(new Meter('settle_')),
    log: logTo({ write: () => undefined }, 'silent'),
    notifier: () => (notice) => turns.notices.push(notice) > 0,
    onTurn: (...turn) => turns.add(...turn),
    atOnce: { ofEach: 1, ofAll: 1 },
  })
  worker.start()
  try {
    do await untilIdle(worker, turns)
    while (clock.goOn(forMs))
  } finally {
    await worker.stop(0)
  }
  return turns.settled
}
const UNBOUNDED = 1_000_000

async function untilIdle(worker: Worker, { failure }: Pick<Turned, 'failure'>): Promise<void> {
  do {
    await eventsTold()
    if (failure() !== undefined) throw failure()
  } while (!worker.isIdle || !worker.isListed)
}

/** The cluster in memory tells of changes after the writer has gone on. */
function eventsTold(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(resolve)
  return promise
}

class Turned {
  readonly #most: number
  readonly notices: Notice[] = []
  readonly #turns: TurnEnd[] = []
  readonly #counts = new Map<string, number>()
  #failure: unknown

  constructor(most: number) {
    this.#most = most
  }

  failure = (): unknown => this.#failure

  add({ name }: Controller, key: Key, end: TurnEnd): void {
    const id = `${name} ${idOf(key)}`
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    this.#turns.push(end)
    if (end.result === 'thrown') this.#failure ??= end.cause
    if (count > this.#most) this.#failure ??= restless(name, key, count)
  }

  get settled(): SettledTurns {
    return {
      results: this.#turns.flatMap(({ turn }) => turn?.results ?? []),
      notices: this.notices,
      turns: this.#turns.length,
    }
  }
}

function restless(name: string, { namespace, name: of, group = [] }: Key, count: number): Fault {
  const key = [namespace, of, ...group].filter(Boolean).join('/')
  return new Fault('DEADLINE', `controller ${name} does not come to rest on ${key}: ${count} turns`)
}
