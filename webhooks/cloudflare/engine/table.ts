import type { Rule } from '../../kit/admission.ts'
import type { CloudflareFault } from '../../kit/cloudflare.ts'
import type { Watch } from '../../kit/controller.ts'
import type { ClusterReader, Draft, Field, KubeObject, Resource, Settings, Tree } from '../../kit/schema.ts'
import type { Obstacle, RemoteAccount } from '../access/account.ts'
import type { AccountDetails } from '../access/accounts.ts'
import type { Networks } from '../access/networks.ts'
import type { Zones } from '../access/zones.ts'
import type { AdoptionPolicy } from '../adoption.ts'
import type { Claiming } from '../claims.ts'

/** What one kind says of its objects at Cloudflare. The engine does the rest, the same for all kinds. */
export interface RemoteTable<T extends KubeObject, A> {
  readonly resource: Resource<T>
  /** `record`, in messages. */
  readonly noun: string
  readonly finalizer: string
  readonly claim: Claiming<T>
  readonly details: (object: Draft<T>) => AccountDetails
  /** What admission refuses, for objects that were written while it was away. */
  readonly rules: readonly Rule<T>[]
  /** Fields that are kept and not built yet, where silence would mislead. */
  readonly notBuilt?: (object: T) => readonly string[]

  /** `{account}` is known, `{id}` is the remote id, and the kind gives the others by its place. */
  readonly paths: { readonly collection: string; readonly object: string }
  /** How an object is changed; without it nothing of it changes. */
  readonly updates?: 'PUT' | 'PATCH'
  /** A change that the API may refuse, so that the object is deleted and made again; only one with our mark. */
  readonly replaces?: (before: Tree, wanted: Tree) => boolean
  readonly answer: Field<A>
  readonly remoteOf: (answer: A) => RemoteFound
  /** Where the mark stands; without it the recorded id is all that tells the owner (CF-OWN-08). */
  readonly mark?: RemoteMark<T>
  readonly codes: RemoteCodes

  /** What is looked up for an object: a zone, the ids of objects that it names. The account alone when absent. */
  readonly place?: (object: T, around: PlaceAround) => Promise<Placement | Obstacle>
  /** The fields that we own, as Cloudflare has them. */
  readonly wanted: (object: T, place: Placement) => Tree
  /** What a refusal tells of the place, for the next attempt. */
  readonly learns?: (fault: CloudflareFault, place: Placement, zones: Zones) => void
  /** Both sides of the comparison, in the same form. */
  readonly normal?: (fields: Tree) => Tree
  /** The whole body of a creation, where it differs. */
  readonly created?: (object: T) => Tree
  /** The id, where the author says it. */
  readonly fixedId?: (object: T) => string | undefined
  /** Whether what has the recorded id is still what the author names; it is, where this is absent. */
  readonly isMeant?: (object: T, remote: RemoteFound) => boolean
  /** Where no annotation says it. */
  readonly policy?: (object: T) => AdoptionPolicy | undefined
  /** How an object is found whose id is not known. */
  readonly find: (object: T, place: Placement) => RemoteQuery

  /** A list that has all objects of a place with our marks; what is as it should be there needs no look of its own. */
  readonly listing?: RemoteListing

  readonly status: RemoteStatus
  readonly watches?: readonly Watch[]
  /** Objects of the cluster that go first (CF-OWN-15). */
  readonly dependents?: (object: T, cached: ClusterReader) => Promise<readonly string[]>
  /** The deletion policy, where a field of the spec says it. */
  readonly deletionPolicy?: (object: T) => string | undefined
  /** An adopted object holds data: it stays unless an annotation says that it may go (CF-OWN-13). */
  readonly keepsAdopted?: true
}

export interface RemoteMark<T> {
  readonly field: string
  /** In code points (CF-OWN-05). */
  readonly limit: (settings: Settings, place: Placement) => number
  readonly comment: (object: T) => string | undefined
}
/** RemoteFailures are told apart by these codes, and by the status 404. */
export interface RemoteCodes {
  readonly exists: readonly number[]
  readonly gone: readonly number[]
  /** Something still uses it, so it cannot be deleted. */
  readonly busy: readonly number[]
}
export interface RemoteStatus {
  /** The field with the remote id. */
  readonly id: string
  /** The words of `status.state` (CF-CRD-05). */
  readonly states: Readonly<Record<'ready' | 'pending' | 'error' | 'deleting', string>>
  readonly of?: (remote: RemoteFound, place: Placement) => Tree
  /** Texts without which the status of an earlier operator's definition is not valid; empty where they are not known. */
  readonly always?: readonly string[]
}

export interface PlaceAround {
  readonly account: RemoteAccount
  readonly cached: ClusterReader
  readonly zones: Zones
  readonly networks: Networks
  /** Nothing may be needed then that may be gone already (CF-OWN-14). */
  readonly isTerminating: boolean
}
export interface Placement {
  /** Parameters of the paths, beside account and id. */
  readonly params: Readonly<Record<string, string>>
  /** Ids and names that fields of the object stand for, and `account`. */
  readonly known: Readonly<Record<string, string>>
}

/** By its id, or by a list from which the kind picks. */
export type RemoteQuery =
  | { readonly id: string }
  | { readonly query: Readonly<Record<string, string | boolean>>; readonly isIt: (remote: RemoteFound) => boolean }

export interface RemoteListing {
  readonly query: Readonly<Record<string, string>>
}

/** An object of Cloudflare as it was read. */
export interface RemoteFound {
  readonly id: string
  /** The field with the mark; empty for kinds without one. */
  readonly text: string
  /** What `wanted` is compared with. */
  readonly fields: Tree
  /** What the status tells of it. */
  readonly told?: Tree
  readonly createdAt?: string | undefined
  /** It is kept although it was deleted, and counts as absent. */
  readonly isDeleted?: boolean
}
