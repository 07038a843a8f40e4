import { type CloudflareCall, CloudflareFault, guardOf } from '../../kit/cloudflare.ts'
import { type KubeObject, list, type Tree } from '../../kit/schema.ts'
import type { RemoteAccount } from '../access/account.ts'
import type { Placement, RemoteFound, RemoteQuery, RemoteTable } from './table.ts'

/** The calls of a kind. */
export interface RemoteCalls {
  get(account: RemoteAccount, place: Placement, id: string): Promise<RemoteFound | undefined>
  find(account: RemoteAccount, place: Placement, query: RemoteQuery): Promise<readonly RemoteFound[]>
  create(account: RemoteAccount, place: Placement, body: Tree, signal: AbortSignal): Promise<RemoteFound>
  update(account: RemoteAccount, place: Placement, id: string, body: Tree, signal: AbortSignal): Promise<RemoteFound>
  /** What is gone already is deleted. */
  remove(account: RemoteAccount, place: Placement, id: string, signal: AbortSignal): Promise<void>
}

type Calling<T extends KubeObject, A> = Pick<RemoteTable<T, A>, 'paths' | 'answer' | 'remoteOf' | 'updates' | 'codes'>

export function callsOf<T extends KubeObject, A>({
  paths,
  answer,
  remoteOf,
  updates = 'PATCH',
  codes,
}: Calling<T, A>): RemoteCalls {
  const one = guardOf(answer)
  const collection = { path: paths.collection }
  const object = { path: paths.object, is: one }
  const all: CloudflareCall<readonly A[]> = { ...collection, method: 'GET', is: guardOf(list(answer, { doc: 'All.' })) }
  const params = ({ params: own }: Placement, id: string) => ({ ...own, id })
  const calls: RemoteCalls = {
    async get(account, place, id) {
      try {
        const found = remoteOf(await account.ask({ ...object, method: 'GET' }, { params: params(place, id) }))
        return found.isDeleted === true ? undefined : found
      } catch (cause) {
        if (isGone(cause, codes.gone)) return undefined
        throw cause
      }
    },
    async find(account, place, query) {
      if ('id' in query) return [await calls.get(account, place, query.id)].filter((found) => found !== undefined)
      const found = await account.list(all, { params: place.params, query: query.query })
      return found.map(remoteOf).filter((remote) => remote.isDeleted !== true && query.isIt(remote))
    },
    async create(account, place, body, signal) {
      const asked = { params: place.params, body, signal }
      return remoteOf(await account.ask({ ...collection, method: 'POST', is: one }, asked))
    },
    async update(account, place, id, body, signal) {
      return remoteOf(await account.ask({ ...object, method: updates }, { params: params(place, id), body, signal }))
    },
    async remove(account, place, id, signal) {
      try {
        await account.ask({ ...object, method: 'DELETE', is: isAnything }, { params: params(place, id), signal })
      } catch (cause) {
        if (!isGone(cause, codes.gone)) throw cause
      }
    },
  }
  return calls
}

const isAnything = (_: unknown): _ is unknown => true

/** A path that is not there says nothing of an object: the account or the zone may be wrong. */
const OTHER_CODES: readonly number[] = [7000, 7003]
export function isGone(cause: unknown, gone: readonly number[]): boolean {
  if (!(cause instanceof CloudflareFault)) return false
  if (cause.codes.some((code) => gone.includes(code))) return true
  return cause.httpStatus === 404 && !cause.codes.some((code) => OTHER_CODES.includes(code))
}
