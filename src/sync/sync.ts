import { posix } from 'node:path'
import type { Log } from '../telemetry/log.ts'
import { Daemon } from './daemon.ts'
import type { Host } from './host/host.ts'
import type { Working } from './loop/batch.ts'
import { followingFolders } from './loop/following.ts'
import { Reloads } from './loop/reloads.ts'
import { Slots } from './loop/slots.ts'
import { statesOf, tidy } from './loop/states.ts'
import { onetime } from './onetime.ts'
import { OPTIONS, type Options } from './options/options.ts'
import { ParsedTemplates } from './pass/render.ts'
import { type Readiness, readinessOf, UNREAD } from './readiness.ts'
import type { Report } from './report.ts'
import { type ConfDir, confDir, isBelow } from './resources/folder.ts'
import { isBroken, type Loaded } from './resources/resource.ts'
import type { Store } from './store.ts'

export interface SyncParts {
  readonly options: Options
  readonly host: Host
  readonly store: Store
  readonly log: Log
  readonly report: Report
}

const AT_A_TIME = 8
const PATIENCE = 3

/** Runs `sync`: once, or until it is stopped. */
export class Sync {
  readonly #parts: SyncParts
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  readonly #working: Working
  readonly #isOnetime: boolean
  #daemon: Daemon | undefined
  /** Resources that had passed when conf.d was read last. */
  readonly #passed = new Set<string>()
  /** What conf.d holds is known. */
  #hasRead = false
  #started: Promise<unknown> = Promise.resolve()
  #followed: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts) {
    this.#parts = parts
    this.#isOnetime = parts.options.of(OPTIONS.onetime)
    this.#working = workingOf(parts, this.#stopping.signal, this.#ending.signal)
  }

  /** Resolves with the exit code; a daemon that has started resolves with `undefined` and goes on. */
  start(): Promise<0 | 1 | undefined> {
    const started = this.#start()
    this.#started = started
    return started
  }

  async #start(): Promise<0 | 1 | undefined> {
    const { options, host, log } = this.#parts
    if (!this.#isOnetime) await this.#listen()
    const found = await confDir(options, host.files)
    if (found.is !== 'there') return this.#without(found)
    const loaded = this.#heard(found)
    if (loaded.length === 0) log.warn({ path: options.of(OPTIONS.confdir) }, 'conf.d has no resource')
    const resources = loaded.flatMap((each) => (isBroken(each) ? [] : [each]))
    await tidy(resources, host)
    if (this.#isOnetime) return this.#once(loaded)
    await this.#began(loaded)
    return undefined
  }

  /** From before the first read on, a change of conf.d or of a template is answered as SIGHUP is (SY-RES-5). */
  async #listen(): Promise<void> {
    const { host, options, report } = this.#parts
    const confD = posix.join(options.of(OPTIONS.confdir), 'conf.d')
    if ((await host.files.look(confD).catch(() => undefined)) === undefined) return
    const { promise: listens, resolve: goOn } = Promise.withResolvers<void>()
    let isRead = false
    const changed = () => {
      goOn()
      if (isRead) void this.#started.then(() => this.reread())
    }
    const follow: Host['follow'] = (...asked) => host.follow(...asked).finally(goOn)
    const folders = [confD, posix.join(confD, '../templates')]
    const { signal } = this.#stopping
    this.#followed = followingFolders({ folders, changed, host: { ...host, follow }, report, signal })
    await Promise.race([listens, this.#followed]) // it ends without a word when the process ends
    isRead = true
  }

  async #began(loaded: readonly Loaded[]): Promise<Daemon> {
    const daemon = this.#daemonOf()
    this.#daemon = daemon
    await daemon.start(loaded)
    this.#hasRead = true
    return daemon
  }

  /** As for SIGHUP (SY-EXIT-10). */
  async reread(): Promise<void> {
    await this.#daemon?.reread()
  }

  /** What has not been swapped is not; a reload that runs may end in its time (SY-EXIT-9). */
  async stop(): Promise<void> {
    const { options, host } = this.#parts
    this.#stopping.abort()
    const callOff = host.clock.after(options.of(OPTIONS.shutdownTimeout), () => this.#ending.abort())
    await this.#started
    await Promise.all([this.#daemon?.stop(), this.#followed])
    callOff()
  }

  get progress(): Readiness {
    if (!this.#hasRead) return UNREAD
    const { states = [], broken = [] } = this.#daemon ?? {}
    const { watchDownSince } = this.#parts.report
    const isWatched = states.some(({ resource }) => resource.keys.length > 0)
    const hadPassed = (name: string) => [...this.#passed].some((each) => each === name || isBelow(each, name))
    return { ...readinessOf({ states, broken, hadPassed }), watchDownSince: isWatched ? watchDownSince : undefined }
  }

  /** Without its folder there is nothing to do, which hides a mount that is missing (SY-EXIT-5, SY-EXIT-6). */
  async #without(found: Exclude<ConfDir, { is: 'there' }>): Promise<0 | 1 | undefined> {
    const { log, options } = this.#parts
    const { path } = found
    const polls = !this.#isOnetime && !options.of(OPTIONS.watch)
    if (found.is === 'no confdir' && polls) {
      log.warn({ path }, 'the confdir is missing')
      await this.#began([])
      return undefined
    }
    log.error({ path, ...reasonOf(found) }, WITHOUT[found.is])
    return 1
  }

  #heard({ resources, warnings }: Extract<ConfDir, { is: 'there' }>): readonly Loaded[] {
    for (const { name, says } of warnings) this.#parts.log.warn({ resource: name, reason: says }, 'resource file')
    return resources
  }

  async #once(loaded: readonly Loaded[]): Promise<0 | 1> {
    const { host, options, store, report } = this.#parts
    const broken = loaded.filter(isBroken)
    for (const each of broken) report.broken(each)
    const resources = loaded.flatMap((each) => (isBroken(each) ? [] : [each]))
    if (resources.length === 0) return broken.length > 0 ? 1 : 0
    const states = await statesOf(resources, [], host.files)
    const patienceMs = options.of(OPTIONS.backendTimeout) * PATIENCE
    const failed = await onetime({ states, store, working: this.#working, patienceMs })
    if (this.#stopping.signal.aborted) return 0
    return failed + broken.length > 0 ? 1 : 0
  }

  /** Reads conf.d again; `undefined` where it cannot. */
  async #load(): Promise<readonly Loaded[] | undefined> {
    const { options, host, log } = this.#parts
    const states = this.#daemon?.states ?? []
    for (const { resource, hasPassed } of states) if (hasPassed) this.#passed.add(resource.name)
    const known = states.map(({ resource }) => resource)
    const found = await confDir(options, host.files, known)
    if (found.is === 'there') return this.#heard(found)
    log.error({ path: found.path, ...reasonOf(found) }, `${WITHOUT[found.is]}: what was there goes on`)
    return undefined
  }

  #daemonOf(): Daemon {
    const { options, store } = this.#parts
    const load = () => this.#load()
    const intervalMs = options.of(OPTIONS.interval) * 1_000
    return new Daemon({ store, working: this.#working, intervalMs, watches: options.of(OPTIONS.watch), load })
  }
}

const WITHOUT = {
  'no confdir': 'the confdir is missing',
  'no conf.d': 'the confdir has no conf.d',
  unreadable: 'conf.d cannot be read',
}
const reasonOf = (found: ConfDir) => (found.is === 'unreadable' ? { reason: found.why } : {})

function workingOf({ options, host, report }: SyncParts, stopping: AbortSignal, ending: AbortSignal): Working {
  const isInTurn = options.of(OPTIONS.onetime) || !options.of(OPTIONS.watch)
  const atATime = isInTurn ? 1 : AT_A_TIME
  return {
    host,
    how: {
      isNoop: options.of(OPTIONS.noop),
      isSyncOnly: options.of(OPTIONS.syncOnly),
      keepsStage: options.of(OPTIONS.keepStageFile),
    },
    templates: new ParsedTemplates(host.files),
    report,
    slots: new Slots(atATime),
    reloads: new Reloads(new Slots(AT_A_TIME)),
    isInTurn,
    stopping,
    ending,
  }
}
