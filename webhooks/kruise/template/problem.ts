import { isTree, type Tree } from '../../kit/schema.ts'
import { CONTAINERS, treeIn, valueIn } from '../list/touched.ts'

export type TemplatePath = readonly (string | number)[]

/** What is wrong with a template, and where in it. */
export interface TemplateProblem {
  readonly at: TemplatePath
  readonly text: string
}
/** Of all, unless a merge has left some as they were. */
export type TemplateCheck = (template: Tree, isTouched: IsTouched) => readonly TemplateProblem[]
/** Whether a part of a template is another one than before. */
export type IsTouched = (part: unknown) => boolean

/** An object of a list, and where it stands. */
export interface PlacedTree {
  readonly at: TemplatePath
  readonly value: Tree
}

/** The objects of a list; what is none is the API server's business. */
export function placedIn(
  { at, value }: PlacedTree,
  key: string,
  isTouched: IsTouched = () => true,
): readonly PlacedTree[] {
  const list = valueIn(value, key)
  const items: readonly unknown[] = Array.isArray(list) && isTouched(list) ? list : []
  return items.flatMap((each, i) => (isTree(each) && isTouched(each) ? [{ at: [...at, key, i], value: each }] : []))
}

export const specIn = (template: Tree): PlacedTree => ({ at: ['spec'], value: treeIn(template, 'spec') })
export function containersOf(template: Tree): readonly PlacedTree[] {
  return CONTAINERS.flatMap((key) => placedIn(specIn(template), key))
}

/** What a merge shares with the template has no problem that the template does not have. */
export function touchedContainers(template: Tree, isTouched: IsTouched): readonly PlacedTree[] {
  return CONTAINERS.flatMap((key) => placedIn(specIn(template), key, isTouched))
}

/** One problem has one key. Elements of lists are known by their names, since a patch may move them. */
export function keyIn(template: Tree) {
  return ({ at, text }: TemplateProblem): string => {
    let there: unknown = template
    const names = at.map((step) => {
      there = Array.isArray(there) ? there[Number(step)] : treeOrNothing(there, step)
      return isTree(there) && typeof step === 'number' ? (there.name ?? there.mountPath ?? step) : step
    })
    return JSON.stringify([names, text])
  }
}
const treeOrNothing = (holder: unknown, key: string | number) => (isTree(holder) ? holder[key] : undefined)

/** Those whose key an earlier one has. */
export function repeated<T>(all: readonly T[], keyOf: (each: T) => unknown): readonly T[] {
  const known = new Set<unknown>()
  return all.filter((each) => {
    const key = keyOf(each)
    const isKnown = known.has(key)
    known.add(key)
    return isKnown && key !== undefined
  })
}
