import type { Fault } from '../faults.ts'
import type { Log } from '../telemetry/log.ts'
import type { Clock } from '../timing/clock.ts'
import type { Ran } from './host/commands.ts'
import type { State } from './loop/state.ts'
import type { SyncMetrics } from './metrics.ts'
import type { Failed, Outcome, Swap } from './pass/outcome.ts'
import type { BrokenResource, TemplateResource } from './resources/resource.ts'

/** What is said of passes, in the log and in metrics. Never a value: key names and counts at most (SY-FAIL-12). */
export class Report {
  readonly #log: Log
  readonly #metrics: SyncMetrics
  readonly #clock: Pick<Clock, 'now'>
  readonly #noted = new Set<string>()
  #watchDownSince: Date | undefined

  constructor(log: Log, metrics: SyncMetrics, clock: Pick<Clock, 'now'>) {
    this.#log = log
    this.#metrics = metrics
    this.#clock = clock
  }

  shared({ name }: TemplateResource, names: readonly string[]): void {
    const reason = `several values of the store have the name ${names[0]}; the last counts`
    this.#log.warn({ resource: name, count: names.length, reason }, 'values with one name')
  }

  /** It is rendered all the same: the template decides what nothing means (SY-FAIL-6). */
  emptied({ name }: TemplateResource): void {
    this.#metrics.emptied.inc({ resource: name })
    this.#log.warn({ resource: name }, 'the store has no value of the resource any more')
  }

  checked({ name }: TemplateResource, ms: number): void {
    this.#metrics.commandSeconds.observe({ resource: name, command: 'check' }, ms / 1_000)
  }

  differs({ name, dest }: TemplateResource, differences: readonly string[]): void {
    this.#log.info({ resource: name, path: dest, reason: differences.join(', ') }, 'target is out of sync')
  }

  passed({ name, dest }: TemplateResource, outcome: Outcome): void {
    this.#count(name, outcome)
    const about = { resource: name, path: dest }
    switch (outcome.did) {
      case 'unread':
        break // it has been said of the store
      case 'nothing':
        this.#log.debug(about, 'target is in sync')
        break
      case 'would change':
        this.#log.warn(about, 'noop: target would change')
        break
      case 'stopped':
        this.#log.info(about, 'pass is given up, since the process ends')
        break
      case 'swapped':
        this.#log.info(about, 'target is updated')
        this.#sayOnce(dest, about, NOTES[outcome.how])
        break
      case 'failed':
        this.#log.error({ ...about, reason: outcome.why, ...said(outcome) }, 'pass has failed')
    }
  }

  reloaded({ name, dest }: TemplateResource, { ok, why, output }: Ran, ms: number): void {
    this.#metrics.reloads.inc({ resource: name, result: ok ? 'ok' : 'error' })
    this.#metrics.commandSeconds.observe({ resource: name, command: 'reload' }, ms / 1_000)
    const about = { resource: name, path: dest, ms: Math.round(ms) }
    if (ok) this.#log.info(about, 'reload is done')
    else this.#log.error({ ...about, reason: `reload_cmd: it ${why}`, output }, 'reload has failed')
  }

  /** The store could not be read; every pass that waited for it is put off. */
  unread(source: string, err: unknown, attempt = 0): void {
    this.#log.error({ source, err, attempt }, 'store cannot be read')
  }

  read(source: string, revision: string | undefined): void {
    if (revision !== undefined) this.#metrics.sourceRevision.set({ source }, Number(revision))
  }

  failedRead({ name }: TemplateResource): void {
    this.#metrics.renders.inc({ resource: name, result: 'error_read' })
    this.#metrics.up.set({ resource: name }, 0)
  }

  /** After a pass and its reload. */
  state({ resource: { name: resource }, problem, owesReload }: State, now: Date): void {
    this.#metrics.up.set({ resource }, problem === undefined ? 1 : 0)
    if (problem === undefined) this.#metrics.lastSuccess.set({ resource }, now.getTime() / 1_000)
    this.#metrics.reloadPending.set({ resource }, owesReload ? 1 : 0)
  }

  broken({ name, why }: BrokenResource): void {
    this.#metrics.up.set({ resource: name }, 0)
    this.#log.error({ resource: name, reason: why }, 'resource file cannot be used')
  }

  /** Of a resource that is there no more. */
  forget(resource: string): void {
    for (const gauge of [this.#metrics.up, this.#metrics.lastSuccess, this.#metrics.reloadPending]) {
      gauge.remove({ resource })
    }
  }

  /** Undefined while changes of the store are heard of, and where it sends none. */
  get watchDownSince(): Date | undefined {
    return this.#watchDownSince
  }

  watches(source: string): void {
    this.#watchDownSince = undefined
    this.#metrics.watchConnected.set({ source }, 1)
  }

  watchLost(source: string, err: unknown): void {
    this.#watchDownSince ??= this.#clock.now()
    this.#metrics.watchConnected.set({ source }, 0)
    this.#metrics.watchReconnects.inc({ source })
    this.#log.warn({ source, err }, 'changes of the store are not heard of; it is tried again')
  }

  confdirLost(err: unknown): void {
    this.#log.warn({ err }, 'changes of conf.d and templates are not heard of; it is tried again')
  }

  polls(source: string, err: Fault): void {
    this.#watchDownSince = undefined
    this.#metrics.watchConnected.set({ source }, 0)
    this.#log.warn({ source, err }, 'the store sends no word of changes: it is asked again each interval')
  }

  #count(resource: string, outcome: Outcome): void {
    const result = resultOf(outcome)
    if (result !== undefined) this.#metrics.renders.inc({ resource, result })
  }

  /** Once for each target. */
  #sayOnce(dest: string, about: object, note: string | undefined): void {
    if (note === undefined || this.#noted.has(dest)) return
    this.#noted.add(dest)
    this.#log.warn(about, note)
  }
}

const NOTES: Readonly<Record<Swap, string | undefined>> = {
  'at once': undefined,
  'in place': 'target cannot be replaced, as it is a mount: it is written in place, and not at once',
  unsynced: 'target is new, but its folder or file cannot be synced: it may be the old one after a crash',
}

const said = ({ output = '' }: Failed) => (output === '' ? {} : { output })

function resultOf(outcome: Outcome): string | undefined {
  switch (outcome.did) {
    case 'nothing':
      return 'unchanged'
    case 'swapped':
      return 'updated'
    case 'failed':
      return `error_${outcome.at}`
    case 'would change':
    case 'unread':
    case 'stopped':
      return undefined
  }
}
