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

/** The replicas of a TServer, as kubectl scale and autoscalers write them: rules on the TServer do not see it. */
export const tserverScale = defineKind({
  resource: resource(tarsResource('Scale', 'tservers'), scale),
  doors: [MUTATING_SCALE],
  reads: [{ resource: TSERVER, asks: ['get'] }],
  mutate: mutations,
})

/** A TServer that is not there, the API server says itself; of one whose spec we cannot read we say nothing. */
async function heldToBounds({ next, namespace }: DraftChange<Scale>, cluster: ClusterReader) {
  const name = next.metadata?.name
  const server = name ? await cluster.get(TSERVER, { namespace, name }) : undefined
  if (server?.spec === undefined) return []
  const asked = next.spec?.replicas ?? 0 // a scale to 0 comes without the field
  const replicas = replicasFor(asked, server)
  const ignoring = illegalBounds(server).map(ignored('TS-M16'))
  if (replicas === asked) return { edits: [], warnings: ignoring }
  const held = next.spec === undefined ? set('/spec', { replicas }) : set('/spec/replicas', replicas)
  const bound = replicas < asked ? TOO_MANY : TOO_FEW
  const why = server.spec.release === undefined ? NO_RELEASE : bound
  const overruled = becomes({ field: 'spec.replicas', was: asked, now: replicas }, { id: 'TS-M16', why })
  return { edits: [held], warnings: [...ignoring, overruled] }
}
