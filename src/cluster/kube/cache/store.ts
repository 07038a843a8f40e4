import { carries, carriesAll } from '../../../kube/labels.ts'
import type { FieldIndex } from '../../needs.ts'
import type { Built, Ref, Where, Words } from '../../port.ts'
import { hasValue } from '../../stored.ts'
import { type IndexEntry, objectsIn, sizeOf, withObject, withoutObject } from './index-entry.ts'

/** The objects by value of one label, or by computed value, for each namespace. */
type ValueIndex = Map<string, Map<string, IndexEntry>>

export interface ComputedParts {
  readonly indexes?: readonly FieldIndex[] | undefined
  /** What the values are computed of. */
  readonly whole: (kept: Built) => Built
}
const NOTHING_COMPUTED: ComputedParts = { whole: (kept) => kept }

/** Objects by namespace and name, and by indexed values: the cost of a look-up does not depend on the number of objects. */
export class Store {
  readonly #named = new Map<string, Map<string, Built>>()
  readonly #byLabel: ReadonlyMap<string, ValueIndex>
  readonly #byField: ReadonlyMap<FieldIndex, ValueIndex>
  readonly #whole: ComputedParts['whole']

  constructor(labels: readonly string[], { indexes = [], whole }: ComputedParts = NOTHING_COMPUTED) {
    this.#byLabel = new Map(labels.map((label) => [label, new Map()]))
    this.#byField = new Map(indexes.map((index) => [index, new Map()]))
    this.#whole = whole
  }

  get({ namespace, name }: Ref): Built | undefined {
    return this.#named.get(namespace)?.get(name)
  }

  /** Lists all namespaces if none is given. */
  list({ namespace, labels = {}, carrying = [], by }: Where): readonly Built[] {
    const homes = namespace === '' ? [...this.#named.keys()] : [namespace]
    const found = homes.flatMap((home) =>
      [...this.#candidates(home, labels, by)].filter(
        ({ metadata }) => carries(metadata.labels, labels) && carriesAll(metadata.labels, carrying),
      ),
    )
    return by === undefined ? found : found.filter((object) => hasValue(this.#whole(object), by))
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

  /** Starts from the indexed value with the fewest objects; without one it walks through all. */
  #candidates(home: string, labels: Words, by: Where['by']): Iterable<Built> {
    let fewest: { readonly entry: IndexEntry } | undefined
    for (const [index, value] of this.#indexesFor(labels, by)) {
      const entry = index.get(home)?.get(value)
      if (fewest === undefined || sizeOf(entry) < sizeOf(fewest.entry)) fewest = { entry }
    }
    return fewest === undefined ? (this.#named.get(home)?.values() ?? []) : objectsIn(fewest.entry)
  }

  *#indexesFor(labels: Words, by: Where['by']): Generator<readonly [ValueIndex, string]> {
    const computed = by && this.#byField.get(by.index)
    if (by !== undefined && computed !== undefined) yield [computed, by.value]
    for (const [label, value] of Object.entries(labels)) {
      const index = this.#byLabel.get(label)
      if (index !== undefined) yield [index, value]
    }
  }

  *#places(object: Built): Generator<readonly [ValueIndex, string]> {
    const labels = object.metadata.labels ?? {}
    for (const [label, index] of this.#byLabel) {
      const value = Object.hasOwn(labels, label) ? labels[label] : undefined
      if (value !== undefined) yield [index, value]
    }
    if (this.#byField.size === 0) return
    const whole = this.#whole(object)
    for (const [{ valuesOf }, index] of this.#byField)
      for (const value of new Set(valuesOf(whole))) yield [index, value]
  }
}

function room<V>(house: Map<string, Map<string, V>>, namespace: string): Map<string, V> {
  const found = house.get(namespace) ?? new Map<string, V>()
  house.set(namespace, found)
  return found
}
