import type { Bytes } from './bytes.ts'
import { Failure } from './failure.ts'
import type { Evaluated } from './values.ts'

interface Variable {
  readonly name: Bytes
  value: Evaluated
  /** The entry of the same name that this one hides. */
  readonly hides: number | undefined
}

/** The variables of one template call. A lookup does not depend on how many there are. */
export class Variables {
  private readonly entries: Variable[] = []
  private readonly latest = new Map<Bytes, number>()

  constructor(dot: Evaluated) {
    this.push('$', dot)
  }

  get mark(): number {
    return this.entries.length
  }

  push(name: Bytes, value: Evaluated): void {
    this.entries.push({ name, value, hides: this.latest.get(name) })
    this.latest.set(name, this.entries.length - 1)
  }

  popTo(mark: number): void {
    for (const { name, hides } of this.entries.splice(mark).reverse()) {
      if (hides === undefined) this.latest.delete(name)
      else this.latest.set(name, hides)
    }
  }

  get(name: Bytes): Evaluated {
    return this.entry(name).value
  }

  set(name: Bytes, value: Evaluated): void {
    this.entry(name).value = value
  }

  /** Of the one that was pushed last, or before it. */
  setFromTop(distance: 1 | 2, value: Evaluated): void {
    const entry = this.entries.at(-distance)
    if (entry !== undefined) entry.value = value
  }

  private entry(name: Bytes): Variable {
    const entry = this.entries[this.latest.get(name) ?? -1]
    if (entry === undefined) throw new Failure(`undefined variable: ${name}`)
    return entry
  }
}
