import { canonical } from '../../../src/kube/canonical-json.ts'
import { isDeeper } from '../../../src/kube/depth.ts'
import { parsedStrictly } from '../../../src/kube/strict-json.ts'
import { isTree, type Tree } from '../../kit/schema.ts'

/** The key of the ConfigMap. */
export const CONFIG_KEY = 'config.json'
const DEEPEST = 32
/** Beyond it the text is written without indentation. */
const MOST_INDENTED = 256 * 1_024
/** What an earlier operator keeps among the sources; it has no use here (CF-AGG-04). */
const LEFT_OUT = ['lastHash', 'syncStatus', 'lastSyncTime', 'warpRouting']

export type ParsedDocument = { readonly document: Tree } | { readonly problem: string }

/** Absent content is an empty configuration. What is none is never overwritten (CF-AGG-03). */
export function documentIn(content: string | undefined): ParsedDocument {
  if (content === undefined) return { document: { sources: {} } }
  const parsed = parsedStrictly(content)
  if ('problem' in parsed) return { problem: `${CONFIG_KEY} is no JSON: ${parsed.problem.slice(0, 300)}` }
  const { value } = parsed
  if (!isTree(value)) return { problem: `${CONFIG_KEY} is no object` }
  if (isDeeper(value, DEEPEST)) return { problem: `${CONFIG_KEY} is nested deeper than ${DEEPEST} levels` }
  if (value.sources != null && !isTree(value.sources)) return { problem: `sources of ${CONFIG_KEY} is no object` }
  return { document: { ...value, sources: value.sources ?? {} } }
}

/** Keys are sorted, so that equal documents are equal texts. */
export function textOf(document: Tree): string {
  const left = Object.entries(document).filter(([key]) => !LEFT_OUT.includes(key))
  const sorted = sortedIn(Object.fromEntries(left))
  const indented = JSON.stringify(sorted, undefined, 2)
  return Buffer.byteLength(indented) > MOST_INDENTED ? JSON.stringify(sorted) : indented
}
const sortedIn = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedIn)
  if (!isTree(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedIn(value[key])]),
  )
}

/** Fields of a source and of a document that are not ours stay (CF-AGG-04). `updatedAt` moves with the content alone. */
export function withSource(document: Tree, key: string, source: Tree, at: Date): Tree {
  const before = sourceOf(document, key)
  const { updatedAt, ...standing } = before ?? {}
  const { settings: _, rules: __, ...kept } = standing
  const next = { ...kept, ...source }
  const isSame = before !== undefined && canonical(next) === canonical(standing)
  if (isSame) return document
  return { ...document, sources: { ...sourcesOf(document), [key]: { ...next, updatedAt: at.toISOString() } } }
}

export function withoutSource(document: Tree, key: string): Tree {
  const { [key]: gone, ...others } = sourcesOf(document)
  return gone === undefined ? document : { ...document, sources: others }
}

export const sourcesOf = ({ sources }: Tree): Tree => (isTree(sources) ? sources : {})
export const sourceKeysOf = (document: Tree) => Object.keys(sourcesOf(document))
function sourceOf(document: Tree, key: string): Tree | undefined {
  const sources = sourcesOf(document)
  const source = Object.hasOwn(sources, key) ? sources[key] : undefined
  return isTree(source) ? source : undefined
}
