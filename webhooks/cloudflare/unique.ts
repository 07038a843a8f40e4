import { isTerminating } from '../../src/kube/metadata.ts'
import { type Findings, label, type Mutation, type Rule, type Update } from '../kit/admission.ts'
import type { ClusterReader, Found, KubeObject, Resource } from '../kit/schema.ts'
import { type Claiming, claimLabelOf, meets, meetsScope, type RemoteClaim } from './claims.ts'
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
      const rivals = holders.filter((holder) => holder.meets && isOther(holder, next, info))
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

const isOther = (holder: Holder, next: KubeObject, info: ManagementInfo) =>
  ownerName(holder.info) !== ownerName(info) && !isHandedOver(next, info, holder)

const REMOTE: readonly string[] = [ANNOTATIONS.remoteId, ANNOTATIONS.remoteOrigin, ANNOTATIONS.creating]

/** CF-V-13: on CREATE they ask for adoption, such as from a backup (CF-OWN-08), of what no other object has. */
export function remoteByWorker<T extends KubeObject>(own?: Claimant<T>, others: readonly HoldersOf[] = []): Rule<T> {
  const all = own === undefined ? [] : [holdersAmong(own), ...others]
  return {
    id: 'CF-V-13',
    field: 'metadata.annotations',
    on: 'write',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    async check(change, cluster): Promise<Findings> {
      if (change.operation === 'UPDATE') return changedIn(change)
      const { next } = change
      const id = next.metadata.annotations?.[ANNOTATIONS.remoteId]
      const claim = own?.resource.isDraft(next) ? own.claim(next) : undefined
      if (id === undefined || own === undefined || claim === undefined) return []
      const info = newManagementInfo(next, own.resource.kind)
      const holders = (await Promise.all(all.map((holdersOf) => holdersOf(claim, cluster)))).flat()
      return holders
        .filter((holder) => holder.annotations[ANNOTATIONS.remoteId] === id && isOther(holder, next, info))
        .map((holder) => ({ path: `metadata.annotations[${ANNOTATIONS.remoteId}]`, by: [ownerName(holder.info)] }))
    },
    message: ({ by }) =>
      by === undefined
        ? 'is written by the worker alone, as it says which object of Cloudflare is managed'
        : `names what ${by.join()} manages`,
    examples: [{ path: '' }, { path: '', by: ['<Kind>/<namespace>/<name>'] }],
    remedy: ({ by }) =>
      by === undefined ? 'leave it as it is' : 'leave it out, or let the other object hand over: see adopt-from',
  }
}

function changedIn({ next, prev }: Update<KubeObject>): Findings {
  return REMOTE.filter((name) => next.metadata.annotations?.[name] !== prev.metadata.annotations?.[name]).map(
    (name) => ({ path: `metadata.annotations[${name}]` }),
  )
}

/** Who has the same natural key, of one kind. */
export type HoldersOf = (claim: RemoteClaim, cluster: ClusterReader) => Promise<readonly KeyHolder[]>

interface KeyHolder extends Holder {
  /** It claims the same, and not only the same name. */
  readonly meets: boolean
}

export interface Holder {
  readonly info: ManagementInfo
  readonly isTerminating: boolean
  readonly annotations: Readonly<Record<string, string>>
}

export function holdersAmong<T extends KubeObject>({ resource, claim: claimOf }: Claimant<T>): HoldersOf {
  return async (claim, cluster) => {
    const found = await cluster.list(resource, { namespace: '', labels: { [CLAIM_LABEL]: claimLabelOf(claim) } })
    return found.flatMap((each) => {
      const its = claimOf(each)
      if (its === undefined || !meetsScope(its, claim)) return []
      return [{ ...holderOf(each, resource.kind), meets: meets(its, claim) }]
    })
  }
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
