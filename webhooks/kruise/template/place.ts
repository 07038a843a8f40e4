import { type FieldType, fieldIn, POD_TEMPLATE } from '../../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import type { TemplatePath } from './problem.ts'

export interface PatchPlace {
  /** `.spec.containers[0].env[1]` */
  readonly path: string
  /** How many steps of the way the patch has. */
  readonly depth: number
}

interface Position {
  /** In the patch. */
  readonly here: unknown
  /** In the result of the merge. */
  readonly there: unknown
  readonly type: FieldType | undefined
}

/** The part of a patch that sets what stands at a place of its result, or the nearest part around it. */
export function placeInPatch(at: TemplatePath, result: Tree, patch: Tree): PatchPlace {
  let position: Position = { here: patch, there: result, type: POD_TEMPLATE }
  let path = ''
  for (const [depth, step] of at.entries()) {
    const next = typeof step === 'number' ? elementAt(position, step) : fieldAt(position, step)
    if (next === undefined) return { path, depth }
    position = next.position
    path += next.step
  }
  return { path, depth: at.length }
}

interface Next {
  readonly position: Position
  readonly step: string
}
const PLAIN = /^[A-Za-z$]\w*$/
export const stepOf = (key: string | number) => (typeof key === 'string' && PLAIN.test(key) ? `.${key}` : `[${key}]`)

function fieldAt({ here, there, type }: Position, key: string): Next | undefined {
  if (!isTree(here) || !Object.hasOwn(here, key)) return undefined
  const position = { here: here[key], there: isTree(there) ? there[key] : undefined, type: typeAt(type, key) }
  return { position, step: stepOf(key) }
}

export function typeAt(type: FieldType | undefined, key: string): FieldType | undefined {
  return type?.is === 'map' ? type.values : fieldIn(type, key)?.type
}

/** An element of a merged list stands in the patch under its key, one of another list under its number. */
function elementAt({ here, there, type }: Position, index: number): Next | undefined {
  if (!Array.isArray(here) || !Array.isArray(there) || type?.is !== 'list') return undefined
  const found: unknown = there[index]
  const own = type.merges ? here.findIndex((each) => isSame(each, found, type.key)) : index
  if (own < 0 || own >= here.length) return undefined
  return { position: { here: here[own], there: found, type: type.items }, step: `[${own}]` }
}

export function isSame(one: unknown, other: unknown, key: string | undefined): boolean {
  if (key === undefined) return one === other
  return isTree(one) && isTree(other) && one[key] !== undefined && one[key] === other[key]
}
