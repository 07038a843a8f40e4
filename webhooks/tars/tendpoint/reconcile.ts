import { isSame } from '../../kit/admission.ts'
import { type Action, defineController, type Plan } from '../../kit/controller.ts'
import { type Found, text } from '../../kit/schema.ts'
import { namedFields } from '../named-fields.ts'
import { LABELS } from '../names.ts'
import { containerStatusWith, POD, type Pod, podsOfServers } from '../pods.ts'
import { nameIn } from '../tserver/shape.ts'
import { stateOf } from './pod-state.ts'
import { endpointPod, TENDPOINT, type TEndpoint } from './schema.ts'

interface Seen {
  readonly endpoint: Found<TEndpoint>
  readonly pods: readonly Found<Pod>[]
}

const FIELDS = [
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'status.podIP',
  'status.hostIP',
  ...['type', 'status', 'reason', 'message'].map((field) => `status.conditions.${field}`),
  ...Object.keys(containerStatusWith(text).json.properties ?? {}).map((field) => `status.containerStatuses.${field}`),
]

/** The status of a TEndpoint; the controller of its TServer writes the rest. */
export const tendpointController = defineController<TEndpoint, Seen>({
  name: 'tendpoint',
  of: TENDPOINT,
  keeps: { asText: true },
  watches: [podsOfServers(nameIn, FIELDS)],
  writes: [{ resource: TENDPOINT, subresource: 'status', verbs: ['merge'] }],
  async observe(key, { cached }) {
    const endpoint = await cached.get(TENDPOINT, key)
    const { app, server } = endpoint?.spec ?? {}
    if (endpoint === undefined || app === undefined || server === undefined) return undefined
    const labels = { [LABELS.app]: app, [LABELS.server]: server }
    return { endpoint, pods: await cached.list(POD, { namespace: key.namespace, labels }) }
  },
  plan,
})

export function plan({ endpoint, pods }: Seen): Plan {
  if (endpoint.metadata.deletionTimestamp) return { actions: [] }
  const listed = pods.toSorted(byName).map((pod) => namedFields(endpointPod, entryOf(pod)))
  return { actions: isSame(endpoint.status?.pods ?? [], listed) ? [] : [listing(endpoint, listed)] }
}

const byName = ({ metadata: one }: Found<Pod>, { metadata: other }: Found<Pod>) => (one.name < other.name ? -1 : 1)

/** TE-R3 */
function entryOf(pod: Found<Pod>) {
  const { uid, name, creationTimestamp, labels } = pod.metadata
  const { podIP, hostIP, containerStatuses } = pod.status ?? {}
  const id = labels?.[LABELS.serverId]
  return { uid, name, podIP, hostIP, startTime: creationTimestamp, id, containerStatuses, ...stateOf(pod) }
}

function listing({ metadata }: Found<TEndpoint>, pods: readonly unknown[]): Action {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata
  return {
    do: 'merge',
    of: TENDPOINT,
    subresource: 'status',
    ref: { namespace, name },
    expects: { uid, resourceVersion },
    patch: { status: { pods } },
    because: 'TE-R3',
  }
}
