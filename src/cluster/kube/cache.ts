import { isTree } from '../../schema.ts'
import type { Ref, Stored, Where } from '../port.ts'
import type { Sink } from './reflector.ts'
import { Store } from './store.ts'

export interface Kept {
  readonly byLabels: readonly string[]
  /** Paths such as `spec.content`, which nobody looks up and which would only take memory. */
  readonly without?: readonly string[]
}

/** A text for each of 100,000 objects is megabytes; type and version are the same for all of a resource. */
const NOBODY_ASKS = ['apiVersion', 'kind', 'metadata.managedFields', 'metadata.creationTimestamp']

/** What a reflector last told of one resource. While it lists anew, the old answers stand. */
export class Cache implements Sink {
  readonly #labels: readonly string[]
  readonly #without: readonly (readonly string[])[]
  #store: Store
  #next: Store

  constructor({ byLabels, without = [] }: Kept) {
    this.#labels = byLabels
    this.#without = [...NOBODY_ASKS, ...without].map((path) => path.split('.'))
    this.#store = new Store(byLabels)
    this.#next = this.#store
  }

  get(ref: Ref): Stored | undefined {
    return this.#store.get(ref)
  }

  list(where: Where): readonly Stored[] {
    return this.#store.list(where)
  }

  begin(): void {
    this.#next = new Store(this.#labels)
  }

  add(objects: readonly Stored[]): void {
    for (const object of objects) this.#next.put(this.#lightened(object))
  }

  done(): void {
    this.#store = this.#next
  }

  put(object: Stored): void {
    this.#store.put(this.#lightened(object))
  }

  remove(ref: Ref): void {
    this.#store.remove(ref)
  }

  #lightened(object: Stored): Stored {
    for (const path of this.#without) blank(object, path)
    return object
  }
}

/** Undefined instead of deleted: an object that lost a key takes two and a half times the memory. */
function blank(object: unknown, path: readonly string[]): void {
  const [key, ...rest] = path
  if (key === undefined || !isTree(object) || !Object.hasOwn(object, key)) return
  if (rest.length === 0) object[key] = undefined
  else blank(object[key], rest)
}
