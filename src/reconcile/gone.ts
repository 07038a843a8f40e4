import type { Built, Gvr } from '../cluster/port.ts'
import type { Key } from './controller.ts'
import { idOf } from './queue.ts'

export interface GoneObject {
  readonly of: Gvr
  readonly object: Built
  readonly at: number
}

/** More than a turn looks at: the oldest are forgotten first. */
const MOST = 1_000
const STALE_MS = 60_000

/** Deleted objects that wait for the next turn of a key, in their last state. */
export class GoneObjects {
  readonly #byKey = new Map<string, readonly GoneObject[]>()
  #size = 0

  add(key: Key, gone: GoneObject): void {
    const id = idOf(key)
    this.#put(id, [...(this.#byKey.get(id) ?? []), gone].slice(-MOST))
    for (const oldest of this.#byKey.keys()) {
      if (this.#size <= MOST || oldest === id) break
      this.#put(oldest, [])
    }
  }

  of(key: Key): readonly GoneObject[] {
    return this.#byKey.get(idOf(key)) ?? []
  }

  /** A turn has seen these. */
  settle(key: Key, seen: readonly GoneObject[]): void {
    this.#put(
      idOf(key),
      this.of(key).filter((each) => !seen.includes(each)),
    )
  }

  /** What another process has most likely seen to, while this one did not lead. */
  dropStale(now: number): void {
    for (const [id, objects] of [...this.#byKey])
      this.#put(
        id,
        objects.filter(({ at }) => now - at <= STALE_MS),
      )
  }

  #put(id: string, objects: readonly GoneObject[]): void {
    this.#size += objects.length - (this.#byKey.get(id)?.length ?? 0)
    if (objects.length === 0) this.#byKey.delete(id)
    else this.#byKey.set(id, objects)
  }
}
