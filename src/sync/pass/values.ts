import { collapsed, isOf, type Key } from '../keys.ts'
import { shownPath } from '../resources/paths.ts'
import type { TemplateResource } from '../resources/resource.ts'
import type { KeyPlace, Snapshot, Store } from '../store.ts'

type Pair = readonly [path: string, value: string]

/** The values of one read in the order of their bytes, so that each resource finds its own without a look at all. */
export class SnapshotValues {
  readonly #pairs: readonly Pair[]
  readonly #whole: ReadonlyMap<string, string>
  readonly #placeOf: (key: Key) => KeyPlace

  readonly revision: string | undefined

  constructor({ values, revision }: Snapshot, { placeOf = itself }: Pick<Store, 'placeOf'>) {
    this.revision = revision
    this.#whole = values
    this.#pairs = [...values].sort(byPath)
    this.#placeOf = placeOf
  }

  get size(): number {
    return this.#whole.size
  }

  /** In byte order, each once. */
  under(keys: readonly Key[]): readonly Pair[] {
    const places = keys.map(this.#placeOf)
    const pairs = collapsed(places.map(({ key }) => key)).flatMap((key) => this.#of(key))
    const aliased = places.flatMap((place) => this.#aliased(place))
    return aliased.length === 0 ? pairs : [...new Map([...pairs, ...aliased])].sort(byPath)
  }

  #aliased({ key: { path, childrenOnly }, alias }: KeyPlace): readonly Pair[] {
    const value = childrenOnly || alias === path ? undefined : this.#whole.get(path)
    return value === undefined ? [] : [[alias, value]]
  }

  #of(key: Key): readonly Pair[] {
    const { path, childrenOnly } = key
    const own = childrenOnly || path === '/' ? undefined : this.#whole.get(path)
    const pairs: Pair[] = own === undefined ? [] : [[path, own]]
    for (let i = this.#firstFrom(path === '/' ? path : `${path}/`); i < this.#pairs.length; i++) {
      const pair = this.#pairs[i]
      if (pair === undefined || !isOf({ path, childrenOnly: true }, pair[0])) break
      pairs.push(pair)
    }
    return pairs
  }

  #firstFrom(start: string): number {
    let [low, high] = [0, this.#pairs.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#pairs[middle]?.[0] ?? '') < start) low = middle + 1
      else high = middle
    }
    return low
  }
}

const itself = (key: Key): KeyPlace => ({ key, alias: key.path })
const byPath = ([one]: Pair, [other]: Pair) => (one < other ? -1 : 1)

export interface Seen {
  readonly values: ReadonlyMap<string, string>
  /** Names that two values of the store share; the last in byte order counts (SY-RES-9). */
  readonly shared: readonly string[]
}

/** As a template sees them: without the prefix. */
export function seenBy({ prefix }: TemplateResource, pairs: readonly Pair[]): Seen {
  const values = new Map<string, string>()
  const shared: string[] = []
  for (const [path, value] of pairs) {
    const name = shownPath(prefix, path)
    if (values.has(name)) shared.push(name)
    values.set(name, value)
  }
  return { values, shared }
}

export function areSame(one: readonly Pair[], other: readonly Pair[]): boolean {
  return (
    one.length === other.length && one.every(([path, value], i) => path === other[i]?.[0] && value === other[i]?.[1])
  )
}
export type Pairs = readonly Pair[]
