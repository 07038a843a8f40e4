import { valueAt } from '../../../kit/admission.ts'
import type { Action, Built, Given, Notice, Plan, RemoveAction } from '../../../kit/controller.ts'
import type { Found, Gvr, KubeObject } from '../../../kit/schema.ts'
import { TENDPOINT } from '../../tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../texitedrecord/schema.ts'
import { DAEMONSET, SERVICE, STATEFULSET } from '../../workloads.ts'
import { objectsFor, type WantedObject } from '../objects/objects.ts'
import { faultNotice, faultsOf } from './faults.ts'
import { podsWithoutClaim } from './pods-without-claim.ts'
import { recordRepair } from './record.ts'
import { reasonsToRecreate, withClaimsOf } from './recreation.ts'
import { type Rehearsal, rehearsalOf } from './rehearsal.ts'
import { holdOn, type ServerSeen, type Standings, standingAs, type UnreadableServer } from './seen.ts'

type ServerPlan = Plan<Rehearsal>

/** The pods of a workload are those of the other one, too. */
const OTHER_WORKLOAD = new Map<Gvr, Gvr>([
  [STATEFULSET, DAEMONSET],
  [DAEMONSET, STATEFULSET],
])
const AGAIN_MS = 1_000
export const AGAIN_FOR_STATEFULSET_MS = 3_000
const AGAIN_FOR_FOREIGN_MS = 60_000

/** Pure. Objects in the order of WK-10; what one of them waits for does not hold up the others. */
export function plan(seen: ServerSeen | UnreadableServer, given: Given): ServerPlan {
  if ('misfit' in seen) return { actions: [], notices: [unreadable(seen)] }
  const { server, config } = seen
  const faults = faultsOf(server)
  const notices = faults.map((fault) => faultNotice(fault, server))
  if (faults.some(({ holds }) => holds === undefined)) return { actions: [], notices }
  const wanted = objectsFor(server, config, given)
  const makeable = wanted.filter(({ of }) => !faults.some(({ holds = [] }) => holds.includes(of)))
  return together([
    { actions: [], notices },
    ...outgrown(wanted, seen, makeable),
    ...makeable.map((each) => planFor(each, seen, makeable)),
  ])
}

function together(plans: readonly ServerPlan[]): ServerPlan {
  const times = plans.flatMap(({ againInMs = [] }) => againInMs)
  return {
    actions: plans.flatMap(({ actions }) => actions),
    notices: plans.flatMap(({ notices = [] }) => notices),
    ...(times.length > 0 && { againInMs: Math.min(...times) }),
  }
}

/** TS-R4: what the server does not call for any more goes if the workload that follows it can be made (MP-36). */
function outgrown(
  wanted: readonly WantedObject[],
  seen: ServerSeen,
  makeable: readonly WantedObject[],
): readonly ServerPlan[] {
  const next = makeable.find(({ of }) => OTHER_WORKLOAD.has(of))
  const kinds = [SERVICE, STATEFULSET, DAEMONSET].filter((of) => !wanted.some((each) => each.of === of))
  const removals = kinds.flatMap((of) => {
    const object = standingAs(of, seen)
    return object !== undefined && holdOn(object, seen.server) === 'ours' ? [removal(of, object, CHANGED, LAST)] : []
  })
  if (next === undefined || removals.length === 0) return []
  return [{ actions: [rehearsalOf(next, CHANGED), ...removals] }]
}
const CHANGED = 'TS-R4, MP-34: spec.k8s.daemonSet has changed'
/** Left out where the rehearsal is refused. */
const LAST = { follows: true } as const

function planFor(wanted: WantedObject, seen: ServerSeen, makeable: readonly WantedObject[]): ServerPlan {
  const { of } = wanted
  const object = standingAs(of, seen)
  if (object === undefined) return obstacleTo(of, seen, makeable) ?? { actions: [creation(wanted, seen)] }
  switch (holdOn(object, seen.server)) {
    case 'foreign':
      return outControl(of, object)
    case 'predecessor':
      return { actions: [], againInMs: AGAIN_MS }
    case 'terminating':
      return waitingFor(of)
    case 'ours':
      return change(wanted, object, seen)
  }
}

/** What keeps an object from being created yet. */
function obstacleTo(of: Gvr, seen: Standings, makeable: readonly WantedObject[]): ServerPlan | undefined {
  const other = OTHER_WORKLOAD.get(of)
  const beside = other && standingAs(other, seen)
  if (other !== undefined && beside !== undefined) {
    return holdOn(beside, seen.server) === 'foreign' ? outControl(other, beside) : waitingFor(other)
  }
  return of === STATEFULSET ? withoutService(seen, makeable) : undefined
}

/** §10: without a Service of the server there is no StatefulSet. */
function withoutService(seen: Standings, makeable: readonly WantedObject[]): ServerPlan | undefined {
  const service = standingAs(SERVICE, seen)
  if (service === undefined) return makeable.some(({ of }) => of === SERVICE) ? undefined : { actions: [] }
  const hold = holdOn(service, seen.server)
  if (hold === 'ours' && !hasAddress(service)) return undefined
  return hold === 'foreign' ? { actions: [] } : waitingFor(SERVICE)
}

function creation({ of, object }: WantedObject, seen: Standings): Action {
  if (of === TEXITEDRECORD) return { do: 'create', of, object, because: 'TX-R1' }
  const follows = of === STATEFULSET && standingAs(SERVICE, seen) === undefined
  return { do: 'apply', of, object, because: because(of), ...(follows && { follows }) }
}

function change(wanted: WantedObject, over: Found<KubeObject>, seen: ServerSeen): ServerPlan {
  const { of } = wanted
  const object = ownedAs(over, wanted.object)
  if (of === TEXITEDRECORD) return { actions: recordRepair(object, over) }
  if (of === STATEFULSET) return statefulSetChange(object, over, seen)
  if (of === SERVICE && hasAddress(over)) {
    const why = 'MP-4: its clusterIP cannot be changed'
    return { actions: [removal(of, over, why)], againInMs: AGAIN_MS }
  }
  return { actions: [{ do: 'apply', of, object, over, because: because(of) }] }
}

/** The owner is known by its uid: the version by which upstream's controller names it stays. */
function ownedAs({ metadata: { ownerReferences } }: KubeObject, wanted: Built): Built {
  const owners = wanted.metadata.ownerReferences?.map((owner) => {
    const { apiVersion } = ownerReferences?.find(({ uid }) => uid === owner.uid) ?? owner
    return { ...owner, apiVersion }
  })
  return { ...wanted, metadata: { ...wanted.metadata, ...(owners && { ownerReferences: owners }) } }
}

/** MP-31, MP-32: its pods stay, and those without a claim go afterwards. */
function statefulSetChange(wanted: Built, over: Found<KubeObject>, seen: ServerSeen): ServerPlan {
  const of = STATEFULSET
  const reasons = reasonsToRecreate(wanted, over)
  if (reasons.length > 0) {
    const why = `MP-31, MP-32: ${reasons.join('; ')}`
    const orphaning = removal(of, over, why, { orphan: true, ...LAST })
    return { actions: [rehearsalOf({ of, object: wanted }, why), orphaning] }
  }
  const object = withClaimsOf(over, wanted)
  const apply: ServerPlan = { actions: [{ do: 'apply', of, object, over, because: because(of) }] }
  return together([apply, podsWithoutClaim(wanted, over, seen)])
}

const because = (of: Gvr) => (of === TENDPOINT ? 'TS-R2' : 'TS-R4')

function hasAddress(service: KubeObject): boolean {
  const address = valueAt(service, 'spec.clusterIP')
  return typeof address === 'string' && address !== '' && address !== 'None'
}

const waitingFor = (of: Gvr): ServerPlan => ({
  actions: [],
  againInMs: of === STATEFULSET ? AGAIN_FOR_STATEFULSET_MS : AGAIN_MS,
})

function removal(of: Gvr, { metadata }: KubeObject, because: string, options: RemovalOptions = {}): Action {
  const { namespace = '', name, uid = '' } = metadata
  return { do: 'remove', of, ref: { namespace, name }, expects: { uid }, because, ...options }
}

type RemovalOptions = Pick<RemoveAction, 'orphan' | 'follows'>

function outControl({ kind }: Gvr, { metadata: { name } }: KubeObject): ServerPlan {
  const message = `${kind} ${name} is not controlled by this TServer, so it is left as it is (TS-R6)`
  return { actions: [], notices: [{ type: 'Warning', reason: 'OutControl', message }], againInMs: AGAIN_FOR_FOREIGN_MS }
}

const unreadable = ({ misfit }: UnreadableServer): Notice => ({
  type: 'Warning',
  reason: 'Unreadable',
  message: `${misfit} does not fit the schema, so all that was made of this TServer stays as it is`,
})
