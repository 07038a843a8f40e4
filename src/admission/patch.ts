import { isDeepStrictEqual } from 'node:util'
import { isTree, type Tree } from '../schema.ts'

/** One operation of a JSON patch; `add` also replaces, so it serves where presence is not certain (W-6). */
export type Edit =
  | { readonly op: 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

export function pointerTo(...steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

const stepsOf = (path: string) =>
  path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Maps that come into being with their first entry. */
const GATHERED = /^\/metadata\/(labels|annotations)(?=\/)/

/**
 * Edits the parsed object in place, so that the next mutation sees them, and keeps those that changed it:
 * they are the JSON patch. Nothing is cloned or compared as a whole, which would cost more than all the rest.
 */
export class Patch {
  readonly operations: Edit[] = []
  readonly #object: Tree
  /** Values that travel inside an operation already kept: later edits within them travel along. */
  readonly #carried = new Set<unknown>()

  constructor(object: Tree) {
    this.#object = object
  }

  carryOut(edit: Edit): void {
    if (edit.op === 'add' && edit.value === undefined) return
    this.#bringParent(edit)
    const place = this.#find(edit.path)
    if (place === undefined) return
    if (edit.op === 'remove') this.#remove(edit.path, place)
    else this.#put(edit.path, edit.value, place)
  }

  #bringParent({ op, path }: Edit): void {
    const parent = GATHERED.exec(path)?.[0]
    if (op === 'add' && parent !== undefined && this.#find(path) === undefined)
      this.carryOut({ op, path: parent, value: {} })
  }

  #put(path: string, value: unknown, { holder, key, inside }: Place): void {
    if (isDeepStrictEqual(own(holder, key), value)) return
    const ours = structuredClone(value) // a kind may hand in a constant of its own
    write(holder, key, ours)
    if (isTree(ours)) this.#carried.add(ours)
    if (!inside) this.operations.push({ op: 'add', path, value: ours })
  }

  #remove(path: string, { holder, key, inside }: Place): void {
    if (!Object.hasOwn(holder, key)) return
    delete holder[key]
    if (!inside) this.operations.push({ op: 'remove', path })
  }

  /** Nothing where the parent is missing, or is a list: lists are set whole. */
  #find(path: string): Place | undefined {
    const steps = stepsOf(path)
    const key = steps.pop() ?? ''
    let holder: unknown = this.#object
    let inside = false
    for (const step of steps) {
      holder = isTree(holder) ? own(holder, step) : undefined
      inside ||= this.#carried.has(holder)
    }
    return isTree(holder) ? { holder, key, inside } : undefined
  }
}

interface Place {
  readonly holder: Tree
  readonly key: string
  readonly inside: boolean
}

/** Keys such as `__proto__` are data like any other: never read or written through the prototype. */
function own(holder: Tree, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}
function write(holder: Tree, key: string, value: unknown): void {
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
