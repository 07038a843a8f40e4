import { isDeepStrictEqual } from 'node:util'
import { isTree, type Tree } from '../schema.ts'
import { fieldOf as pathOf } from '../schema-check.ts'

/**
 * One operation of a JSON patch; `add` also replaces, so it works whether or not the field is present (W-6), and inserts
 * an item into a list. It may carry a reason other than that of its mutation, which is not sent.
 */
export type Edit = { readonly path: string; readonly why?: string } & (
  | { readonly op: 'add'; readonly value: unknown }
  | { readonly op: 'remove' }
)

export function pointerTo(...steps: readonly string[]): string {
  return steps.map(escaped).join('')
}

/** Most steps need no escape, and a needless replace costs as much as a real one. */
const escaped = (step: string) =>
  /[~/]/.test(step) ? `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${step}`
const unescaped = (step: string) => (step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step)
export const stepsOf = (path: string) => path.slice(1).split('/').map(unescaped)

/** Maps that are created with their first entry. */
const GATHERED = /^\/metadata\/(labels|annotations)(?=\/)/

/** Converts a pointer to a path of findings: `metadata.labels[tars.io/Parent]`, `spec.containers[0].image`. */
export function fieldOf(path: string, object: unknown): string {
  const [map, name] = GATHERED.exec(path) ?? []
  return map === undefined
    ? pathOf(stepsOf(path), object)
    : `metadata.${name}[${unescaped(path.slice(map.length + 1))}]`
}

export function valueAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce(at, object)
}

/** The place that a step leads to, in an object or a list. */
function at(holder: unknown, step: string): unknown {
  if (Array.isArray(holder)) return IS_INDEX.test(step) ? holder[Number(step)] : undefined
  return isTree(holder) ? own(holder, step) : undefined
}
const IS_INDEX = /^(0|[1-9][0-9]*)$/

/** The origin of an edit. */
export interface Reason {
  readonly id: string
  /** Ends the sentence of the warning: `…, for there is no release`. */
  readonly why?: string | undefined
}
export interface Overruling {
  readonly edit: Edit
  readonly was: unknown
  readonly by: Reason
}

/**
 * Applies edits to the parsed object, so that the next mutation sees them, and collects the effective ones as the JSON
 * patch. Nothing is cloned or compared as a whole, which would cost more than all the rest.
 */
export class Patch {
  readonly operations: Edit[] = []
  /** The values that edits replaced; most reviews have none, and pay nothing for it. */
  overrulings: Overruling[] | undefined
  readonly #object: Tree
  /** Values inside an operation that is already collected: later edits within them are part of it. */
  readonly #carried = new Set<unknown>()
  #written: { readonly paths: Set<string>; many: number } | undefined

  constructor(object: Tree) {
    this.#object = object
  }

  /** With a reason, the replaced value is recorded. */
  carryOut(edit: Edit, by?: Reason): void {
    if (edit.op === 'add' && edit.value === undefined) return
    const place = this.#find(edit.path) ?? this.#beside(edit)
    if (place === undefined) {
      this.#splice(edit)
      return
    }
    const was = own(place.holder, place.key)
    if (edit.op === 'add' && isSame(was, edit.value)) return
    if (by !== undefined && !isNone(was)) this.#note({ edit, was, by })
    if (edit.op === 'remove') this.#remove(edit.path, place)
    else this.#put(edit.path, copied(edit.value), place)
  }

  /** A value that an earlier edit wrote is not the author's. */
  #note(overruling: Overruling): void {
    if (this.#hasWritten(overruling.edit.path)) return
    this.overrulings ??= []
    this.overrulings.push(overruling)
  }

  /** Uses a lazy set, since an author may write 10,000 labels that are all removed (SV-17). */
  #hasWritten(path: string): boolean {
    this.#written ??= { paths: new Set(), many: 0 }
    for (const operation of this.operations.slice(this.#written.many)) this.#written.paths.add(operation.path)
    this.#written.many = this.operations.length
    return this.#written.paths.has(path)
  }

  /** Creates the parent map with it. */
  #beside({ op, path }: Edit): Slot | undefined {
    const parent = op === 'add' ? GATHERED.exec(path)?.[0] : undefined
    const place = parent && this.#find(parent)
    if (!place) return undefined
    this.#put(parent, {}, place)
    return this.#find(path)
  }

  #put(path: string, value: unknown, { holder, key, inside }: Slot): void {
    write(holder, key, value)
    if (!isLeaf(value)) this.#carried.add(value)
    if (!inside) this.operations.push({ op: 'add', path, value })
  }

  #remove(path: string, { holder, key, inside }: Slot): void {
    if (!Object.hasOwn(holder, key)) return
    delete holder[key]
    if (!inside) this.operations.push({ op: 'remove', path })
  }

  /** Inserts an item into a list before the one at its index, or removes one. */
  #splice(edit: Edit): void {
    const { holder, key, inside } = this.#lookUp(edit.path)
    if (!Array.isArray(holder) || !IS_INDEX.test(key)) return
    const [index, { path }] = [Number(key), edit]
    if (index > holder.length - (edit.op === 'add' ? 0 : 1)) return
    if (edit.op === 'remove') {
      holder.splice(index, 1)
      if (!inside) this.operations.push({ op: 'remove', path })
      return
    }
    const value = copied(edit.value)
    holder.splice(index, 0, value)
    if (!isLeaf(value)) this.#carried.add(value)
    if (!inside) this.operations.push({ op: 'add', path, value })
  }

  /** Undefined if the parent is missing or a list. */
  #find(path: string): Slot | undefined {
    const { holder, ...rest } = this.#lookUp(path)
    return isTree(holder) ? { holder, ...rest } : undefined
  }

  #lookUp(path: string): Omit<Slot, 'holder'> & { readonly holder: unknown } {
    const steps = stepsOf(path)
    const key = steps.pop() ?? ''
    let holder: unknown = this.#object
    let inside = false
    for (const step of steps) {
      holder = at(holder, step)
      inside ||= this.#carried.has(holder)
    }
    return { holder, key, inside }
  }
}

const isLeaf = (value: unknown) => typeof value !== 'object'
/** Filling in an empty value removes nothing. */
export const isNone = (value: unknown) => value === undefined || value === null || value === ''
/** Copies the value, which may be a constant of the kind. Of JSON; a structured clone takes several times as long. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  return isTree(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each)])) : value
}
/** Compares independently of the order of keys. */
export const isSame = (one: unknown, other: unknown) => (isLeaf(other) ? one === other : isDeepStrictEqual(one, other))

interface Slot {
  readonly holder: Tree
  readonly key: string
  readonly inside: boolean
}

/** Keys such as `__proto__` are data: nothing is read or written through the prototype. */
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
