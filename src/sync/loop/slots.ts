/** Lets so many run at a time; the others wait in their order. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(many: number) {
    this.#free = many
  }

  async hold<T>(act: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await act()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}
