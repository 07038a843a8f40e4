import type { Built, Following, Sink } from '../../port.ts'
import { refOf } from '../../stored.ts'
import { safely } from '../watch/reflector.ts'
import type { Cache } from './cache.ts'

/** A cache and the sinks that hear of its objects. The cache comes first, so a sink finds there what it hears. */
export class SharedCache implements Sink {
  readonly #cache: Cache
  readonly #failed: (cause: unknown) => void
  readonly #sinks = new Set<Sink>()
  #isListed = false

  constructor(cache: Cache, failed: (cause: unknown) => void) {
    this.#cache = cache
    this.#failed = failed
  }

  /** Begins with what is there, after the caller has gone on. */
  join(sink: Sink): Following {
    let isStopped = false
    queueMicrotask(() => {
      if (isStopped) return
      this.#sinks.add(sink)
      if (this.#isListed) this.#list(sink)
    })
    return {
      stop: () => {
        isStopped = true
        this.#sinks.delete(sink)
      },
    }
  }

  begin(): void {
    this.#cache.begin()
  }

  add(objects: readonly Built[]): void {
    this.#cache.add(objects)
  }

  /** What the new list lacks is gone. Its last state is handed over before the new list replaces it. */
  done(): void {
    const before = this.#sinks.size === 0 ? [] : this.all()
    this.#cache.done()
    this.#isListed = true
    for (const object of before)
      if (this.#isGone(object)) this.#tell((sink) => sink.remove(this.#cache.unfolded(object)))
    for (const sink of this.#sinks) this.#list(sink)
  }

  /** What is kept no more has gone as far as sinks are concerned. */
  put(object: Built): void {
    if (!this.#cache.keeps(object)) {
      if (this.#cache.kept(refOf(object)) !== undefined) this.remove(object)
      return
    }
    const kept = this.#cache.put(object)
    this.#tell((sink) => sink.put(kept))
  }

  remove(object: Built): void {
    const last = this.#cache.remove(object)
    this.#tell((sink) => sink.remove(last))
  }

  /** As they are kept. */
  all(): readonly Built[] {
    return this.#cache.all()
  }

  /** Another object may have its name by now. */
  #isGone(object: Built): boolean {
    const now = this.#cache.kept(refOf(object))
    return now === undefined || now.metadata.uid !== object.metadata.uid
  }

  #list(sink: Sink): void {
    const objects = this.all()
    for (const say of [() => sink.begin(), () => sink.add(objects), () => sink.done()]) safely(say, this.#failed)
  }

  #tell(say: (sink: Sink) => unknown): void {
    for (const sink of this.#sinks) safely(() => say(sink), this.#failed)
  }
}
