import type { Bytes } from './bytes.ts'

/** The variables that are declared where a parser stands. */
export class VariableNames {
  private readonly names: Bytes[] = ['$']
  private readonly counts = new Map<Bytes, number>([['$', 1]])

  get mark(): number {
    return this.names.length
  }

  has(name: Bytes): boolean {
    return (this.counts.get(name) ?? 0) > 0
  }

  add(name: Bytes): void {
    this.names.push(name)
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  forgetSince(mark: number): void {
    for (const name of this.names.splice(mark)) this.counts.set(name, (this.counts.get(name) ?? 1) - 1)
  }
}
