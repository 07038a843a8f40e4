import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Fault } from '../../faults.ts'
import type { HashResult, Job } from './thread.ts'

export interface PoolOptions {
  readonly threads?: number
  /** The most waiting passwords, beside those in work. */
  readonly waiting?: number
  /** Called with the number of passwords that wait or are in work. */
  readonly depthChanged?: (depth: number) => void
  /** The module that a thread runs. */
  readonly entry?: URL
}

/** Leaves one core to the reviews, where there are several. */
const THREADS = Math.max(1, Math.min(2, availableParallelism() - 1))
const WAITING = 32
/** The module is next to this one in the sources and in the bundle. */
const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './passwords.js', import.meta.url)
/** bcrypt needs little memory, so a thread leaves the rest to the reviews. */
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

interface Task {
  readonly job: Job
  readonly resolve: (result: HashResult) => void
  readonly reject: (fault: Fault) => void
}

/**
 * bcrypt takes a tenth of a second of one core, during which the event loop would answer no review. So it runs on threads,
 * which start with the first password. The queue is short, since each review waits only until its deadline (SV-12).
 */
export class PasswordPool {
  readonly #options: Required<PoolOptions>
  readonly #waiting: Task[] = []
  readonly #idle = new Set<Worker>()
  readonly #busy = new Map<Worker, Task>()
  #isStopped = false

  constructor(options: PoolOptions = {}) {
    this.#options = { threads: THREADS, waiting: WAITING, depthChanged: () => {}, entry: ENTRY, ...options }
  }

  async hash(text: string, cost: number, gone?: AbortSignal): Promise<string> {
    return String(await this.#done({ act: 'hash', text, cost }, gone))
  }

  async verify(text: string, hash: string, gone?: AbortSignal): Promise<boolean> {
    return (await this.#done({ act: 'verify', text, hash }, gone)) === true
  }

  /** Rejects the tasks that still wait. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const workers = [...this.#idle, ...this.#busy.keys()]
    for (const { reject } of [...this.#waiting.splice(0), ...this.#busy.values()]) reject(lost())
    this.#idle.clear()
    this.#busy.clear()
    this.#tellDepth()
    await Promise.all(workers.map((worker) => worker.terminate()))
  }

  #done(job: Job, gone: AbortSignal | undefined): Promise<HashResult> {
    const { promise, resolve, reject } = Promise.withResolvers<HashResult>()
    const task = { job, resolve, reject }
    if (this.#isStopped) reject(lost())
    else if (this.#isFull) reject(new Fault('OVERLOADED', 'too many passwords wait to be hashed'))
    else {
      gone?.addEventListener('abort', () => this.#callOff(task), { once: true })
      this.#waiting.push(task)
      this.#goOn()
    }
    return promise
  }

  get #isFull(): boolean {
    return this.#waiting.length >= this.#options.waiting && this.#busy.size >= this.#options.threads
  }

  #goOn(): void {
    for (let task = this.#waiting[0]; task !== undefined; task = this.#waiting[0]) {
      const worker = this.#free()
      if (worker === undefined) break
      this.#waiting.shift()
      this.#idle.delete(worker)
      this.#busy.set(worker, task)
      worker.ref()
      worker.postMessage(task.job)
    }
    this.#tellDepth()
  }

  #free(): Worker | undefined {
    const [worker] = this.#idle
    if (worker !== undefined) return worker
    return this.#busy.size < this.#options.threads ? this.#start() : undefined
  }

  /** An idle thread does not keep the process alive. */
  #start(): Worker {
    const worker = new Worker(this.#options.entry, { execArgv: [], resourceLimits: MEMORY, name: 'passwords' })
    worker.on('message', (result: HashResult) => this.#take(worker, result))
    worker.on('error', (cause) => this.#lose(worker, cause))
    worker.on('exit', () => this.#lose(worker))
    return worker
  }

  #take(worker: Worker, result: HashResult): void {
    const task = this.#busy.get(worker)
    if (task === undefined) return // the pool was stopped meanwhile
    this.#busy.delete(worker)
    this.#idle.add(worker)
    worker.unref()
    task.resolve(result)
    this.#goOn()
  }

  /** A new thread replaces it when there is work; the review of its task may be retried. */
  #lose(worker: Worker, cause?: unknown): void {
    this.#idle.delete(worker)
    const task = this.#busy.get(worker)
    this.#busy.delete(worker)
    task?.reject(lost(cause))
    this.#goOn()
  }

  /** A task that a thread works on already runs to its end. */
  #callOff(task: Task): void {
    const at = this.#waiting.indexOf(task)
    if (at < 0) return
    this.#waiting.splice(at, 1)
    task.reject(new Fault('DEADLINE', 'nobody waits for the password any more'))
    this.#tellDepth()
  }

  #tellDepth(): void {
    this.#options.depthChanged(this.#waiting.length + this.#busy.size)
  }
}

function lost(cause?: unknown): Fault {
  return new Fault('THREAD_LOST', 'the thread that hashes passwords has ended', { cause })
}
