import { carries, carriesAll } from '../../../kube/labels.ts'
import type { Built, Ref, Where, Words } from '../../port.ts'
import { type IndexEntry, objectsIn, sizeOf, withObject, withoutObject } from './index-entry.ts'

/** The objects by value of one label, for each namespace. */
type LabelIndex = Map<string, Map<string, IndexEntry>>

/** Objects by namespace and name, and by indexed labels: the cost of a look-up does not depend on the number of objects. */
export class Store {
  readonly #named = new Map<string, Map<string, Built>>()
  readonly #indexes: ReadonlyMap<string, LabelIndex>

  constructor(labels: readonly string[]) {
    this.#indexes = new Map(labels.map((label) => [label, new Map()]))
  }

  get({ namespace, name }: Ref): Built | undefined {
    return this.#named.get(namespace)?.get(name)
  }

  /** Lists all namespaces if none is given. */
  list({ namespace, labels = {}, carrying = [] }: Where): readonly Built[] {
    const homes = namespace === '' ? [...this.#named.keys()] : [namespace]
    return homes.flatMap((home) =>
      [...this.#candidates(home, labels)].filter(
        ({ metadata }) => carries(metadata.labels, labels) && carriesAll(metadata.labels, carrying),
      ),
    )
  }

  put(object: Built): void {
    const { namespace = '', name } = object.metadata
    this.remove({ namespace, name })
    room(this.#named, namespace).set(name, object)
    for (const [index, value] of this.#places(object)) {
      const values = room(index, namespace)
      values.set(value, withObject(values.get(value), object))
    }
  }

  remove({ namespace, name }: Ref): void {
    const object = this.get({ namespace, name })
    if (object === undefined) return
    room(this.#named, namespace).delete(name)
    for (const [index, value] of this.#places(object)) {
      const values = room(index, namespace)
      const others = withoutObject(values.get(value), object)
      if (others === undefined) values.delete(value)
      else values.set(value, others)
    }
  }

  /** Starts from the indexed label with the fewest objects; without an indexed label it walks through all. */
  #candidates(home: string, labels: Words): Iterable<Built> {
    let fewest: { readonly entry: IndexEntry } | undefined
    for (const [label, value] of Object.entries(labels)) {
      const index = this.#indexes.get(label)
      if (index === undefined) continue
      const entry = index.get(home)?.get(value)
      if (fewest === undefined || sizeOf(entry) < sizeOf(fewest.entry)) fewest = { entry }
    }
    return fewest === undefined ? (this.#named.get(home)?.values() ?? []) : objectsIn(fewest.entry)
  }

  *#places({ metadata }: Built): Generator<readonly [LabelIndex, string]> {
    const labels = metadata.labels ?? {}
    for (const [label, index] of this.#indexes) {
      const value = Object.hasOwn(labels, label) ? labels[label] : undefined
      if (value !== undefined) yield [index, value]
    }
  }
}

function room<V>(house: Map<string, Map<string, V>>, namespace: string): Map<string, V> {
  const found = house.get(namespace) ?? new Map<string, V>()
  house.set(namespace, found)
  return found
}
