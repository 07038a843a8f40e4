import type { Built, ClusterWriter, Gvr, Ref } from '../cluster/port.ts'
import { isNamed, refOf } from '../cluster/stored.ts'
import { carriesAll } from '../kube/labels.ts'
import { isTerminating } from '../kube/metadata.ts'
import { notingWriter, type WriteCall } from './calls.ts'
import type { Watch } from './controller.ts'
import type { Feed } from './feed.ts'

/** A watch of a controller, and the objects that it tells of. */
export interface Watched {
  readonly watch: Watch
  readonly feed: Feed
}
/** A write of a turn, and how a cache shows it. */
interface Unseen {
  readonly feed: Feed
  readonly ref: Ref
  readonly isShown: (now: Built | undefined) => boolean
}

/** The writes of a turn that the caches of its controller do not show yet. */
export class UnseenWrites {
  readonly #watched: readonly Watched[]
  readonly #writes: Unseen[] = []

  constructor(watched: readonly Watched[]) {
    this.#watched = watched
  }

  noted(writer: ClusterWriter): ClusterWriter {
    return notingWriter(writer, (call, answer) => {
      for (const feed of this.#feedsOf(call.of, answer)) this.#note(feed, call, answer)
    })
  }

  get isShown(): boolean {
    return this.#writes.every(({ feed, ref, isShown }) => isShown(feed.get(ref)))
  }

  /** Calls after each change of an object that was written, until the answer is called. */
  follow(look: () => void): () => void {
    const ends = this.#writes.map(({ feed, ref }) => feed.follow(ref, look))
    return () => {
      for (const end of ends) end()
    }
  }

  /** An object without the labels that a cache is for never comes there. */
  #feedsOf({ group, plural }: Gvr, answer: unknown): ReadonlySet<Feed> {
    const labels = isNamed(answer) ? answer.metadata.labels : undefined
    const shows = this.#watched.filter(({ watch: { resource, keeps } }) => {
      const isOfIt = resource.group === group && resource.plural === plural
      return isOfIt && (!isNamed(answer) || carriesAll(labels, keeps?.carrying ?? []))
    })
    return new Set(shows.map(({ feed }) => feed))
  }

  #note(feed: Feed, { ref }: WriteCall, answer: unknown): void {
    if (!isNamed(answer)) {
      const before = feed.get(ref)?.metadata.resourceVersion
      this.#writes.push({ feed, ref, isShown: (now) => now === undefined || now.metadata.resourceVersion !== before })
      return
    }
    const { resourceVersion = '' } = answer.metadata
    const isOver = isEnded(answer)
    const isShown = (now: Built | undefined) =>
      now === undefined ? isOver : isAtLeast(now.metadata.resourceVersion, resourceVersion)
    this.#writes.push({ feed, ref: refOf(answer), isShown })
  }
}

/** Its last finalizer went with the write, so no cache shows it any more. */
const isEnded = (answer: Built) => isTerminating(answer) && (answer.metadata.finalizers ?? []).length === 0

/** Versions of one resource grow. */
function isAtLeast(version = '', wanted: string): boolean {
  return version.length === wanted.length ? version >= wanted : version.length > wanted.length
}
