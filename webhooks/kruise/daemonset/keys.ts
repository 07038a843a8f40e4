import { canonical } from '../../../src/kube/canonical-json.ts'
import { isDeeper } from '../../../src/kube/depth.ts'

/** Far above a list with its entries: 200 levels of a patch. What nests deeper is not walked in one go. */
export const DEEPEST = 210

/** Equal for what is canonically equal, however deep it is. */
export function keyOf(item: unknown): string {
  if (!isDeeper(item, DEEPEST)) return canonical(item)
  const [pieces, keys]: [unknown[], string[]] = [[item], []]
  for (const piece of pieces) keys.push(canonical(cut(piece, DEEPEST, pieces)))
  return keys.join('\n')
}

/** What nests deeper goes behind the other pieces. It leaves an empty list, and no other object stands at that level. */
function cut(value: unknown, levels: number, pieces: unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) {
    pieces.push(value)
    return []
  }
  if (Array.isArray(value)) return value.map((each) => cut(each, levels - 1, pieces))
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, cut(each, levels - 1, pieces)]))
}
