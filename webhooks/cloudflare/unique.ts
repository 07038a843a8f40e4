import { isTerminating } from '../../src/kube/metadata.ts'
import { type Findings, label, type Mutation, type Rule } from '../kit/admission.ts'
import type { ClusterReader, Found, KubeObject, Resource } from '../kit/schema.ts'
import { type Claiming, claimLabelOf, meets, type RemoteClaim } from './claims.ts'
import { ANNOTATIONS, CLAIM_LABEL } from './names.ts'
import { type ManagementInfo, newManagementInfo, ownerName } from './ownership.ts'
import type { ObjectWrite } from './rules.ts'

/** Kinds whose objects may claim the same. */
export interface Claimant<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly claim: Claiming<T>
}

/** CF-M-02: look-ups find the other claimants by it. */
export function claimLabel<T extends KubeObject>(claim: Claiming<T>): Mutation<T> {
  return {
    id: 'CF-M-02',
    says: `sets label ${CLAIM_LABEL} to a digest of what the object claims`,
    why: 'it is a digest of what the object claims',
    mirror: { key: CLAIM_LABEL, field: 'what the object claims', valueIn: (object) => labelIn(claim(object)) },
    edits: ({ next }) => [label(CLAIM_LABEL, labelIn(claim(next)))],
  }
}
const labelIn = (claim: RemoteClaim | undefined) => claim && claimLabelOf(claim)

/** CF-V-01. Two creations that cross each other both pass; the worker decides between them (CF-ONE-04). */
export function unclaimed<T extends KubeObject>(
  own: Claimant<T>,
  others: readonly HoldersOf[] = [],
  id = 'CF-V-01',
): Rule<T> {
  const all = [holdersAmong(own), ...others]
  return {
    id,
    field: 'spec',
    on: 'write',
    reason: 'Duplicate',
    async check({ next }: ObjectWrite<T>, cluster): Promise<Findings> {
      const claim = own.resource.isDraft(next) ? own.claim(next) : undefined
      if (claim === undefined) return []
      const info = newManagementInfo(next, own.resource.kind)
      const holders = (await Promise.all(all.map((holdersOf) => holdersOf(claim, cluster)))).flat()
      const rivals = holders.filter(
        (holder) => ownerName(holder.info) !== ownerName(info) && !isHandedOver(next, info, holder),
      )
      return rivals.map(({ info: by, isTerminating: isGoing }) => ({
        path: claim.field,
        value: claim.words,
        by: [ownerName(by)],
        ...(isGoing && { effect: 'warn' as const }),
      }))
    },
    message: ({ value, by = [] }) => `${value} is already claimed by ${by.join()}`,
    remedy: 'change or delete one of the two, or let it hand over: see adopt-from',
  }
}

/** Who holds a claim, of one kind. */
export type HoldersOf = (claim: RemoteClaim, cluster: ClusterReader) => Promise<readonly Holder[]>

export interface Holder {
  readonly info: ManagementInfo
  readonly isTerminating: boolean
  readonly annotations: Readonly<Record<string, string>>
}

export function holdersAmong<T extends KubeObject>({ resource, claim: claimOf }: Claimant<T>): HoldersOf {
  return async (claim, cluster) => {
    const found = await cluster.list(resource, { namespace: '', labels: { [CLAIM_LABEL]: claimLabelOf(claim) } })
    return found.filter((each) => holds(each, claim, claimOf)).map((each) => holderOf(each, resource.kind))
  }
}

function holds<T extends KubeObject>(object: Found<T>, claim: RemoteClaim, claimOf: Claiming<T>): boolean {
  const its = claimOf(object)
  return its !== undefined && meets(its, claim)
}

export function holderOf(object: Found<KubeObject>, kind: string): Holder {
  const annotations = object.metadata.annotations ?? {}
  return { info: newManagementInfo(object, kind), isTerminating: isTerminating(object), annotations }
}

/** CF-OWN-11: the newcomer names the holder, in its own namespace or with the consent of the holder. */
export function isHandedOver({ metadata }: KubeObject, info: ManagementInfo, holder: Holder): boolean {
  const names = metadata.annotations?.[ANNOTATIONS.adoptFrom] === ownerName(holder.info)
  const isNear = holder.info.namespace === info.namespace
  return names && (isNear || holder.annotations[ANNOTATIONS.handOverTo] === ownerName(info))
}
