import { LAST_APPLIED } from '../../../kube/metadata.ts'
import { isTree } from '../../../schema.ts'
import type { Built, Ref, Where } from '../../port.ts'
import type { Sink } from '../watch/reflector.ts'
import { Store } from './store.ts'

export interface Kept {
  readonly byLabels: readonly string[]
  /** Paths such as `spec.content`, which nobody looks up and which would only take memory. */
  readonly without?: readonly string[]
  /** Whatever the API server sends: one that does not know the form sends whole objects. */
  readonly metadataOnly?: boolean
}

/** A text for each of 100,000 objects is megabytes; type and version are the same for all of a resource. */
const NOBODY_ASKS = ['apiVersion', 'kind', 'metadata.managedFields', 'metadata.creationTimestamp']

/** What a reflector last told of one resource. While it lists anew, the old answers stand. */
export class Cache implements Sink {
  readonly #labels: readonly string[]
  readonly #without: readonly (readonly string[])[]
  readonly #metadataOnly: boolean
  readonly #texts = new Map<string, string>()
  #store: Store
  #next: Store

  constructor({ byLabels, without = [], metadataOnly = false }: Kept) {
    this.#labels = byLabels
    this.#metadataOnly = metadataOnly
    this.#without = [...NOBODY_ASKS, ...without].map((path) => path.split('.'))
    this.#store = new Store(byLabels)
    this.#next = this.#store
  }

  get(ref: Ref): Built | undefined {
    return this.#store.get(ref)
  }

  list(where: Where): readonly Built[] {
    return this.#store.list(where)
  }

  begin(): void {
    this.#texts.clear()
    this.#next = new Store(this.#labels)
  }

  add(objects: readonly Built[]): void {
    for (const object of objects) this.#next.put(this.#lightened(object))
  }

  done(): void {
    this.#store = this.#next
  }

  put(object: Built): void {
    this.#store.put(this.#lightened(object))
  }

  remove(ref: Ref): void {
    this.#store.remove(ref)
  }

  #lightened(object: Built): Built {
    for (const path of this.#without) blank(object, path)
    emptyLastApplied(object.metadata)
    this.#share(object.metadata)
    return this.#metadataOnly ? { metadata: object.metadata } : object
  }

  /** Thousands of objects say the same: one text serves them all. */
  #share(metadata: unknown): void {
    if (!isTree(metadata)) return
    if (typeof metadata.namespace === 'string') metadata.namespace = this.#one(metadata.namespace)
    const labels = metadata.labels
    if (!isTree(labels)) return
    for (const label of this.#labels) {
      const value = Object.hasOwn(labels, label) ? labels[label] : undefined
      if (typeof value === 'string') labels[label] = this.#one(value)
    }
  }

  #one(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }
}

/** The whole object once more. A map of texts with anything else in it would not be one any more, and its object be no object. */
function emptyLastApplied(metadata: unknown): void {
  const annotations = isTree(metadata) ? metadata.annotations : undefined
  if (isTree(annotations) && Object.hasOwn(annotations, LAST_APPLIED)) annotations[LAST_APPLIED] = ''
}

/** Undefined instead of deleted: an object that lost a key takes two and a half times the memory. */
function blank(object: unknown, path: readonly string[]): void {
  const [key, ...rest] = path
  if (key === undefined || !isTree(object) || !Object.hasOwn(object, key)) return
  if (rest.length === 0) object[key] = undefined
  else blank(object[key], rest)
}
