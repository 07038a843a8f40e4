import { posix } from 'node:path'
import { isAlias, isMap, isNode, isScalar, isSeq, parseAllDocuments, Scalar } from 'yaml'
import { plainText } from './scalars.ts'

/** A file that is no YAML, or is too much of it. Its message says where, and shows nothing of it. */
export class NotYaml extends Error {
  override readonly name = 'NotYaml'
}

const MOST_NODES = 200_000
const DEEPEST = 200

/** The values of the first document: a level of the path for each key and each place in a list (SY-FILE-2). */
export function flattened(text: string): ReadonlyMap<string, string> {
  const documents = parseAllDocuments(text, { schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
  const [document] = Array.isArray(documents) ? documents : []
  if (document === undefined) return new Map()
  const [error] = document.errors
  if (error !== undefined) throw new NotYaml(`line ${error.linePos?.[0].line ?? 1}: it is no YAML (${error.code})`)
  const root = document.contents
  if (root === null || (isScalar(root) && textOf(root) === undefined)) return new Map()
  if (!isMap(root)) throw new NotYaml('it has no keys: the first document is no mapping')
  const walk = new Walk()
  walk.go(root, '/', 0)
  return walk.values
}

/** Goes through a document in its order, so that the anchor of an alias has been met before it. */
class Walk {
  readonly values = new Map<string, string>()
  readonly #anchors = new Map<string, unknown>()
  #visited = 0

  go(given: unknown, path: string, depth: number): void {
    if (depth > DEEPEST) throw new NotYaml(`it is nested deeper than ${DEEPEST} levels`)
    if (++this.#visited > MOST_NODES) throw new NotYaml(`it has more than ${MOST_NODES} values, aliases included`)
    const node = this.#resolved(given)
    if (isMap(node))
      for (const { key, value } of node.items) this.#below(keyOf(this.#resolved(key)), value, path, depth)
    else if (isSeq(node))
      for (const [i, item] of node.items.entries()) this.go(item, posix.join(path, String(i)), depth + 1)
    else if (isScalar(node)) this.#keep(path, textOf(node))
  }

  #below(key: string, value: unknown, path: string, depth: number): void {
    if (key === '<<') for (const each of listOf(this.#resolved(value))) this.go(each, path, depth + 1)
    else this.go(value, posix.join(path, key), depth + 1)
  }

  #keep(path: string, value: string | undefined): void {
    if (value !== undefined) this.values.set(path, value)
  }

  #resolved(node: unknown): unknown {
    if (isAlias(node)) return this.#anchors.get(node.source)
    if (isNode(node) && 'anchor' in node && typeof node.anchor === 'string') this.#anchors.set(node.anchor, node)
    return node
  }
}

/** A merge names a mapping, or a list of them. */
const listOf = (merged: unknown): readonly unknown[] => (isSeq(merged) ? merged.items : [merged])

/** Quoted ones, blocks and those with a tag stay as they are. */
function textOf(node: Scalar): string | undefined {
  const written = typeof node.value === 'string' ? node.value : (node.source ?? '')
  return node.type === Scalar.PLAIN && node.tag === undefined ? plainText(written) : written
}

/** A key is the text that it is written with. */
function keyOf(node: unknown): string {
  if (isScalar(node)) return String(node.source ?? node.value ?? '')
  throw new NotYaml('a key is a mapping or a list')
}
