import type { Found, KubeObject, Tree } from '../../kit/schema.ts'
import { isTree } from '../../kit/schema.ts'
import type { AccountRef } from '../access/account.ts'
import type { ReadyReason } from '../conditions.ts'
import { ANNOTATIONS } from '../names.ts'
import type { ManagementInfo } from '../ownership.ts'
import type { Placement, RemoteFound } from './table.ts'

/** Why nothing is compared with Cloudflare in this turn. */
export interface RemoteHeld {
  readonly reason: ReadyReason
  readonly message: string
  /** The API says no, and it does not help to ask soon. */
  readonly isRefused?: boolean
  /** When the API wants to be asked again. */
  readonly afterMs?: number | undefined
}

/** All that a plan for one object looks at. */
export interface RemoteSeen<T extends KubeObject> {
  readonly object: Found<T>
  readonly owner: ManagementInfo
  /** `CNAME api.example.com` */
  readonly words: string
  readonly isTerminating: boolean
  readonly hasFinalizer: boolean
  readonly known: KnownRemote
  readonly held?: RemoteHeld
  /** What was compared lately is as it was; it is due after this time. */
  readonly restMs?: number
  readonly looked?: LookedAt
  /** The names of objects that go first. */
  readonly dependents: readonly string[]
}
/** What the object itself records of its remote object. */
export interface KnownRemote {
  readonly id: string
  readonly origin: string
  /** Since when one without a mark is being made. */
  readonly creatingSince: string
}
export interface LookedAt {
  readonly account: AccountRef
  readonly place: Placement
  /** All that were found by the id, or else by name. */
  readonly candidates: readonly RemoteFound[]
  /** The recorded id is not there any more. */
  readonly isMissing: boolean
  /** Of the object that hands over, where it is allowed (CF-OWN-11). */
  readonly from?: ManagementInfo | undefined
  /** The fields that it should have, without the mark. */
  readonly wanted: Tree
  /** The same for a creation. */
  readonly created: Tree
  /** Of the author. */
  readonly comment: string
}

export function statusIn(object: object): Tree {
  return 'status' in object && isTree(object.status) ? object.status : {}
}
const textIn = (value: unknown) => (typeof value === 'string' ? value : '')

/** The annotations survive a backup, and the status does not. */
export function knownOf(object: KubeObject, idField: string): KnownRemote {
  const annotations = object.metadata.annotations ?? {}
  return {
    id: annotations[ANNOTATIONS.remoteId] || textIn(statusIn(object)[idField]),
    origin: annotations[ANNOTATIONS.remoteOrigin] ?? '',
    creatingSince: annotations[ANNOTATIONS.creating] ?? '',
  }
}

/** CF-OWN-08: by its recorded id; or made since the object began to make one that cannot carry a mark. */
export function isProven(remote: RemoteFound, known: KnownRemote, { metadata }: KubeObject): boolean {
  if (known.id !== '') return remote.id === known.id
  const [made, since, born] = [remote.createdAt, known.creatingSince, metadata.creationTimestamp].map(momentOf)
  if (made === undefined || since === undefined || born === undefined) return false
  return since >= born && made >= since - CLOCKS_APART_MS
}
/** A clock of the cluster may go before that of Cloudflare. */
const CLOCKS_APART_MS = 30_000

function momentOf(text: string | null | undefined): number | undefined {
  const moment = Date.parse(text ?? '')
  return Number.isNaN(moment) ? undefined : moment
}
