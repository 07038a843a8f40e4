/** A map of bounded size: what was used the longest time ago goes first. For keys that others make up. */
export class RecentMap<V> {
  readonly #most: number
  readonly #entries = new Map<string, V>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.#renew(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.#renew(key, value)
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size > this.#most) this.#entries.delete(oldest)
  }

  /** Unless it was replaced meanwhile. */
  drop(key: string, value: V): void {
    if (this.#entries.get(key) === value) this.#entries.delete(key)
  }

  values(): Iterable<V> {
    return this.#entries.values()
  }

  #renew(key: string, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
  }
}
