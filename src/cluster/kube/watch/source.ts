import { Fault } from '../../../faults.ts'
import { isOlder } from '../../../kube/versions.ts'
import { isTree } from '../../../schema.ts'
import { collectionPath, objectPath, qualified } from '../../paths.ts'
import type { Built, Gvr, Ref, Stored, Where, Words } from '../../port.ts'
import { isStored } from '../../stored.ts'
import type { Connection, HttpAnswer, Stream } from '../wire/connection.ts'
import { textOf, unableTo, unread } from '../wire/failed-call.ts'
import {
  LIST_OF_METADATA,
  OBJECT_OF_METADATA,
  type PageLimits,
  type PageOrNone,
  pageIn,
  pageOrNone,
  pager,
} from './page.ts'

export type WatchEvent<O extends Built = Built> =
  | { readonly type: 'WRITTEN'; readonly object: O; readonly version: string }
  | { readonly type: 'DELETED'; readonly object: Built; readonly version: string }
  | { readonly type: 'BOOKMARK'; readonly version: string }
  /** The version is too old to continue from. */
  | { readonly type: 'EXPIRED' }

/** Where a reflector has its objects from. Whatever else goes wrong is thrown. */
export interface Source<O extends Built = Built> {
  /** `next` is empty for the first page. */
  page(next: string, signal: AbortSignal): Promise<PageOrNone<O>>
  /**
   * Whether the store is as far as that version. To be asked after a failure: of one that was emptied, or put back from
   * a backup, a watch from a version yet to come says nothing for good, neither event nor bookmark (measured). Whether
   * it is the same store as before it does not tell.
   */
  reaches(version: string, signal: AbortSignal): Promise<boolean>
  /** What happened after that version; after an empty one, what is there now as well. Ends when the API server does. */
  watch(version: string, seconds: number, signal: AbortSignal): AsyncIterable<WatchEvent<O>>
}

/** Allows for a page of large objects through a slow link. */
const PAGE_MS = 60_000
const LOOK_MS = 5_000

interface CollectionOptions {
  /** Restricts the source to one namespace. */
  readonly namespace?: string
  readonly metadataOnly?: boolean
  /** Restricts the source to objects with all of these labels. */
  readonly carrying?: readonly string[]
  readonly pages?: PageLimits
}

/** All objects of a resource. */
export function collectionSource(connection: Connection, of: Gvr, wanted: CollectionOptions = {}): Source {
  const { namespace = '', metadataOnly = false, carrying = [], pages: limits } = wanted
  const what = `list ${qualified(of)}${namespace && ` in ${namespace}`}`
  const form = metadataOnly ? LIST_OF_METADATA : {}
  const selection = carrying.length === 0 ? {} : { labelSelector: carrying.join(',') }
  function ask(query: Words, signal: AbortSignal, timeoutMs: number): Promise<HttpAnswer> {
    const path = collectionPath(of, namespace, { ...selection, ...query })
    return connection.request('GET', path, { ...form, signal, timeoutMs, apart: true }).catch(unableTo(what))
  }
  const pages = pager(limits)
  return {
    async page(next, signal) {
      const answer = await pages(next, (query) => ask(query, signal, PAGE_MS))
      return pageOrNone(what, answer, next)
    },
    async reaches(version, signal) {
      const answer = await ask({ limit: '1' }, signal, LOOK_MS)
      if (answer.status === 404) return false // the list then says so
      if (answer.status !== 200) throw unread(what, answer)
      return !isOlder(pageIn(what, answer.body).version, version)
    },
    watch(version, seconds, signal) {
      const path = collectionPath(of, namespace, { ...selection, ...watchQuery(version, seconds) })
      return eventsOf(of, () => connection.stream(path, { ...(metadataOnly && OBJECT_OF_METADATA), signal }))
    },
  }
}

/** Looked through by the way, so hardly felt in memory. */
const BY_THE_WAY = { characters: 250_000, first: 1 }

/** All objects of a resource, one page of at most so many after the other. */
export async function* objectPages(
  connection: Connection,
  of: Gvr,
  { namespace, limit }: Required<Pick<Where, 'namespace' | 'limit'>>,
) {
  const source = collectionSource(connection, of, { namespace, pages: { ...BY_THE_WAY, objects: limit } })
  const { signal } = new AbortController()
  for (let next = ''; ; ) {
    const page = await source.page(next, signal)
    if (page === 'unknown') return
    if (page === 'expired') throw new Fault('CLUSTER_UNREACHABLE', `cannot list ${qualified(of)}: it takes too long`)
    yield page.items
    next = page.next
    if (next === '') return
  }
}

/**
 * One object by name, with rights to get and watch it but not to list. The object's own version may be far too old to
 * watch from, so the watch begins with what is there when it begins. Only that nothing is there it does not say: if the
 * object went after the first look, a second one tells.
 */
export function singleSource(connection: Connection, of: Gvr, ref: Ref): Source<Stored> {
  const what = `get ${qualified(of)} ${ref.name}`
  async function look(signal: AbortSignal): Promise<readonly Stored[]> {
    const answer = await connection.request('GET', objectPath(of, ref), { signal, apart: true }).catch(unableTo(what))
    if (answer.status === 404) return []
    if (answer.status === 200 && isStored(answer.body)) return [answer.body]
    throw unread(what, answer)
  }
  return {
    page: async (_next, signal) => ({ items: await look(signal), version: '', next: '' }),
    reaches: async () => false, // another read costs as much as the check
    watch(version, seconds, signal) {
      const query = { ...watchQuery(version, seconds), fieldSelector: `metadata.name=${ref.name}` }
      const path = collectionPath(of, ref.namespace, query)
      const isGone = async () => version === '' && (await look(signal)).length === 0
      const gone = async (): Promise<WatchEvent<Stored>[]> =>
        (await isGone()) ? [{ type: 'DELETED', object: { metadata: ref }, version: '' }] : []
      return eventsOf(of, () => connection.stream(path, { signal }), gone)
    },
  }
}

function watchQuery(version: string, seconds: number): Words {
  const query = { watch: '1', allowWatchBookmarks: 'true', timeoutSeconds: String(seconds) }
  return version === '' ? query : { ...query, resourceVersion: version }
}

/** A resource that is no longer served is listed again too; the list then says so. */
const EXPIRED: readonly number[] = [404, 410]

/** `first` is what is known as soon as the watch is open. */
async function* eventsOf(
  of: Gvr,
  open: () => Promise<Stream | HttpAnswer>,
  first: () => Promise<readonly WatchEvent<Stored>[]> = async () => [],
): AsyncGenerator<WatchEvent<Stored>> {
  const what = `watch ${qualified(of)}`
  const stream = await open().catch(unableTo(what))
  if (!('lines' in stream)) {
    if (!EXPIRED.includes(stream.status)) throw unread(what, stream)
    return yield { type: 'EXPIRED' }
  }
  try {
    yield* await first()
    for await (const line of stream.lines) if (line !== '') yield eventIn(what, JSON.parse(line))
  } finally {
    stream.close()
  }
}

function eventIn(what: string, event: unknown): WatchEvent<Stored> {
  const { type, object } = isTree(event) ? event : {}
  if (type === 'ERROR') return errorIn(what, object)
  const metadata = isTree(object) && isTree(object.metadata) ? object.metadata : {}
  const version = textOf(metadata.resourceVersion)
  if (type === 'BOOKMARK' && version !== '') return { type, version }
  if (!isStored(object) || version === '') throw new Fault('CLUSTER_REFUSED', `cannot ${what}: an event has no object`)
  return { type: type === 'DELETED' ? type : 'WRITTEN', object, version }
}

/** The head of the answer was a 200 already, so the stream itself says what went wrong. */
function errorIn(what: string, status: unknown): WatchEvent<Stored> {
  const code = isTree(status) && typeof status.code === 'number' ? status.code : 500
  if (code === 410) return { type: 'EXPIRED' }
  throw unread(what, { status: code, body: status })
}
