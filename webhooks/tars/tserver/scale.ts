import { becomes, type Door, type DraftChange, defineKind, type Mutation, set } from '../../kit/admission.ts'
import { type ClusterReader, integer, type KubeObject, object, resource, type Shape } from '../../kit/schema.ts'
import { MUTATING } from '../doors.ts'
import { tarsResource } from '../names.ts'
import { illegalBounds, NO_RELEASE, replicasFor, TOO_FEW, TOO_MANY } from './bounds.ts'
import { ignored } from './mutate.ts'
import { TSERVER } from './schema.ts'

const scale = object(
  {},
  { spec: object({}, { replicas: integer({ doc: 'Pods asked for; none when absent.' }) }, 'What is asked for.') },
)
export type Scale = KubeObject & Shape<typeof scale>

const MUTATING_SCALE: Door = {
  ...MUTATING,
  name: 'mutating-scale.tars.io',
  operations: ['UPDATE'],
  subresource: 'scale',
}

const mutations: readonly Mutation<Scale>[] = [
  {
    id: 'TS-M16',
    says: 'holds what kubectl scale and autoscalers ask for to the same replicas: 0 without a release, and within the bounds',
    edits: heldToBounds,
  },
]

/** The scale subresource, which kubectl scale and autoscalers write. Rules of the TServer do not see these writes. */
export const tserverScale = defineKind({
  resource: resource(tarsResource('Scale', 'tservers'), scale),
  doors: [MUTATING_SCALE],
  reads: [{ resource: TSERVER, asks: ['get'] }],
  mutate: mutations,
})

/** The API server itself answers 404 for a missing TServer. A TServer without a readable spec has no bounds to apply. */
async function heldToBounds({ next, namespace }: DraftChange<Scale>, cluster: ClusterReader) {
  const name = next.metadata?.name
  const server = name ? await cluster.get(TSERVER, { namespace, name }) : undefined
  if (server?.spec === undefined) return []
  const requested = next.spec?.replicas ?? 0 // the field is absent when the scale is 0
  const replicas = replicasFor(requested, server)
  const ignoring = illegalBounds(server).map(ignored('TS-M16'))
  if (replicas === requested) return { edits: [], warnings: ignoring }
  const held = next.spec === undefined ? set('/spec', { replicas }) : set('/spec/replicas', replicas)
  const bound = replicas < requested ? TOO_MANY : TOO_FEW
  const why = server.spec.release === undefined ? NO_RELEASE : bound
  const overruled = becomes({ field: 'spec.replicas', was: requested, now: replicas }, { id: 'TS-M16', why })
  return { edits: [held], warnings: [...ignoring, overruled] }
}
