import type { Cell, Key } from './controller.ts'
import { idOf } from './queue.ts'

/** The cells of the keys of one controller. What its plans remember goes with them. */
export class Cells {
  readonly #cells = new Map<string, Cell>()

  of(key: Key): Cell {
    const id = idOf(key)
    const cell = this.#cells.get(id) ?? {}
    this.#cells.set(id, cell)
    return cell
  }

  drop(key: Key): void {
    this.#cells.delete(idOf(key))
  }

  clear(): void {
    this.#cells.clear()
  }
}
