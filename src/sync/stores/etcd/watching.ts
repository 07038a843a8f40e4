import { Fault } from '../../../faults.ts'
import type { Clock } from '../../../timing/clock.ts'
import { fuse } from '../../../timing/fuse.ts'
import { isOf } from '../../keys.ts'
import type { Stream } from './connection.ts'
import { type WatchAnswer, watchAnswerOf, watchOf } from './messages.ts'
import type { Progress } from './progress.ts'
import type { Range } from './ranges.ts'
import { Refusal, Silence } from './troubles.ts'
import { WireError } from './wire.ts'

export interface WatchedRanges {
  readonly ranges: readonly Range[]
  readonly progress: Progress
  readonly changed: () => void
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Without an answer for so long, a watch is taken for one that will not begin. */
const BEGINS_WITHIN_MS = 5_000

/** Why it has to be opened again; undefined when the signal ended it. */
export type End = string | undefined

/** All ranges on one stream (SY-ETCD-6). */
export async function watchOn(stream: Stream, watched: WatchedRanges): Promise<End> {
  const { promise, resolve, reject } = Promise.withResolvers<End>()
  const beginning = fuse(watched.clock, BEGINS_WITHIN_MS, () => new Silence(), watched.signal)
  const watchers = new Watchers(watched)
  beginning.signal.addEventListener('abort', () => {
    if (watched.signal.aborted) resolve(undefined)
    else reject(beginning.signal.reason)
  })
  stream.on('data', (bytes: Buffer) => {
    try {
      const end = watchers.take(watchAnswerOf(bytes))
      if (end !== undefined) resolve(end)
      if (watchers.haveBegun) beginning.hold()
      else beginning.rewind()
    } catch (error) {
      reject(error)
    }
  })
  stream.on('error', reject)
  stream.on('end', () => reject(new Silence()))
  if (watched.signal.aborted) resolve(undefined)
  else for (const range of watched.ranges) stream.write(watchOf(range, watched.progress.startOf(range)))
  return promise.finally(() => beginning.release())
}

/** The server numbers them, and says so in the order in which they were asked for. */
class Watchers {
  readonly #watched: WatchedRanges
  readonly #asked: Range[]
  readonly #begun = new Map<bigint, Range>()

  constructor(watched: WatchedRanges) {
    this.#watched = watched
    this.#asked = [...watched.ranges]
  }

  get haveBegun(): boolean {
    return this.#asked.length === 0
  }

  take(answer: WatchAnswer): End {
    const { progress, changed } = this.#watched
    const range = answer.created ? this.#asked.shift() : this.#begun.get(answer.id)
    if (range === undefined) throw new WireError('it tells of a watch that was not asked for')
    if (answer.canceled) return this.#canceled(answer)
    if (progress.isOfAnother(range, answer.header)) {
      progress.forget()
      changed()
      return 'the store was emptied, restored or exchanged'
    }
    if (answer.created) this.#created(range, answer)
    else this.#moved(range, answer)
    return undefined
  }

  /** A watch that goes on has not reached the revision of its beginning yet: what happened before it is still to come. */
  #created(range: Range, { id, header }: WatchAnswer): void {
    const { progress, changed } = this.#watched
    this.#begun.set(id, range)
    if (progress.startOf(range) === 0n) progress.reached(range, header.revision)
    if (this.haveBegun) changed()
  }

  /** Without events it tells how far it has come. */
  #moved(range: Range, { events, header, fragment }: WatchAnswer): void {
    const { progress, changed } = this.#watched
    const reached = events.at(-1)?.modRevision ?? header.revision
    if (!fragment) progress.reached(range, reached)
    if (events.some(({ key }) => isOf(range.key, key))) changed()
  }

  /** What lies before a compaction is gone (SY-ETCD-9); with words it is a refusal (SY-ETCD-10). */
  #canceled({ compactRevision, cancelReason }: WatchAnswer): End {
    const { progress, changed, ranges } = this.#watched
    if (compactRevision === 0n) throw new Refusal(cancelReason)
    for (const range of ranges) {
      if (progress.startOf(range) <= compactRevision) progress.reached(range, compactRevision)
    }
    changed()
    return 'the store was compacted meanwhile'
  }
}

export const reopening = (why: string): Fault => new Fault('STORE_UNREACHABLE', `etcd is watched again: ${why}`)
