import type { Built, Ref, Sink } from '../cluster/port.ts'
import { refOf } from '../cluster/stored.ts'

/** An object that came, changed or went. */
export interface FeedChange {
  readonly before?: Built | undefined
  readonly now?: Built
  /** The last state of an object that is gone; another one of its name may be there now. */
  readonly gone?: Built
}
interface FeedListener {
  readonly changed: (change: FeedChange) => void
  readonly listed: () => void
}
type Objects = Map<string, Map<string, Built>>
type Look = () => void

/** The objects of one cache as they were last told, so that each change is known with the state before it. */
export class Feed implements Sink {
  readonly #listener: FeedListener
  readonly #waiting = new Map<string, Set<Look>>()
  #objects: Objects = new Map()
  #next: Objects = this.#objects
  #isListed = false

  constructor(listener: FeedListener) {
    this.#listener = listener
  }

  get isListed(): boolean {
    return this.#isListed
  }

  get({ namespace, name }: Ref): Built | undefined {
    return this.#objects.get(namespace)?.get(name)
  }

  /** Those of all namespaces if none is given. */
  list(namespace = ''): readonly Built[] {
    const namespaces = namespace === '' ? [...this.#objects.values()] : [this.#objects.get(namespace)]
    return namespaces.flatMap((names) => [...(names?.values() ?? [])])
  }

  /** Calls after each change of the object, until the answer is called. */
  follow(ref: Ref, look: Look): () => void {
    const id = JSON.stringify([ref.namespace, ref.name])
    const looks = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, looks.add(look))
    return () => {
      looks.delete(look)
      if (looks.size === 0) this.#waiting.delete(id)
    }
  }

  begin(): void {
    this.#next = new Map()
  }

  add(objects: readonly Built[]): void {
    for (const object of objects) set(this.#next, object)
  }

  /** What has its old version is no change; what the new list lacks is gone. */
  done(): void {
    const before = this.#objects
    this.#objects = this.#next
    this.#isListed = true
    for (const names of before.values())
      for (const object of names.values()) if (this.get(refOf(object)) === undefined) this.#changed({ gone: object })
    for (const object of this.list()) {
      const { namespace, name } = refOf(object)
      const old = before.get(namespace)?.get(name)
      if (!isSame(old, object)) this.#came(object, old)
    }
    this.#listener.listed()
  }

  put(object: Built): void {
    const before = this.get(refOf(object))
    set(this.#objects, object)
    this.#came(object, before)
  }

  remove(object: Built): void {
    const { namespace, name } = refOf(object)
    const before = this.get({ namespace, name })
    this.#objects.get(namespace)?.delete(name)
    this.#changed({ before, gone: object })
  }

  #came(now: Built, before: Built | undefined): void {
    const isAnother = before !== undefined && before.metadata.uid !== now.metadata.uid
    this.#changed({ before, now, ...(isAnother && { gone: before }) })
  }

  #changed(change: FeedChange): void {
    this.#listener.changed(change)
    const object = change.now ?? change.gone
    if (this.#waiting.size === 0 || object === undefined) return
    const { namespace, name } = refOf(object)
    for (const look of this.#waiting.get(JSON.stringify([namespace, name])) ?? []) look()
  }
}

function set(objects: Objects, object: Built): void {
  const { namespace, name } = refOf(object)
  const names = objects.get(namespace) ?? new Map()
  objects.set(namespace, names.set(name, object))
}

function isSame(old: Built | undefined, { metadata: { uid, resourceVersion } }: Built): boolean {
  return old?.metadata.uid === uid && old?.metadata.resourceVersion === resourceVersion
}
