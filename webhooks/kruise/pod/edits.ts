import { drop, type Edit, isSame, pointerTo, set } from '../../kit/admission.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { valueIn } from '../list/touched.ts'

/**
 * What makes one tree of another, so that no value is written that was there (PATCH-POD-16). A null counts as no
 * value. Each value is copied when its edit is carried out.
 */
export function editsBetween(before: Tree, after: Tree, at = ''): readonly Edit[] {
  if (before === after) return []
  const gone = Object.keys(before).filter((key) => valueIn(before, key) != null && valueIn(after, key) === undefined)
  return [
    ...gone.map((key) => drop(at + pointerTo(key))),
    ...Object.keys(after).flatMap((key) => editsOf(valueIn(before, key), after[key], at + pointerTo(key))),
  ]
}

function editsOf(before: unknown, after: unknown, path: string): readonly Edit[] {
  if (before === after || after === undefined) return []
  if (isTree(before) && isTree(after)) return editsBetween(before, after, path)
  if (Array.isArray(before) && Array.isArray(after)) return editsInList(before, after, path)
  return [set(path, after)]
}

/** What both lists begin and end with stays; of the rest, objects are compared one by one while there are as many. */
function editsInList(before: readonly unknown[], after: readonly unknown[], path: string): readonly Edit[] {
  const first = before.findIndex((each, i) => i >= after.length || !isSame(each, after[i]))
  const head = first < 0 ? before.length : first
  if (head === before.length && head === after.length) return []
  const most = Math.min(before.length, after.length) - head
  let tail = 0
  while (tail < most && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const [old, now] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const place = (i: number) => `${path}/${head + i}`
  if (old.length === now.length && [...old, ...now].every(isTree))
    return old.flatMap((each, i) => editsOf(each, now[i], place(i)))
  return [...old.map((_, i) => drop(place(old.length - 1 - i))), ...now.map((each, i) => set(place(i), each))]
}
