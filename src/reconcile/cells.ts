import type { Cell, Key } from './controller.ts'
import { idOf } from './queue.ts'

/** The cells of the keys of one controller. What its plans remember goes with them. */
export class Cells {
  readonly #cells = new Map<string, { readonly uid: string | undefined; readonly cell: Cell }>()

  /** Another object under the same name begins with an empty one. The first one under it may be made by a turn. */
  of(key: Key, uid: string | undefined): Cell {
    const id = idOf(key)
    const known = this.#cells.get(id)
    const isSame = known !== undefined && (known.uid === undefined || known.uid === uid)
    const cell = isSame ? known.cell : {}
    this.#cells.set(id, { uid, cell })
    return cell
  }

  drop(key: Key): void {
    this.#cells.delete(idOf(key))
  }

  clear(): void {
    this.#cells.clear()
  }
}
