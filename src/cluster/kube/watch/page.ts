import { Fault } from '../../../faults.ts'
import { isTree } from '../../../schema.ts'
import type { Built, Words } from '../../port.ts'
import { isNamed } from '../../stored.ts'
import type { HttpAnswer } from '../wire/connection.ts'
import { textOf, unread } from '../wire/failed-call.ts'

/** The page size of client-go. */
export const PAGE_SIZE = 500
/** A page is read and kept in one go, so one of large objects has fewer of them. */
const PAGE_CHARACTERS = 1_000_000

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

/** How long the pages of a list may be. */
export interface PageLimits {
  readonly objects?: number | undefined
  /** Aimed at: what comes next is as long as what came before. */
  readonly characters?: number
  /** The objects of the first page, of which nothing is known yet. */
  readonly first?: number
}

/**
 * Pages of at most 500 objects, of fewer where they are large, and never again of as many as were too many for one answer.
 * Without a resourceVersion, so consistent: what a majority of etcd holds (SV-7).
 */
export function pager({ objects = PAGE_SIZE, characters = PAGE_CHARACTERS, first = objects }: PageLimits = {}): Pager {
  let most = Math.min(objects, PAGE_SIZE)
  let size = Math.min(first, most)
  return async function page(next, ask) {
    try {
      const answer = await ask({ limit: String(size), ...(next !== '' && { continue: next }) })
      const { length = 1 } = answer
      size = Math.max(1, Math.min(most, 2 * size, Math.floor((size * characters) / length)))
      return answer
    } catch (cause) {
      if (!(cause instanceof Fault && cause.code === 'ANSWER_TOO_LARGE') || size === 1) throw cause
      most = Math.ceil(size / 8)
      size = most
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
