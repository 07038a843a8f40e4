import { scriptedApiServer } from '../support/fakes/api-server.ts'
import { storedConfig } from './objects.ts'

export interface ListingServer extends AsyncDisposable {
  readonly kubeconfig: string
}

/** An API server in our process: lists so many TConfigs page by page, has our Secret, and tells of nothing more. */
export async function apiServerOf(count: number): Promise<ListingServer> {
  const api = await scriptedApiServer()
  api.always(({ method, path, query, headers, body, json, stream }) => {
    if (query.watch === '1') return void stream()
    if (method === 'PUT') return json(200, JSON.parse(body))
    if (path.includes('/secrets/')) return json(200, SECRET)
    const all = path.endsWith('/tconfigs') ? count : 0
    const from = Number(query.continue ?? 0)
    const to = Math.min(all, from + Number(query.limit ?? all))
    const page = { metadata: { resourceVersion: '1', ...(to < all && { continue: String(to) }) } }
    const configs = Array.from({ length: to - from }, (_, i) => storedConfig(from + i))
    if (headers.accept?.includes('as=PartialObjectMetadataList') !== true)
      return json(200, { ...page, apiVersion: 'k8s.tars.io/v1beta2', kind: 'List', items: configs })
    const items = configs.map(({ metadata }) => ({ ...PARTIAL, metadata }))
    json(200, { ...page, apiVersion: PARTIAL.apiVersion, kind: 'PartialObjectMetadataList', items })
  })
  return { kubeconfig: api.kubeconfig(), [Symbol.asyncDispose]: () => api.stop() }
}

const PARTIAL = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tars-webhook-certs', namespace: 'tars-system', resourceVersion: '1' },
}
