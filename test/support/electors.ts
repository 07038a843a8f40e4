import type { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import { Fault } from '../../src/faults.ts'
import { Election } from '../../src/reconcile/lease.ts'
import { LEASE, type LeaseClient } from '../../src/reconcile/lease-record.ts'
import type { Tree } from '../../src/schema.ts'
import { isTree } from '../../src/schema.ts'
import type { Clock } from '../../src/timing/clock.ts'
import { clusterOf } from './clusters.ts'
import { ManualClock } from './fakes/clock.ts'
import { type Notes, notes } from './notes.ts'

export const OURS = { namespace: 'tars-system', name: 'tars-admission-worker' }

/** How the next calls go: how late they arrive, how late the answer comes, and whether either gets lost. */
export interface Way {
  readonly there: number
  readonly back: number
  readonly loses?: 'call' | 'answer'
}
const QUICK: Way = { there: 0, back: 0 }

/** A process on a machine of its own: its clocks have their own start and wall time, and it can be stopped and go on. */
export class Machine implements Clock {
  readonly #time: ManualClock
  readonly #start: number
  #missed: (() => void)[] = []
  #isPaused = false
  #wall = 0
  /** How each next call of this process goes. */
  way: () => Way = () => QUICK
  readonly calls: string[] = []
  readonly heard: boolean[] = []
  /** How many calls were answered with a Lease. */
  finds = 0

  constructor(time: ManualClock, start: number) {
    this.#time = time
    this.#start = start
  }

  now = () => new Date(Date.UTC(2026, 10, 19) + this.#wall + this.#time.tick())
  tick = () => this.#start + this.#time.tick()
  random = () => 0
  after = (ms: number, act: () => void) => this.#time.after(ms, () => this.#whenRunning(act))

  leap(ms: number): void {
    this.#wall += ms
  }
  pause(): void {
    this.#isPaused = true
  }
  resume(): void {
    this.#isPaused = false
    for (const act of this.#missed.splice(0)) act()
  }

  /** The cluster as this process reaches it. */
  reach(cluster: MemoryCluster): LeaseClient {
    return {
      reader: { get: (of, ref) => this.#call('get', () => cluster.get(of, ref)) },
      writer: {
        create: (of, object) => this.#call('create', () => cluster.create(of, object)),
        replace: (of, object) => this.#call('replace', () => cluster.replace(of, object)),
      },
    }
  }

  async #call<T>(what: string, act: () => Promise<T>): Promise<T> {
    this.calls.push(`${what} ${this.tick()}`)
    const { there, back, loses } = this.way()
    await this.#passed(there)
    const answer = loses === 'call' ? undefined : await act().then(...settled<T>())
    await this.#passed(back)
    await this.#running()
    if (answer === undefined || loses === 'answer') throw new Fault('CLUSTER_UNREACHABLE', 'no answer')
    const found = answer()
    if (found !== undefined) this.finds += 1
    return found
  }

  async #passed(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => void this.#time.after(ms, resolve))
  }
  async #running(): Promise<void> {
    if (this.#isPaused) await new Promise<void>((resolve) => void this.#missed.push(resolve))
  }
  #whenRunning(act: () => void): void {
    if (this.#isPaused) this.#missed.push(act)
    else act()
  }
}

const settled = <T>() =>
  [
    (value: T) => () => value,
    (cause: unknown) => (): T => {
      throw cause
    },
  ] as const

export interface Elector {
  readonly machine: Machine
  readonly election: Election
  readonly log: Notes
}

/** Electors on machines of their own, at one API server. */
export class Electors {
  readonly time = new ManualClock()
  readonly cluster = clusterOf()
  readonly all: Elector[] = []

  start(identity: string, way?: Machine['way']): Elector {
    const machine = new Machine(this.time, 1_000 * (this.all.length + 1))
    if (way !== undefined) machine.way = way
    const log = notes()
    const client = machine.reach(this.cluster)
    const election = new Election({ lease: OURS, identity, client, clock: machine, log })
    election.onChange((leads) => machine.heard.push(leads))
    election.start()
    const elector = { machine, election, log }
    this.all.push(elector)
    return elector
  }

  /** Lets time pass in short steps, so that what a call leads to happens in its own step. */
  async pass(ms: number, afterEach: () => void = () => undefined): Promise<void> {
    for (let left = ms; left > 0; left -= STEP_MS) {
      this.time.advance(Math.min(STEP_MS, left))
      await new Promise(setImmediate)
      afterEach()
    }
  }

  writers(): readonly string[] {
    return this.all.filter(({ election }) => election.mayWrite()).map(({ election }) => election.identity)
  }

  async record(): Promise<Tree> {
    const lease: Tree | undefined = await this.cluster.get(LEASE, OURS)
    return isTree(lease?.spec) ? lease.spec : {}
  }
}
const STEP_MS = 100
