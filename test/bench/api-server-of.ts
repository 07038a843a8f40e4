import type { Built } from '../../src/cluster/port.ts'
import { type Call, scriptedApiServer } from '../support/fakes/api-server.ts'

/** Objects of one resource, each made when it is asked for. */
export interface Listed {
  readonly count: number
  readonly at: (i: number) => Built
  /** How its path begins, where another group has the same plural. */
  readonly under?: string
  /** Which of them a selector by values wants. */
  readonly wantedBy?: (selector: string) => readonly number[]
}
export interface ListingServer extends AsyncDisposable {
  readonly kubeconfig: string
  /** What was asked for beside lists, watches and our Secret, as method and path. */
  readonly others: readonly string[]
}

/** An API server in our process: lists these objects by plural, page by page, has our Secret, and tells of nothing more. */
export async function apiServerOf(objects: Readonly<Record<string, Listed>>): Promise<ListingServer> {
  const api = await scriptedApiServer()
  const others: string[] = []
  api.always((call) => {
    const { method, path, query, body, json } = call
    if (query.watch !== undefined) return void call.stream() // the client library says true
    if (method === 'PUT' && path.includes('/secrets/')) return json(200, JSON.parse(body))
    if (path.includes('/secrets/')) return json(200, SECRET)
    const [, plural = '', name] = PATH.exec(path) ?? []
    const { under = '/' } = objects[plural] ?? NONE
    const isMeant = path.startsWith(under)
    if (method === 'GET' && plural !== '' && name === undefined) return list(call, (isMeant && objects[plural]) || NONE)
    others.push(`${method} ${path}`)
    const found = method === 'GET' ? named(objects[plural], name) : undefined
    if (found === undefined) call.status(404, 'NotFound')
    else json(200, found)
  })
  return { kubeconfig: api.kubeconfig(), others, [Symbol.asyncDispose]: () => api.stop() }
}

const PATH = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+)?\/([^/]+)(?:\/([^/]+))?$/
const NONE: Listed = { count: 0, at: () => ({ metadata: { name: '' } }) }
const FEW = 10

function named({ count, at }: Listed = NONE, name: string | undefined): Built | undefined {
  const all = count > FEW ? [] : Array.from({ length: count }, (_, i) => at(i))
  return all.find(({ metadata }) => metadata.name === name)
}

/** Item by item: a list of a gigabyte is no text. */
function list({ query, headers, stream }: Call, listed: Listed): void {
  const { at } = listed
  const isPartial = headers.accept?.includes('as=PartialObjectMetadataList') === true
  const wanted = (query.labelSelector?.includes('=') && listed.wantedBy?.(query.labelSelector)) || undefined
  const all = wanted?.length ?? (areCarried(query.labelSelector, listed) ? listed.count : 0)
  const from = Number(query.continue ?? 0)
  const to = Math.min(all, from + Number(query.limit ?? all))
  const { raw, end } = stream()
  const metadata = { resourceVersion: '1', ...(to < all && { continue: String(to) }) }
  const head = isPartial ? { ...PARTIAL, kind: 'PartialObjectMetadataList' } : { apiVersion: 'v1', kind: 'List' }
  raw(`${JSON.stringify({ ...head, metadata }).slice(0, -1)},"items":[`)
  for (let i = from; i < to; i += 1) {
    const object = at(wanted?.[i] ?? i)
    raw((i === from ? '' : ',') + JSON.stringify(isPartial ? { ...PARTIAL, metadata: object.metadata } : object))
  }
  raw(']}')
  end()
}

/** All objects of a resource carry the same labels. */
function areCarried(selector: string | undefined, { count, at }: Listed): boolean {
  const { labels } = count === 0 ? NONE.at(0).metadata : at(0).metadata
  const names = selector?.split(',').map((each) => each.split('=')[0] ?? '') ?? []
  return names.every((name) => Object.hasOwn(labels ?? {}, name))
}

const PARTIAL = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tars-webhook-certs', namespace: 'tars-system', resourceVersion: '1' },
}
