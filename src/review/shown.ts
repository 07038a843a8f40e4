import type { Built } from '../cluster/port.ts'
import { isTree, type Tree } from '../schema.ts'

/** What only this run gave to objects. An author compares the plans of two runs, so none of it is printed. */
export interface RunMarks {
  /** The uids of the embedded cluster, each with what is printed in its place. */
  readonly uids: ReadonlyMap<string, string>
  readonly from: Date
  readonly to: Date
}

const METADATA = ['namespace', 'name', 'labels', 'annotations', 'ownerReferences']
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/
const NO_TIME = '1970-01-01T00:00:00Z'

/** The object as a file would have it. */
export function shownIn({ uids, from, to }: RunMarks): (object: Built) => Tree {
  const [first, last] = [Math.floor(from.getTime() / 1_000) * 1_000, to.getTime()]
  function isOfRun(text: string): boolean {
    const time = text.length <= NO_TIME.length + 10 && TIME.test(text) ? Date.parse(text) : 0
    return time >= first && time <= last
  }
  function bare(value: unknown): unknown {
    if (typeof value === 'string') return uids.get(value) ?? (isOfRun(value) ? NO_TIME : value)
    if (Array.isArray(value)) return value.map(bare)
    return isTree(value) ? Object.fromEntries(Object.entries(value).map(([key, its]) => [key, bare(its)])) : value
  }
  return ({ metadata, status: _, ...rest }) => {
    const kept = Object.entries(metadata).filter(([key]) => METADATA.includes(key))
    const { apiVersion, kind, ...body } = rest
    return { apiVersion, kind, metadata: bare(Object.fromEntries(kept)), ...treeOf(bare(body)) }
  }
}
const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
