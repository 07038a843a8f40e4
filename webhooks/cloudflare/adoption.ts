import { isSameManager, type ManagementInfo, markingOf, type OwnerMarking } from './ownership.ts'

export type AdoptionPolicy = 'MustNotExist' | 'IfExists' | 'MustExist' | 'Force'

/** An object of Cloudflare, as it was just read. */
export interface RemoteObject {
  readonly id: string
  /** The field with the mark; empty for kinds that have none. */
  readonly text: string
  /** It has the id that the object of the cluster recorded (CF-OWN-08). */
  readonly isProven: boolean
}
export interface Owning {
  readonly owner: ManagementInfo
  /** Empty where the cluster has none (CF-OWN-16). */
  readonly clusterId: string
}
export interface AdoptionQuestion extends Owning {
  /** Force is handed in only where the operator allows it. */
  readonly policy: AdoptionPolicy
  /** Who hands over, where that is allowed (CF-OWN-11). */
  readonly from?: ManagementInfo | undefined
  /** All that are found by the id, or else by name. */
  readonly candidates: readonly RemoteObject[]
}

/** What a mark means for one owner. */
export type RemoteStanding =
  | { readonly is: 'ours' | 'ours without cluster' | 'unmarked' }
  | { readonly is: 'ours of another cluster'; readonly cluster: string }
  | { readonly is: 'of another'; readonly owner: ManagementInfo }
  | { readonly is: 'unclear'; readonly owners: readonly ManagementInfo[] }

export type Adoption =
  | { readonly do: 'create' }
  | { readonly do: 'update' | 'adopt'; readonly remote: RemoteObject }
  | { readonly do: 'conflict'; readonly standing: RemoteStanding; readonly remote: RemoteObject }
  | { readonly do: 'choose'; readonly candidates: readonly RemoteObject[] }
  | { readonly do: 'miss' }

export function standingOf({ text }: Pick<RemoteObject, 'text'>, { owner, clusterId }: Owning): RemoteStanding {
  const marking = markingOf(text)
  if (marking.state === 'none') return { is: 'unmarked' }
  if (marking.state !== 'one') return { is: 'unclear', owners: ownersIn(marking) }
  if (!isSameManager(marking.owner, owner)) return { is: 'of another', owner: marking.owner }
  if (marking.cluster === clusterId) return { is: 'ours' }
  return marking.cluster === ''
    ? { is: 'ours without cluster' }
    : { is: 'ours of another cluster', cluster: marking.cluster }
}
const ownersIn = (marking: OwnerMarking) => (marking.state === 'several' ? marking.owners : [])

/** The table of CF-OWN-10. Of several candidates none is picked. */
export function adoptionOf({ candidates, ...asked }: AdoptionQuestion): Adoption {
  const [remote, ...others] = candidates
  if (remote === undefined) return { do: asked.policy === 'MustExist' ? 'miss' : 'create' }
  if (others.length > 0) return { do: 'choose', candidates }
  const standing = standingOf(remote, asked)
  const decision = ofOne(standing, remote.isProven, asked)
  return decision === 'conflict' ? { do: decision, standing, remote } : { do: decision, remote }
}

function ofOne(
  standing: RemoteStanding,
  isProven: boolean,
  { policy, from }: Pick<AdoptionQuestion, 'policy' | 'from'>,
): 'update' | 'adopt' | 'conflict' {
  switch (standing.is) {
    case 'ours':
      return 'update'
    case 'unmarked':
    case 'ours without cluster':
      if (isProven) return 'update'
      return policy === 'MustNotExist' ? 'conflict' : 'adopt'
    case 'of another':
      if (from !== undefined && isSameManager(from, standing.owner)) return 'adopt'
      return policy === 'Force' ? 'adopt' : 'conflict'
    case 'ours of another cluster':
    case 'unclear':
      return policy === 'Force' ? 'adopt' : 'conflict'
  }
}

export type DeletionPolicy = 'Delete' | 'Orphan'

/** CF-OWN-12, CF-OWN-13: only what a fresh look shows to be ours is deleted, or loses its mark. */
export function deletionOf(
  remote: RemoteObject | undefined,
  owning: Owning,
  policy: DeletionPolicy,
): 'gone' | 'delete' | 'orphan' | 'skip' {
  if (remote === undefined) return 'gone'
  const { is } = standingOf(remote, owning)
  const isOurs = is === 'ours' || (is === 'unmarked' && remote.isProven)
  if (!isOurs) return 'skip'
  return policy === 'Orphan' ? 'orphan' : 'delete'
}
