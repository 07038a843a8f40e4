import type { KubeObject } from '../cluster/port.ts'
import type { Facts } from '../fact.ts'
import type { Draft } from '../schema.ts'
import type { Settings } from '../setting.ts'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'
export type Profile = 'seed' | 'upstream'
/** Groups of callers that some rules exempt. Membership is a setting, so it is resolved before any rule runs. */
export type Exempt = 'CTRL' | 'KUBE'
/**
 * A DEPUTY is a member of KUBE that deletes: the garbage collector deletes for any author who writes an ownerReference,
 * even one without the right to delete. It counts as KUBE while the namespace is terminating, otherwise as an author.
 */
export type Membership = Exempt | 'DEPUTY'

export interface RequestInfo {
  /** The uid of the request. */
  readonly uid: string
  readonly user: { readonly name: string; readonly among: readonly Membership[] }
  readonly namespace: string
  readonly dryRun: boolean
  readonly at: Date
  readonly profile: Profile
  readonly settings: Settings
  readonly facts: Facts
}
export interface Create<T> extends RequestInfo {
  readonly operation: 'CREATE'
  readonly next: T
}
export interface Update<T> extends RequestInfo {
  readonly operation: 'UPDATE'
  readonly next: T
  readonly prev: T
}
export interface Delete<T> extends RequestInfo {
  readonly operation: 'DELETE'
  readonly prev: T
}
export type Change<T extends KubeObject> = Create<T> | Update<T> | Delete<T>

/** The change that a mutation receives. The object may still be incomplete, and may not fit its schema. */
export interface DraftChange<T> extends RequestInfo {
  readonly operation: 'CREATE' | 'UPDATE'
  readonly next: Draft<T>
  readonly prev?: Draft<T>
}

/** A change before it is decoded. */
export interface Raw extends RequestInfo {
  readonly operation: Operation
  readonly object: unknown
  readonly oldObject: unknown
}
