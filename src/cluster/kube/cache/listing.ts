import { Fault } from '../../../faults.ts'
import { isTree, type Tree } from '../../../schema.ts'
import { cachedReader, type ObjectsInMemory } from '../../cached-reader.ts'
import { keyOf } from '../../kept.ts'
import type { Keeping } from '../../needs.ts'
import { qualified } from '../../paths.ts'
import { type Built, type ClusterReader, type Gvr, Refused, type Where } from '../../port.ts'
import { allPages, type PageOrNone } from '../watch/page.ts'
import { collectionSource } from '../watch/source.ts'
import type { Connection } from '../wire/connection.ts'
import { Store } from './store.ts'

/** All stored objects of some resources, listed once and whole, for a command that looks through a cluster and ends. */
export interface Listing {
  of(resource: Gvr): readonly Built[]
  /** Answers as if only the objects that satisfy `isThere` existed; resources that were not listed are read from `live`. */
  reader(isThere: IsThere, live: ClusterReader): ClusterReader
}
export type IsThere = (of: Gvr, object: Built) => boolean

export interface ListingRequest extends Pick<Keeping, 'byField'> {
  readonly resource: Gvr
  readonly byLabels: readonly string[]
}

/** Lists sequentially and page by page, to spare the API server. Without a namespace it lists all of them. */
export async function listingOf(
  connection: Connection,
  requests: readonly ListingRequest[],
  namespace: string,
): Promise<Listing> {
  const stores = new Map<string, Store>()
  const barred: Gvr[] = []
  for (const { resource, byLabels, byField } of requests) {
    const store = new Store(byLabels, { indexes: byField, whole: (listed) => listed })
    stores.set(keyOf(resource), store)
    const objects = await listed(connection, resource, namespace)
    if (objects === 'barred') barred.push(resource)
    else for (const object of objects) store.put(object)
  }
  if (barred.length > 0) throw rightsMissing(barred, namespace)
  return {
    of: (resource) => stores.get(keyOf(resource))?.list({ namespace: '' }) ?? [],
    reader(isThere, live) {
      const held = requests.map(({ resource }) => {
        const memory = among(stores.get(keyOf(resource)), resource, isThere)
        return { resource, carrying: [], inMemory: () => memory }
      })
      return cachedReader(held, live)
    },
  }
}

function among(store: Store | undefined, of: Gvr, isThere: IsThere): ObjectsInMemory | undefined {
  return (
    store && {
      get(ref) {
        const object = store.get(ref)
        return object && isThere(of, object) ? object : undefined
      },
      list: (where: Where) => store.list(where).filter((object) => isThere(of, object)),
    }
  )
}

/** An unknown resource has no objects. */
function listed(connection: Connection, of: Gvr, namespace: string): Promise<readonly Built[] | 'barred'> {
  const { signal } = new AbortController()
  const source = collectionSource(connection, of, { namespace })
  const pageAt = async (next: string) => unmanaged(await source.page(next, signal))
  return allPages(`list ${qualified(of)}`, pageAt).catch(unlessBarred)
}

/** managedFields are half of a small object, and no rule reads them. */
function unmanaged(page: PageOrNone): PageOrNone {
  const items: readonly Tree[] = typeof page === 'string' ? [] : page.items
  for (const { metadata } of items) if (isTree(metadata)) metadata.managedFields = undefined
  return page
}

function unlessBarred(cause: unknown): 'barred' {
  if (cause instanceof Fault && cause.cause instanceof Refused && cause.cause.status.code === 403) return 'barred'
  throw cause
}

function rightsMissing(barred: readonly Gvr[], namespace: string): Fault {
  const where = namespace === '' ? 'in all namespaces' : `in namespace ${namespace}`
  const what = `the right to list ${barred.map(qualified).join(', ')} ${where} is missing`
  const remedy = namespace === '' ? 'grant it, or name one namespace with --namespace' : 'grant it'
  return new Fault('CLUSTER_UNREACHABLE', `${what} (the API server answers 403 Forbidden); ${remedy}`)
}
