import { isSame } from '../../kit/admission.ts'
import { type Action, defineController, type Notice, type Plan } from '../../kit/controller.ts'
import { type Found, text } from '../../kit/schema.ts'
import { LABELS } from '../names.ts'
import { containerStatusWith, POD, type Pod, podsOfServers } from '../pods.ts'
import { nameIn } from '../tserver/shape.ts'
import { listedOf } from './listed.ts'
import { TENDPOINT, type TEndpoint } from './schema.ts'

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
  const listed = listedOf(pods, endpoint.spec)
  if (isSame(endpoint.status?.pods ?? [], listed)) return { actions: [] }
  return { actions: [listing(endpoint, listed)], notices: listed.length < pods.length ? [partial(listed, pods)] : [] }
}

function partial({ length: some }: readonly unknown[], { length: all }: readonly unknown[]): Notice {
  const message = `lists ${some} of ${all} pods, active ones first, since no larger object is stored (TE-R3)`
  return { type: 'Warning', reason: 'PodsNotListed', message }
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
