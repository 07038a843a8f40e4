/** What goes wrong with the next calls that match (CF-DBL-08). */
export interface DoubleFault {
  readonly method?: string
  /** A pattern of the path below /client/v4. */
  readonly path?: string
  readonly times?: number
  readonly do:
    | 'answer'
    | 'html'
    | 'no success'
    | 'half'
    | 'reset before'
    | 'reset after'
    | 'wait'
    | 'black hole'
    | 'hold'
  readonly status?: number
  readonly code?: number
  readonly message?: string
  readonly ms?: number
}

export class DoubleFaults {
  #planned: { readonly fault: DoubleFault; left: number }[] = []
  #held: (() => void)[] = []

  plan(fault: DoubleFault): void {
    this.#planned.push({ fault, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#planned = []
    this.release()
  }

  /** The calls that were held go on. */
  release(): void {
    for (const go of this.#held.splice(0)) go()
  }

  hold(): Promise<void> {
    return new Promise((resolve) => this.#held.push(resolve))
  }
  get held(): number {
    return this.#held.length
  }

  next(method: string, path: string): DoubleFault | undefined {
    const found = this.#planned.find(
      ({ fault, left }) => left > 0 && (fault.method ?? method) === method && new RegExp(fault.path ?? '').test(path),
    )
    if (found !== undefined) found.left -= 1
    return found?.fault
  }
}
