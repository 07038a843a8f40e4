import type { Found } from '../../kit/schema.ts'
import { namedFields } from '../named-fields.ts'
import { LABELS } from '../names.ts'
import type { Pod } from '../pods.ts'
import { stateOf } from './pod-state.ts'
import { endpointPod } from './schema.ts'

/** An API server with its defaults stores no object of more than 1.5 MiB; labels, annotations and owners have their part. */
const MOST_BYTES = 1_200_000

/**
 * What the status says of the pods, by name. Where that is more than is stored, it has as many as fit, active ones first:
 * they are where the server is reached. So does Kubernetes with Endpoints of more than 1,000 addresses.
 */
export function listedOf(pods: readonly Found<Pod>[], spec: unknown): readonly unknown[] {
  let room = MOST_BYTES - bytesOf(spec)
  const listed: (readonly [name: string, entry: unknown])[] = []
  for (const pod of activeFirst(pods)) {
    const entry = namedFields(endpointPod, entryOf(pod))
    room -= bytesOf(entry)
    if (room < 0) break
    listed.push([pod.metadata.name, entry])
  }
  return listed.toSorted(byName).map(([, entry]) => entry)
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '') + 1

function activeFirst(pods: readonly Found<Pod>[]): readonly Found<Pod>[] {
  const { active = [], others = [] } = Object.groupBy(pods.toSorted(byNameOfPod), (pod) =>
    stateOf(pod).presentState === 'Active' ? 'active' : 'others',
  )
  return [...active, ...others]
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1)
const byNameOfPod = ({ metadata: one }: Found<Pod>, { metadata: other }: Found<Pod>) => (one.name < other.name ? -1 : 1)

/** TE-R3 */
function entryOf(pod: Found<Pod>) {
  const { uid, name, creationTimestamp, labels } = pod.metadata
  const { podIP, hostIP, containerStatuses } = pod.status ?? {}
  const id = labels?.[LABELS.serverId]
  return { uid, name, podIP, hostIP, startTime: creationTimestamp, id, containerStatuses, ...stateOf(pod) }
}
