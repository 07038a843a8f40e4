import type { KubeObject } from '../cluster/port.ts'
import type { Draft } from '../schema.ts'
import type { Settings } from '../setting.ts'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'
export type Profile = 'seed' | 'upstream'
/** Callers that some rules let pass. Who belongs to them is a setting, so it is settled before a rule is asked. */
export type Exempt = 'CTRL' | 'KUBE'
/**
 * A DEPUTY is of KUBE and deletes: the garbage collector does so for an author who writes an ownerReference, without the
 * right to delete. It counts as KUBE while the namespace is terminating, and otherwise as that author would.
 */
export type Membership = Exempt | 'DEPUTY'

export interface RequestInfo {
  /** Of the request. */
  readonly uid: string
  readonly user: { readonly name: string; readonly among: readonly Membership[] }
  readonly namespace: string
  readonly dryRun: boolean
  readonly at: Date
  readonly profile: Profile
  readonly settings: Settings
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

/** What a mutation is given: the object is not complete yet, nor is it sure to be what its schema says. */
export interface DraftChange<T> extends RequestInfo {
  readonly operation: 'CREATE' | 'UPDATE'
  readonly next: Draft<T>
  readonly prev?: Draft<T>
}

/** A change as it was sent. */
export interface Raw extends RequestInfo {
  readonly operation: Operation
  readonly object: unknown
  readonly oldObject: unknown
}
