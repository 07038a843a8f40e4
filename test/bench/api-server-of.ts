import type { Stored } from '../../src/cluster/port.ts'
import { scriptedApiServer } from '../support/api-server.ts'
import { MANAGED, template } from './templates.ts'

export interface ListingServer extends AsyncDisposable {
  readonly kubeconfig: string
}

/** An API server in our process: lists so many TTemplates page by page, has our Secret, and tells of nothing more. */
export async function apiServerOf(count: number): Promise<ListingServer> {
  const api = await scriptedApiServer()
  api.always(({ method, path, query, body, json, stream }) => {
    if (query.watch === '1') return void stream()
    if (method === 'PUT') return json(200, JSON.parse(body))
    if (path.includes('/secrets/')) return json(200, SECRET)
    const from = Number(query.continue ?? 0)
    const to = Math.min(count, from + Number(query.limit ?? count))
    const items = Array.from({ length: to - from }, (_, i) => stored(from + i))
    const metadata = { resourceVersion: '1', ...(to < count && { continue: String(to) }) }
    json(200, { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTemplateList', metadata, items })
  })
  return { kubeconfig: api.kubeconfig(), [Symbol.asyncDispose]: () => api.stop() }
}

const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'tars-webhook-certs', namespace: 'tars-system', resourceVersion: '1' },
}

const SIZES = [300, 1_024, 2_048, 4_096]

/** The `i`-th of a cluster: 300 B to 4 KB without what the API server adds. */
export function stored(i: number): Stored {
  const { metadata, ...object } = template(`template-${i}`, 'template-0', SIZES[i % SIZES.length])
  const own = { uid: crypto.randomUUID(), resourceVersion: String(i + 1), creationTimestamp: '2026-11-18T12:01:02Z' }
  return { ...object, metadata: { ...metadata, ...own, ...{ generation: 1, managedFields: [MANAGED] } } }
}
