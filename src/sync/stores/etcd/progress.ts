import type { Header } from './messages.ts'
import { nameOf, type Range } from './ranges.ts'

/** How far each range of a store has been watched, from one stream to the next (SY-ETCD-8). */
export class Progress {
  readonly #last = new Map<string, bigint>()
  #cluster = 0n

  /** The revision to go on from; 0 is the present one. */
  startOf(range: Range): bigint {
    const last = this.#last.get(nameOf(range))
    return last === undefined ? 0n : last + 1n
  }

  reached(range: Range, revision: bigint): void {
    this.#last.set(nameOf(range), revision)
  }

  /** The store was emptied or restored, or it is another one (SY-ETCD-11). */
  isOfAnother(range: Range, { cluster, revision }: Header): boolean {
    const isOther = this.#cluster !== 0n && cluster !== this.#cluster
    this.#cluster = cluster
    return isOther || revision < (this.#last.get(nameOf(range)) ?? 0n)
  }

  forget(): void {
    this.#last.clear()
  }

  /** What is watched no longer has no progress. */
  keepOnly(ranges: readonly Range[]): void {
    const names = new Set(ranges.map(nameOf))
    for (const name of this.#last.keys()) if (!names.has(name)) this.#last.delete(name)
  }
}
