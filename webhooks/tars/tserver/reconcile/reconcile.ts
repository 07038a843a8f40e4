import { isTerminating } from '../../../../src/kube/metadata.ts'
import {
  all,
  defineController,
  type Key,
  type Notice,
  type Plan,
  type Result,
  referred,
  type Sight,
} from '../../../kit/controller.ts'
import type { Gvr, KubeObject, Resource } from '../../../kit/schema.ts'
import { FRAMEWORK_NAME, SERVER_LABELS } from '../../names.ts'
import { POD, podsOfServers } from '../../pods.ts'
import { TENDPOINT } from '../../tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../texitedrecord/schema.ts'
import { TFRAMEWORKCONFIG } from '../../tframeworkconfig/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../workloads.ts'
import { labelsOf, refOf } from '../objects/subject.ts'
import { TSERVER, type TServer } from '../schema.ts'
import { ADOPT_MANAGERS } from '../settings.ts'
import { nameIn } from '../shape.ts'
import { AGAIN_FOR_STATEFULSET_MS, plan } from './plan.ts'
import { type Rehearsal, rehearsed } from './rehearsal.ts'
import {
  holdOn,
  type ServerSeen,
  type StandingObject,
  type Standings,
  standingAs,
  type UnreadableServer,
} from './seen.ts'
import { statusUpdate } from './status.ts'

/** All that the mapping writes, and what a DaemonSet counts. */
const WORKLOADS = {
  carrying: SERVER_LABELS,
  fields: [
    'metadata.annotations',
    'metadata.ownerReferences',
    'metadata.deletionTimestamp',
    'spec',
    'status.desiredNumberScheduled',
  ],
  asText: true,
} as const
const POD_FIELDS = [
  'metadata.ownerReferences.uid',
  'metadata.deletionTimestamp',
  'spec.volumes.name',
  'spec.volumes.persistentVolumeClaim',
  'status.phase',
  'status.conditions.type',
  'status.conditions.status',
]

/** All objects of a server have its name, those of other owners too. */
const named = ({ metadata: { namespace = '', name } }: KubeObject): readonly Key[] => [{ namespace, name }]

export const tserverController = defineController<TServer, ServerSeen | UnreadableServer, Rehearsal>({
  name: 'tserver',
  of: TSERVER,
  keeps: { asText: true },
  refersTo: ({ metadata: { namespace = '' } }) => [{ of: TFRAMEWORKCONFIG, key: { namespace, name: FRAMEWORK_NAME } }],
  watches: [
    referred(TFRAMEWORKCONFIG, { fields: ['nodeImage'] }),
    ...[TENDPOINT, TEXITEDRECORD].map((resource) => all(resource, named, { asText: true })),
    ...[SERVICE, STATEFULSET, DAEMONSET].map((resource) => all(resource, named, WORKLOADS)),
    podsOfServers(nameIn, POD_FIELDS),
  ],
  reads: [
    ...[TSERVER, SERVICE].map((resource) => ({ resource, asks: ['get'] as const })),
    ...[STATEFULSET, DAEMONSET].map((resource) => ({ resource, asks: ['get', 'dry-run create'] as const })),
  ],
  writes: [
    { resource: TENDPOINT, verbs: ['apply'] },
    { resource: TEXITEDRECORD, verbs: ['create', 'merge'] },
    ...[SERVICE, STATEFULSET, DAEMONSET].map((resource) => ({ resource, verbs: ['apply', 'remove'] }) as const),
    { resource: POD, verbs: ['remove'] },
    { resource: TSERVER, subresource: 'status', verbs: ['merge'] },
    { resource: TSERVER, verbs: ['own'] },
  ],
  adopts: ADOPT_MANAGERS,
  observe,
  plan,
  perform: rehearsed,
  conclude,
})

/** Nothing is planned for a terminating server: the garbage collector takes all that it controls (TS-R7). */
async function observe(key: Key, { cached, live }: Sight): Promise<ServerSeen | UnreadableServer | undefined> {
  const [server, shown] = await Promise.all([cached.get(TSERVER, key), standings(key, cached)])
  if (server === undefined || isTerminating(server)) return undefined
  if (!TSERVER.isOutline(server)) return { misfit: TSERVER.misfitIn(server) ?? '' }
  const { namespace } = refOf(server)
  const [config, pods, hidden] = await Promise.all([
    cached.get(TFRAMEWORKCONFIG, { namespace, name: FRAMEWORK_NAME }),
    cached.list(POD, { namespace, labels: labelsOf(server) }),
    unlabelled(key, { server, there: shown }, live),
  ])
  return { server, config, there: [...shown, ...hidden], pods }
}

async function standings(key: Key, cached: Sight['cached']): Promise<readonly StandingObject[]> {
  const found = [
    standing(TENDPOINT, key, cached),
    standing(TEXITEDRECORD, key, cached),
    standing(SERVICE, key, cached),
    standing(STATEFULSET, key, cached),
    standing(DAEMONSET, key, cached),
  ]
  return (await Promise.all(found)).flat()
}

async function standing<T extends KubeObject>(
  of: Resource<T>,
  key: Key,
  from: Sight['live'],
): Promise<readonly StandingObject[]> {
  const object = await from.get(of, key)
  return object === undefined ? [] : [{ of, object }]
}

/**
 * What the server does not call for any more and what no cache shows, since its labels were taken off: it goes before
 * the other workload comes (MP-34). A new server, which has no TEndpoint yet, has none of it and costs no read (WR-10).
 */
async function unlabelled(key: Key, seen: Standings, live: Sight['live']): Promise<readonly StandingObject[]> {
  const isShown = (of: Gvr) => standingAs(of, seen) !== undefined
  if (!isShown(TENDPOINT) || isShown(STATEFULSET) || isShown(DAEMONSET)) return []
  const outgrown = seen.server.spec.k8s.daemonSet ? [SERVICE, STATEFULSET] : [DAEMONSET]
  const found = await Promise.all(outgrown.filter((of) => !isShown(of)).map((of) => standing(of, key, live)))
  return found.flat().filter(({ object }) => holdOn(object, seen.server) !== 'foreign')
}

function conclude(seen: ServerSeen | UnreadableServer, results: readonly Result<Rehearsal>[]): Plan {
  if ('misfit' in seen) return { actions: [] }
  const end = { actions: statusUpdate(seen), notices: results.flatMap(noticesOf) }
  return results.some(isOrphaning) ? { ...end, againInMs: AGAIN_FOR_STATEFULSET_MS } : end
}

const isOrphaning = ({ action, outcome }: Result<Rehearsal>) =>
  outcome === 'done' && action.do === 'remove' && action.orphan === true

/** MP-36: a refusal in the words of the API server. */
function noticesOf(result: Result<Rehearsal>): readonly Notice[] {
  const { action, outcome, message = '' } = result
  const { kind } = action.do === 'dry-run create' ? action.wanted.of : action.of
  if (isOrphaning(result))
    return [{ type: 'Normal', reason: 'Recreated', message: `${kind} is made again; ${action.because}` }]
  if (outcome !== 'refused') return []
  const reason = action.do === 'remove' ? 'DeleteError' : 'SyncFailed'
  return [{ type: 'Warning', reason, message: `${kind}: ${message}` }]
}
