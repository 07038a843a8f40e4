import { isDeepStrictEqual } from 'node:util'
import { isTree, type Tree } from '../schema.ts'

/** One operation of a JSON patch; `add` also replaces, so it serves where presence is not certain (W-6). */
export type Edit =
  | { readonly op: 'add'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

export function pointerTo(...steps: readonly string[]): string {
  return steps.map(escaped).join('')
}

/** Most steps need neither, and to replace nothing costs as much as to replace. */
const escaped = (step: string) =>
  /[~/]/.test(step) ? `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${step}`
const unescaped = (step: string) => (step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step)
const stepsOf = (path: string) => path.slice(1).split('/').map(unescaped)

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
    const place = this.#find(edit.path) ?? this.#beside(edit)
    if (place === undefined) return
    if (edit.op === 'remove') this.#remove(edit.path, place)
    else if (!isSame(own(place.holder, place.key), edit.value)) this.#put(edit.path, copied(edit.value), place)
  }

  /** With its parent brought along. */
  #beside({ op, path }: Edit): Place | undefined {
    const parent = op === 'add' ? GATHERED.exec(path)?.[0] : undefined
    const place = parent && this.#find(parent)
    if (!place) return undefined
    this.#put(parent, {}, place)
    return this.#find(path)
  }

  #put(path: string, value: unknown, { holder, key, inside }: Place): void {
    write(holder, key, value)
    if (isTree(value)) this.#carried.add(value)
    if (!inside) this.operations.push({ op: 'add', path, value })
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

const isLeaf = (value: unknown) => typeof value !== 'object'
/** A kind may hand in a constant of its own. */
const copied = (value: unknown) => (isLeaf(value) ? value : structuredClone(value))
/** Whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown) => (isLeaf(other) ? one === other : isDeepStrictEqual(one, other))

interface Place {
  readonly holder: Tree
  readonly key: string
  readonly inside: boolean
}

/** Keys such as `__proto__` are data like any other: never read or written through the prototype. */
export function own(holder: Tree, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}
function write(holder: Tree, key: string, value: unknown): void {
  if (key !== '__proto__') {
    holder[key] = value
    return
  }
  Object.defineProperty(holder, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  })
}
