import type { Adoption } from './adoption.ts'
import { oneLine } from './managed-comment.ts'
import { ANNOTATIONS } from './names.ts'
import { ownerName, UNKNOWN_MANAGER } from './ownership.ts'

/** How a kind speaks of its remote object: the noun, and what is known of one by its claim. */
export interface RemoteWords {
  /** `record`, `virtual network`. */
  readonly noun: string
  /** `CNAME api.example.com`. */
  readonly words: string
}
export type ConflictReason = 'ManagedByAnother' | 'AdoptionConflict' | 'InvalidConfig'
export interface Conflict {
  readonly reason: ConflictReason
  readonly message: string
}

const TAKE_OVER = `set annotation ${ANNOTATIONS.adoptionPolicy}=IfExists to take it over`
const BY_NAME = `set annotation ${ANNOTATIONS.adoptFrom} to its owner, or mend the mark by hand, to take it over`
const MOST_RAW = 200

/** The messages of §3.4; `managed by Kind/Namespace/Name` is what others look for. */
export function conflictOf(adoption: Adoption, { noun, words }: RemoteWords): Conflict | undefined {
  switch (adoption.do) {
    case 'create':
    case 'update':
    case 'adopt':
      return undefined
    case 'miss':
      return { reason: 'InvalidConfig', message: `${noun} not found (${words}), and the adoption policy is MustExist` }
    case 'choose': {
      const ids = adoption.candidates.map(({ id }) => id).join(', ')
      const message = `${adoption.candidates.length} candidates exist (${words}, ids ${ids}); leave one, or name it by ${ANNOTATIONS.remoteId}`
      return { reason: 'AdoptionConflict', message }
    }
    case 'conflict':
      return ofOne(adoption, { noun, words })
  }
}

function ofOne({ standing, remote }: Extract<Adoption, { do: 'conflict' }>, { noun, words }: RemoteWords): Conflict {
  const which = `(${words}, id ${remote.id})`
  const managedBy = (owner: string, wayOut: string): Conflict => ({
    reason: 'ManagedByAnother',
    message: `${noun} managed by ${owner} ${which}; ${wayOut}`,
  })
  switch (standing.is) {
    case 'of another':
      return managedBy(ownerName(standing.owner), BY_NAME)
    case 'ours of another cluster':
      return managedBy(`this resource of cluster ${standing.cluster}`, 'delete it there, or give this cluster that id')
    case 'unclear':
      if (standing.owners.length > 0) return managedBy(standing.owners.map(ownerName).join(' and '), BY_NAME)
      return managedBy(
        ownerName(UNKNOWN_MANAGER),
        `its mark is unreadable: "${oneLine(remote.text.slice(0, MOST_RAW))}"; ${BY_NAME}`,
      )
    default:
      return {
        reason: 'AdoptionConflict',
        message: `${noun} exists but is not managed by this resource ${which}; ${TAKE_OVER}`,
      }
  }
}
