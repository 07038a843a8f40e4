import type { Profile, Raw } from '../admission/change.ts'
import { sentence, type Verdict } from '../admission/verdict.ts'
import type { Cluster, ClusterReader, KubeObject } from '../cluster/port.ts'
import { type Facts, NOTHING_KNOWN } from '../fact.ts'
import { Fault } from '../faults.ts'
import { definedKinds, type Kind } from '../kind.ts'
import { isTerminating } from '../kube/metadata.ts'
import type { Settings } from '../setting.ts'
import type { Log } from '../telemetry/log.ts'
import type { Clock } from '../timing/clock.ts'
import { pause } from '../timing/pause.ts'
import { pacedReader, rememberingReader } from './audit-reader.ts'
import type { Notify } from './events.ts'
import type { Leadership } from './leadership.ts'

export interface AuditorParts {
  readonly kinds: readonly Kind[]
  readonly cluster: Pick<Cluster, 'pages' | 'readers'>
  /** An empty name stands for all of them. */
  readonly namespaces: readonly string[]
  readonly leadership: Pick<Leadership, 'onChange'>
  readonly notify: Notify
  /** By how many the violations of a rule became more, or fewer. */
  readonly count: (rule: string, by: number) => void
  readonly settings: Settings
  readonly profile: Profile
  readonly facts?: Facts | undefined
  readonly clock: Clock
  readonly log: Log
}

const MOST_CHARACTERS = 1_024
const EACH_PASS_MS = 600_000
/** After an object, and after a page of 20, or of two of 100 KB: 10,000 of these take five minutes, and the API server hardly notices. */
const EACH_OBJECT_MS = 5
const EACH_PAGE_MS = 50
const PAGE = 20
const LIVE_PER_SECOND = 20
/** The id of what does not fit the outline of its kind. */
const MISFIT = 'CV-8'

/** The rules that an object breaks, and why. */
interface Breach {
  readonly rules: readonly string[]
  readonly message: string
  readonly isTold: boolean
}
interface Looks {
  readonly remembered: ClusterReader
  readonly fresh: () => ClusterReader
}
type Breaches = ReadonlyMap<string, Breach>

/**
 * Looks slowly through what is stored, for what admission could not prevent (WR-8): requests that crossed each other, and
 * objects written while the webhook was away. It reports once, and mends nothing.
 */
export class Auditor {
  readonly #parts: AuditorParts
  readonly #found = new Map<Kind, Breaches>()
  #counted: ReadonlyMap<string, number> = new Map()
  #running = new AbortController()

  constructor(parts: AuditorParts) {
    this.#parts = parts
  }

  /** One process audits, that which leads. */
  start(): void {
    this.#parts.leadership.onChange((leads) => {
      this.stop()
      if (leads) void this.#run()
    })
  }

  stop(): void {
    this.#running.abort()
    this.#found.clear()
    this.#tell()
  }

  async #run(): Promise<void> {
    this.#running = new AbortController()
    const { signal } = this.#running
    while (!signal.aborted) {
      for (const kind of definedKinds(this.#parts.kinds)) await this.#auditKind(kind, signal)
      await pause(this.#parts.clock, EACH_PASS_MS, signal)
    }
  }

  async #auditKind(kind: Kind, signal: AbortSignal): Promise<void> {
    const { kinds, cluster, clock, log } = this.#parts
    const live = pacedReader(cluster.readers.live, LIVE_PER_SECOND, clock, signal)
    const remembering = () =>
      rememberingReader(
        live,
        kinds.flatMap(({ reads }) => reads),
      )
    const looks = { remembered: remembering(), fresh: remembering }
    const before = this.#found.get(kind) ?? new Map<string, Breach>()
    const breaches = new Map<string, Breach>()
    try {
      for await (const object of this.#objectsOf(kind, signal)) {
        const { uid = '' } = object.metadata
        const breach = await this.#breachOf(kind, object, looks, before.get(uid))
        if (signal.aborted) return
        if (breach !== undefined) breaches.set(uid, this.#reported(kind, object, breach, before.get(uid)))
      }
    } catch (cause) {
      const reason = cause instanceof Fault ? { code: cause.code, reason: cause.message } : { err: cause }
      log.warn({ kind: kind.resource.kind, ...reason }, 'the auditor could not look through all objects')
      for (const [uid, breach] of before) if (!breaches.has(uid)) breaches.set(uid, breach)
    }
    if (signal.aborted) return
    this.#found.set(kind, breaches)
    this.#tell()
  }

  async *#objectsOf({ resource }: Kind, signal: AbortSignal): AsyncGenerator<KubeObject> {
    const { cluster, namespaces, clock } = this.#parts
    for (const namespace of namespaces)
      for await (const page of cluster.pages(resource, { namespace, limit: PAGE })) {
        for (const object of page) {
          if (signal.aborted) return
          if (!isTerminating(object)) yield object
          await pause(clock, EACH_OBJECT_MS, signal)
        }
        await pause(clock, EACH_PAGE_MS, signal)
      }
  }

  /** What it remembers may allow; a breach counts after live reads alone (SV-7). Without an answer the last one stays. */
  async #breachOf(kind: Kind, object: KubeObject, { remembered, fresh }: Looks, before: Breach | undefined) {
    const first = await this.#ask(kind, object, remembered)
    const found = isClean(first) ? first : await this.#ask(kind, object, fresh())
    if (found.unanswered !== undefined) return before
    return isClean(found) ? undefined : breachIn(found)
  }

  #ask(kind: Kind, object: KubeObject, reader: ClusterReader): Promise<Verdict> {
    const { settings, profile, facts = NOTHING_KNOWN, clock } = this.#parts
    const { namespace = '', uid = '' } = object.metadata
    const user = { name: '', among: [] }
    const asked = { uid, user, namespace, dryRun: true, at: clock.now(), profile, settings, facts }
    const raw: Raw = { ...asked, operation: 'CREATE', object, oldObject: undefined }
    return kind.audit(raw, { cached: reader, live: reader })
  }

  /** A breach for which there was no room is told by the next pass. */
  #reported({ resource }: Kind, { metadata }: KubeObject, breach: Breach, before: Breach | undefined): Breach {
    const { message } = breach
    if (before?.isTold && before.message === message) return before
    const { namespace = '', name, uid = '' } = metadata
    const about = { of: resource, ref: { namespace, name }, uid }
    return { ...breach, isTold: this.#parts.notify({ type: 'Warning', reason: 'RuleViolated', message, about }) }
  }

  #tell(): void {
    const breaches = [...this.#found.values()].flatMap((each) => [...each.values()])
    const now = new Map<string, number>()
    for (const rule of breaches.flatMap(({ rules }) => rules)) now.set(rule, (now.get(rule) ?? 0) + 1)
    for (const rule of new Set([...now.keys(), ...this.#counted.keys()])) {
      const by = (now.get(rule) ?? 0) - (this.#counted.get(rule) ?? 0)
      if (by !== 0) this.#parts.count(rule, by)
    }
    this.#counted = now
  }
}

const isClean = ({ violations, warnings }: Verdict) => violations.length === 0 && warnings.length === 0

/** Each rule once, however many places of the object break it. Only what does not fit has warnings. */
function breachIn({ violations, warnings }: Verdict): Breach {
  const rules = [...violations.map(({ rule }) => rule.id), ...warnings.map(() => MISFIT)]
  const texts = [...violations.map((each) => sentence(each)), ...warnings]
  return { rules: [...new Set(rules)], message: texts.join('; ').slice(0, MOST_CHARACTERS), isTold: false }
}
