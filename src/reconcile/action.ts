import type { Operation } from 'fast-json-patch'
import type { Built, Found, Gvr, KubeObject, Ref } from '../cluster/port.ts'
import type { Tree } from '../schema.ts'

/** The object that a write is meant for: what was not seen is not overwritten. */
export interface Expected {
  readonly uid: string
  readonly resourceVersion?: string
}
interface On {
  readonly of: Gvr
  /** The rule id, and the reason where there is one: for logs, events and `review --plan`. */
  readonly because: string
  /** Rests on the action before it, and is left out where that was refused. */
  readonly follows?: true
  /** Rests on no action before it, and is carried out where one of them failed (NC-REC-03). */
  readonly apart?: true
}
interface OnStored extends On {
  readonly ref: Ref
  readonly expects: Expected
}

/** Server-side apply, which also creates (WK-12). */
export interface ApplyAction extends On {
  readonly do: 'apply'
  readonly object: Built
  /** What stood there when the plan was made: its resourceVersion goes along, and "1" where nothing stood (WK-12). */
  readonly over?: Found<KubeObject>
  /** The field manager, where it is not that of the worker. */
  readonly manager?: string
  /**
   * By a dry run in place of a digest, for a body that holds what people wrote: what the API server makes of it is known
   * to the API server alone (NC-STS-43). `over` has to be whole.
   */
  readonly compares?: 'dry run'
}
export interface CreateAction extends On {
  readonly do: 'create'
  readonly object: Built
}
/** JSON merge patch. */
export type MergeAction = MergeOfObject | MergeOfStatus
interface MergeOfObject extends OnStored {
  readonly do: 'merge'
  readonly patch: Tree
  readonly subresource?: never
}
/** The API server does not compare the uid of a status with the stored one, only the resourceVersion (measured). */
interface MergeOfStatus extends OnStored {
  readonly do: 'merge'
  readonly patch: Tree
  readonly subresource: 'status'
  readonly expects: Required<Expected>
}
/** JSON patch. */
export type PatchAction = PatchOfObject | PatchOfStatus
interface PatchOfObject extends OnStored {
  readonly do: 'patch'
  readonly operations: readonly Operation[]
  readonly subresource?: never
}
interface PatchOfStatus extends OnStored {
  readonly do: 'patch'
  readonly operations: readonly Operation[]
  readonly subresource: 'status'
  readonly expects: Required<Expected>
}
export interface RemoveAction extends OnStored {
  readonly do: 'remove'
  /** Its dependents stay, without an owner. */
  readonly orphan?: true
}

/** One write as data: lists of them are compared, printed and counted. */
export type Action = ApplyAction | CreateAction | MergeAction | PatchAction | RemoveAction

/**
 * What became of an action. `needless`: the object is so already, or no longer calls for it. `overtaken`: another writer
 * came first, so the object is read again. `failed`: it may work later.
 */
export type Outcome = 'done' | 'needless' | 'gone' | 'overtaken' | 'refused' | 'failed'

export interface Performed {
  readonly outcome: Outcome
  readonly answer?: Tree
  /** The message of the system that refused. */
  readonly message?: string
  readonly cause?: unknown
}

/** An event. One of a plan that names no object is about the object of the key. */
export interface Notice {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly about?: { readonly of: Gvr; readonly ref: Ref; readonly uid: string }
}
/** A notice that names its object. */
export type NoticeAbout = Notice & Required<Pick<Notice, 'about'>>
export const EVENT: Gvr = { group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced' }
