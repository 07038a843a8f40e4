import { Fault } from '../../faults.ts'
import { isTree } from '../../schema.ts'
import type { Stored } from '../port.ts'
import { isStored } from '../stored.ts'
import { textOf } from './failed-call.ts'

/** As client-go asks for; a list of any size then comes without a gap in the event loop. */
export const PAGE_SIZE = 500

export interface Page {
  readonly items: readonly Stored[]
  /** Of the whole list, the same on each of its pages. */
  readonly version: string
  /** Continues the list; empty on its last page. */
  readonly next: string
}

/** Without a resourceVersion, so consistent: what a majority of etcd holds (SV-7). */
export function pageQuery(next: string): Readonly<Record<string, string>> {
  return { limit: String(PAGE_SIZE), ...(next !== '' && { continue: next }) }
}

/** A proxy that answers 200 with a page of its own must not look like a cluster without objects. */
export function pageIn(what: string, body: unknown): Page {
  const { items, metadata } = isTree(body) ? body : {}
  const { resourceVersion, continue: next } = isTree(metadata) ? metadata : {}
  const version = textOf(resourceVersion)
  if (version === '') throw new Fault('CLUSTER_UNREACHABLE', `cannot ${what}: the answer is no list`)
  return { items: Array.isArray(items) ? items.filter(isStored) : [], version, next: textOf(next) }
}
