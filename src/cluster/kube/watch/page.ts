import { Fault } from '../../../faults.ts'
import { isTree } from '../../../schema.ts'
import type { Built, Words } from '../../port.ts'
import { isNamed } from '../../stored.ts'
import type { HttpAnswer } from '../wire/connection.ts'
import { textOf, unread } from '../wire/failed-call.ts'

/** The page size of client-go; a list of any size then does not block the event loop. */
export const PAGE_SIZE = 500

export interface Page<O extends Built = Built> {
  readonly items: readonly O[]
  /** The version of the whole list, the same on each of its pages. */
  readonly version: string
  /** Continues the list; empty on its last page. */
  readonly next: string
}

/** An API server that does not know this form sends whole objects, as the second form asks. */
export const metadataAs = (kind: string) => `application/json;as=${kind};g=meta.k8s.io;v=v1,application/json`
export const OBJECT_OF_METADATA = { accept: metadataAs('PartialObjectMetadata') }
export const LIST_OF_METADATA = { accept: metadataAs('PartialObjectMetadataList') }

/** A list that took too long, or an unknown resource, has no page. */
export type PageOrNone<O extends Built = Built> = Page<O> | 'expired' | 'unknown'

const MOST_LISTS = 3

/** All of them, or as many as suffice; a list whose continue token expires begins again. */
export async function allPages(
  what: string,
  pageAt: (next: string) => Promise<PageOrNone>,
  limit?: number,
): Promise<readonly Built[]> {
  for (let lists = 0; lists < MOST_LISTS; lists += 1) {
    const objects = await onceThrough(pageAt, limit)
    if (objects !== 'expired') return objects
  }
  throw new Fault('CLUSTER_UNREACHABLE', `cannot ${what}: it takes too long`)
}

async function onceThrough(
  pageAt: (next: string) => Promise<PageOrNone>,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly Built[] | 'expired'> {
  const objects: Built[] = []
  for (let next = ''; ; ) {
    const page = await pageAt(next)
    if (page === 'unknown') return []
    if (page === 'expired') return page
    for (const object of page.items) objects.push(object) // a page may be of any length
    next = page.next
    if (next === '' || objects.length >= limit) return objects
  }
}

/** Requests the page that `next` continues with. */
export type Pager = (next: string, ask: (query: Words) => Promise<HttpAnswer>) => Promise<HttpAnswer>

/**
 * Pages of 500 objects, or of as many as suffice, and where those are so large that the answer is not taken, of fewer
 * from then on. Without a resourceVersion, so consistent: what a majority of etcd holds (SV-7).
 */
export function pager(limit = PAGE_SIZE): Pager {
  let size = Math.min(limit, PAGE_SIZE)
  return async function page(next, ask) {
    try {
      return await ask({ limit: String(size), ...(next !== '' && { continue: next }) })
    } catch (cause) {
      if (!(cause instanceof Fault && cause.code === 'ANSWER_TOO_LARGE') || size === 1) throw cause
      size = Math.ceil(size / 8)
      return page(next, ask)
    }
  }
}

/** Throws every other answer of the API server. */
export function pageOrNone(what: string, answer: HttpAnswer, continued = ''): PageOrNone {
  if (answer.status === 404) return 'unknown'
  if (answer.status === 410) return 'expired'
  if (answer.status !== 200) throw unread(what, answer)
  return pageIn(what, answer.body, continued)
}

/** A proxy that answers 200 with a page of its own must not look like a cluster without objects. */
export function pageIn(what: string, body: unknown, continued = ''): Page {
  const { items, metadata } = isTree(body) ? body : {}
  const { resourceVersion, continue: next } = isTree(metadata) ? metadata : {}
  const version = textOf(resourceVersion)
  if (version === '') throw new Fault('CLUSTER_UNREACHABLE', `cannot ${what}: the answer is no list`)
  if (continued !== '' && next === continued)
    throw new Fault('CLUSTER_UNREACHABLE', `cannot ${what}: a page continues with itself`)
  return { items: Array.isArray(items) ? items.filter(isNamed) : [], version, next: textOf(next) }
}
