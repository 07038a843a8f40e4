import { isDeepStrictEqual } from 'node:util'
import { isTree, type Tree } from '../schema.ts'
import { fieldOf as pathOf } from '../schema-check.ts'

/**
 * One operation of a JSON patch; `add` also replaces, so it serves where presence is not certain (W-6). It may have a
 * reason other than that of its mutation, which stays here.
 */
export type Edit = { readonly path: string; readonly why?: string } & (
  | { readonly op: 'add'; readonly value: unknown }
  | { readonly op: 'remove' }
)

export function pointerTo(...steps: readonly string[]): string {
  return steps.map(escaped).join('')
}

/** Most steps need neither, and to replace nothing costs as much as to replace. */
const escaped = (step: string) =>
  /[~/]/.test(step) ? `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}` : `/${step}`
const unescaped = (step: string) => (step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step)
export const stepsOf = (path: string) => path.slice(1).split('/').map(unescaped)

/** Maps that come into being with their first entry. */
const GATHERED = /^\/metadata\/(labels|annotations)(?=\/)/

/** A pointer as rules write paths: `metadata.labels[tars.io/Parent]`, `spec.containers[0].image`. */
export function fieldOf(path: string, object: unknown): string {
  const [map, name] = GATHERED.exec(path) ?? []
  return map === undefined
    ? pathOf(stepsOf(path), object)
    : `metadata.${name}[${unescaped(path.slice(map.length + 1))}]`
}

export function valueAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce(at, object)
}

/** What a step leads to, of an object or of a list. */
function at(holder: unknown, step: string): unknown {
  if (Array.isArray(holder)) return IS_INDEX.test(step) ? holder[Number(step)] : undefined
  return isTree(holder) ? own(holder, step) : undefined
}
const IS_INDEX = /^(0|[1-9][0-9]*)$/

/** What made an edit. */
export interface Reason {
  readonly id: string
  /** Ends the sentence of what the edit replaces: `…, for there is no release`. */
  readonly why?: string | undefined
}
export interface Overruling {
  readonly edit: Edit
  readonly was: unknown
  readonly by: Reason
}

/**
 * Edits the parsed object in place, so that the next mutation sees them, and keeps those that changed it:
 * they are the JSON patch. Nothing is cloned or compared as a whole, which would cost more than all the rest.
 */
export class Patch {
  readonly operations: Edit[] = []
  /** What stood where something else stands now; most reviews have none, and pay nothing for it. */
  overrulings: Overruling[] | undefined
  readonly #object: Tree
  /** Values that travel inside an operation already kept: later edits within them travel along. */
  readonly #carried = new Set<unknown>()
  #written: { readonly paths: Set<string>; many: number } | undefined

  constructor(object: Tree) {
    this.#object = object
  }

  /** Where the reason is given, what the edit takes the place of is noted with it. */
  carryOut(edit: Edit, by?: Reason): void {
    if (edit.op === 'add' && edit.value === undefined) return
    const place = this.#find(edit.path) ?? this.#beside(edit)
    if (place === undefined) return
    const was = own(place.holder, place.key)
    if (edit.op === 'add' && isSame(was, edit.value)) return
    if (by !== undefined && !isNone(was)) this.#note({ edit, was, by })
    if (edit.op === 'remove') this.#remove(edit.path, place)
    else this.#put(edit.path, copied(edit.value), place)
  }

  /** What an edit before this one wrote is not the author's. */
  #note(overruling: Overruling): void {
    if (this.#hasWritten(overruling.edit.path)) return
    this.overrulings ??= []
    this.overrulings.push(overruling)
  }

  /** By a set that is made when it is first asked for: an author may write 10,000 labels that all go (SV-17). */
  #hasWritten(path: string): boolean {
    this.#written ??= { paths: new Set(), many: 0 }
    for (const operation of this.operations.slice(this.#written.many)) this.#written.paths.add(operation.path)
    this.#written.many = this.operations.length
    return this.#written.paths.has(path)
  }

  /** With its parent brought along. */
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

  /** Nothing where the parent is missing, or is a list: a path may lead through the items of a list, which are set whole. */
  #find(path: string): Slot | undefined {
    const steps = stepsOf(path)
    const key = steps.pop() ?? ''
    let holder: unknown = this.#object
    let inside = false
    for (const step of steps) {
      holder = at(holder, step)
      inside ||= this.#carried.has(holder)
    }
    return isTree(holder) ? { holder, key, inside } : undefined
  }
}

const isLeaf = (value: unknown) => typeof value !== 'object'
/** To fill in what is empty takes nothing away. */
export const isNone = (value: unknown) => value === undefined || value === null || value === ''
/** A kind may hand in a constant of its own. */
const copied = (value: unknown) => (isLeaf(value) ? value : structuredClone(value))
/** Whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown) => (isLeaf(other) ? one === other : isDeepStrictEqual(one, other))

interface Slot {
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
