import { lookAt } from '../cluster/kube/inquiry.ts'
import { connect } from '../cluster/kube/wire/connection.ts'
import { statusIn } from '../cluster/kube/wire/failed-call.ts'
import { collectionPath } from '../cluster/paths.ts'
import type { Gvr } from '../cluster/port.ts'
import type { Config } from '../config.ts'
import { isTree } from '../schema.ts'
import type { Api } from './path.ts'

/** Each of our webhooks may take ten seconds. */
const TRY_MS = 30_000

const ENDPOINT_SLICES: Gvr = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  kind: 'EndpointSlice',
  scope: 'Namespaced',
}

/** The real API server, with the rights of the user. */
export async function apiOf({ kubeconfig }: Config): Promise<{ readonly api: Api; stop(): void }> {
  const connection = await connect(kubeconfig)
  const api: Api = {
    async tryOut(of, namespace, object) {
      const path = collectionPath(of, namespace, { dryRun: 'All', fieldManager: 'tars-admission-check' })
      const answer = await connection.request('POST', path, { body: object, timeoutMs: TRY_MS })
      return answer.status === 201 ? { object: answer.body, warning: answer.warning ?? '' } : statusIn(answer)
    },
    look: (of, ref) => lookAt(connection, of, ref),
    async ready({ namespace, name }) {
      const query = { labelSelector: `kubernetes.io/service-name=${name}` }
      const { status, body } = await connection.request('GET', collectionPath(ENDPOINT_SLICES, namespace, query))
      return status === 200 ? readyIn(body) : undefined
    },
  }
  return { api, stop: () => connection.stop() }
}

/** An absent `ready` counts as ready. */
function readyIn(list: unknown): number {
  const endpoints = listIn(list, 'items').flatMap((slice) => listIn(slice, 'endpoints'))
  return endpoints.filter((each) => !(isTree(each) && isTree(each.conditions) && each.conditions.ready === false))
    .length
}

function listIn(of: unknown, key: string): readonly unknown[] {
  const value = isTree(of) ? of[key] : undefined
  return Array.isArray(value) ? value : []
}
