import { isTree, type Tree } from '../../kit/schema.ts'
import { CONTAINERS, treeIn, valueIn } from '../list/touched.ts'

export type TemplatePath = readonly (string | number)[]

/** What is wrong with a template, and where in it. */
export interface TemplateProblem {
  readonly at: TemplatePath
  readonly text: string
}
export type TemplateCheck = (template: Tree) => readonly TemplateProblem[]

/** An object of a list, and where it stands. */
export interface PlacedTree {
  readonly at: TemplatePath
  readonly value: Tree
}

/** The objects of a list; what is none is the API server's business. */
export function placedIn({ at, value }: PlacedTree, key: string): readonly PlacedTree[] {
  const list = valueIn(value, key)
  const items: readonly unknown[] = Array.isArray(list) ? list : []
  return items.flatMap((each, i) => (isTree(each) ? [{ at: [...at, key, i], value: each }] : []))
}

export const specIn = (template: Tree): PlacedTree => ({ at: ['spec'], value: treeIn(template, 'spec') })
export function containersOf(template: Tree): readonly PlacedTree[] {
  return CONTAINERS.flatMap((key) => placedIn(specIn(template), key))
}

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
