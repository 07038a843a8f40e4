import type { PerformContext } from '../../kit/controller.ts'
import {
  Fault,
  type Found,
  type Gvr,
  isStored,
  type KubeObject,
  map,
  object,
  Refused,
  resource,
  type Shape,
  type Tree,
  text,
  type Words,
} from '../../kit/schema.ts'

const configMap = object(
  {},
  {
    data: map(text({ doc: 'A text.' }), { doc: 'Texts by key.' }),
    binaryData: map(text({ doc: 'Bytes in base64.' }), { doc: 'What is no UTF-8, by key.' }),
  },
)
export type SharedConfigMap = KubeObject & Shape<typeof configMap>
export const SHARED_CONFIG_MAP = resource(
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' } satisfies Gvr,
  configMap,
)

/** How a content stands in a ConfigMap that many write. */
export interface ContentFormat<C> {
  /** Of the data. What stands under other keys stays. */
  readonly key: string
  /** Stand on what we made. A ConfigMap without them is not ours (CF-AGG-02). */
  readonly labelsOf: (name: string) => Words
  readonly read: (text: string | undefined) => { readonly content: C } | { readonly problem: string }
  readonly textOf: (content: C) => string
}
export type OwnerReferences = NonNullable<KubeObject['metadata']['ownerReferences']>
/** What a mutation may change. */
export interface SharedState<C> {
  readonly content: C
  readonly owners: OwnerReferences
}
/** Answers the same state where there is nothing to change. It is asked again of each state that was read. */
export type SharedChange<C> = (state: SharedState<C>) => SharedState<C>

/** `rejected`: nothing was written for this change, and what was stored before stays. */
export type ChangeAnswer =
  | { readonly outcome: 'written' | 'unchanged'; readonly attempts: number }
  | { readonly outcome: 'rejected'; readonly attempts: number; readonly reason: Rejection; readonly message: string }
export type Rejection = 'ParseError' | 'ForeignConfigMap' | 'TooLarge'

/** Time is handed in. */
export interface Pacing {
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly tick: () => number
}
export type ChangeContext = Pick<PerformContext, 'live' | 'writer' | 'signal'>

/** Below the 1,048,576 bytes that the values of a ConfigMap may have together (CF-AGG-19). */
export const MOST_BYTES = 1_000_000
const GATHER_MS = 25
const FIRST_MS = 10
const LONGEST_MS = 1_000
export const MOST_ATTEMPTS = 20
const BUDGET_MS = 30_000

interface WaitingChange<C> {
  readonly change: SharedChange<C>
  readonly context: ChangeContext
  readonly resolve: (answer: ChangeAnswer) => void
  readonly reject: (cause: unknown) => void
}
interface ConfigMapPlace {
  readonly namespace: string
  readonly name: string
}
type ChangeVerdict =
  | Omit<Extract<ChangeAnswer, { outcome: 'rejected' }>, 'attempts'>
  | { readonly outcome: 'written' | 'unchanged' }

/**
 * ConfigMaps into which many writers put their part: read, change, replace with the version that was read, and again where
 * another writer came first (CF-AGG-15). Changes that come within a moment, or during a write, go out together; nothing
 * depends on that, so other processes may write too.
 */
export class SharedConfigMaps<C> {
  readonly #format: ContentFormat<C>
  readonly #pacing: Pacing
  readonly #groups = new Map<string, WaitingChange<C>[]>()

  constructor(format: ContentFormat<C>, pacing: Pacing) {
    this.#format = format
    this.#pacing = pacing
  }

  /** Answers after the write that contains the change. Rejects when the attempts are used up. */
  change(place: ConfigMapPlace, change: SharedChange<C>, context: ChangeContext): Promise<ChangeAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<ChangeAnswer>()
    const waiting = { change, context, resolve, reject }
    const id = `${place.namespace}/${place.name}`
    const group = this.#groups.get(id)
    if (group === undefined) void this.#work(place, id, [waiting])
    else group.push(waiting)
    return promise
  }

  async #work(place: ConfigMapPlace, id: string, group: WaitingChange<C>[]): Promise<void> {
    this.#groups.set(id, group)
    await this.#pacing.pause(GATHER_MS, (group[0] ?? NEVER).context.signal)
    for (let [first, ...others] = group.splice(0); first !== undefined; [first, ...others] = group.splice(0))
      await this.#settle(place, [first, ...others])
    this.#groups.delete(id)
  }

  async #settle(place: ConfigMapPlace, group: Group<C>): Promise<void> {
    const { signal } = group[0].context
    const until = this.#pacing.tick() + BUDGET_MS
    for (let attempts = 1; ; attempts += 1) {
      const tried = await this.#tried(place, group)
      if ('verdicts' in tried) return answer(group, tried.verdicts, attempts)
      const isOver = attempts >= MOST_ATTEMPTS || this.#pacing.tick() >= until || signal.aborted
      if (isOver || !isPassing(tried.cause)) return refuse(group, tried.cause)
      await this.#pacing.pause(this.#waitMs(tried.cause, attempts), signal)
    }
  }

  /** Full jitter, so that those who met do not meet again. */
  #waitMs(cause: unknown, attempts: number): number {
    const jitter = this.#pacing.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempts)
    return Math.max(jitter, cause instanceof Fault ? (cause.retryAfterMs ?? 0) : 0)
  }

  async #tried(place: ConfigMapPlace, group: Group<C>): Promise<TriedWrite> {
    try {
      return { verdicts: await this.#written(place, group) }
    } catch (cause) {
      return { cause }
    }
  }

  async #written(place: ConfigMapPlace, group: Group<C>): Promise<readonly ChangeVerdict[]> {
    const found = await group[0].context.live.get(SHARED_CONFIG_MAP, place)
    const problem = found && this.#foreign(found)
    if (problem !== undefined) return group.map(() => problem)
    const { key } = this.#format
    const read = this.#format.read(found?.data?.[key])
    if ('problem' in read) return group.map(() => rejected('ParseError', read.problem))
    const before = { content: read.content, owners: found?.metadata.ownerReferences ?? [] }
    const others = bytesBeside(found, key)
    const sizeOf = (state: SharedState<C>) => others + Buffer.byteLength(this.#format.textOf(state.content))
    const { state, verdicts } = changed(before, group, sizeOf)
    if (state === before || (await this.#fits(place, found, state, group[0].context))) return verdicts
    return verdicts.map((verdict) => (verdict.outcome === 'written' ? rejected('TooLarge', TOO_LARGE) : verdict))
  }

  /** Writes over what was read alone. False where the API server finds it too large. */
  async #fits(
    place: ConfigMapPlace,
    found: Found<SharedConfigMap> | undefined,
    { content, owners }: SharedState<C>,
    { writer }: ChangeContext,
  ): Promise<boolean> {
    const data = { ...found?.data, [this.#format.key]: this.#format.textOf(content) }
    try {
      if (found !== undefined && isStored(found))
        await writer.replace(SHARED_CONFIG_MAP, { ...found, metadata: ownedBy(found, owners), data })
      else await writer.create(SHARED_CONFIG_MAP, this.#made(place, owners, data))
      return true
    } catch (cause) {
      if (isTooLong(cause)) return false
      throw cause
    }
  }

  #made({ namespace, name }: ConfigMapPlace, owners: OwnerReferences, data: Tree) {
    const labels = { ...this.#format.labelsOf(name), 'app.kubernetes.io/managed-by': 'tars-admission' }
    const metadata = { namespace, name, labels, ...(owners.length > 0 && { ownerReferences: owners }) }
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
  }

  #foreign({ metadata: { name, labels } }: KubeObject): ChangeVerdict | undefined {
    const missing = Object.entries(this.#format.labelsOf(name)).find(([label, value]) => labels?.[label] !== value)
    if (missing === undefined) return undefined
    return rejected('ForeignConfigMap', `ConfigMap ${name} has no label ${missing.join('=')}, and is left as it is`)
  }
}

type TriedWrite = { readonly verdicts: readonly ChangeVerdict[] } | { readonly cause: unknown }
type Group<C> = readonly [WaitingChange<C>, ...WaitingChange<C>[]]
const NEVER = { context: { signal: new AbortController().signal } }

const rejected = (reason: Rejection, message: string) => ({ outcome: 'rejected', reason, message }) as const
const TOO_LARGE = `the ConfigMap would have more than ${MOST_BYTES} bytes`

/** Each change in its turn. One that would make the whole too large is left out, and shrinking ones pass (CF-AGG-19). */
function changed<C>(before: SharedState<C>, group: Group<C>, sizeOf: (state: SharedState<C>) => number) {
  const all = group.reduce((state, { change }) => change(state), before)
  const isFitting = all === before || sizeOf(all) <= MOST_BYTES
  let state = before
  const verdicts = group.map(({ change }): ChangeVerdict => {
    const next = change(state)
    if (next === state) return { outcome: 'unchanged' }
    if (!isFitting && sizeOf(next) > MOST_BYTES && sizeOf(next) > sizeOf(state)) return rejected('TooLarge', TOO_LARGE)
    state = next
    return { outcome: 'written' }
  })
  return { state, verdicts }
}

function bytesBeside(found: Found<SharedConfigMap> | undefined, own: string): number {
  const { [own]: _, ...others } = found?.data ?? {}
  const texts = [...Object.values(others), ...Object.values(found?.binaryData ?? {})]
  return texts.reduce((sum, each = '') => sum + Buffer.byteLength(each), 0)
}

const ownedBy = ({ metadata }: KubeObject, owners: OwnerReferences) => {
  const { ownerReferences: _, ...rest } = metadata
  return { ...rest, ...(owners.length > 0 && { ownerReferences: owners }) }
}

/** Another writer came first, it is gone, or the API server does not answer: it is read again. */
function isPassing(cause: unknown): boolean {
  if (cause instanceof Refused) return cause.status.reason === 'AlreadyExists'
  if (!(cause instanceof Fault) || cause.code === 'NOT_LEADING') return false
  return cause.code === 'GONE' || cause.retry
}
const isTooLong = (cause: unknown) =>
  cause instanceof Refused && (cause.status.code === 413 || /too long/i.test(cause.status.message))

function answer<C>(group: Group<C>, verdicts: readonly ChangeVerdict[], attempts: number): void {
  for (const [at, { resolve }] of group.entries()) resolve({ ...(verdicts[at] ?? { outcome: 'unchanged' }), attempts })
}
function refuse<C>(group: Group<C>, cause: unknown): void {
  for (const { reject } of group) reject(cause)
}
