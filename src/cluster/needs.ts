import type { Settings } from '../setting.ts'
import type { Gvr, KubeObject } from './port.ts'

/** An index of values that are computed of each object, such as the names of the objects that it refers to. */
export interface FieldIndex {
  /** Of what is kept of the object. A value counts once. */
  readonly valuesOf: (object: KubeObject) => readonly string[]
}

/** What is kept in memory of a resource. Caches, indexes and the rights to list and watch come from it. */
export interface Keeping {
  /** An index for each label: a look-up by none of them walks through all objects. */
  readonly byLabels?: readonly string[]
  readonly byField?: readonly FieldIndex[]
  /** Only objects that carry all of these labels: the label selector of list and watch. */
  readonly carrying?: readonly string[]
  /**
   * The fields that are kept beside name, namespace, uid, resourceVersion and labels, as paths such as `spec.parent`,
   * which go on in each item of a list; all when absent. With fields of the metadata alone, only metadata is listed and watched.
   */
  readonly fields?: readonly string[]
  /**
   * All is kept as compressed text and read each time that it is looked up, but name, namespace, uid, resourceVersion,
   * deletionTimestamp and the labels of `byLabels`. Sinks hear of these alone, but for the last state of what is gone, and
   * a look-up of metadata alone finds no more.
   */
  readonly asText?: true
  /** What a controller of another kind owns is not kept, such as pods of StatefulSets in a cache for DaemonSets. */
  readonly ownerKind?: string
}

/** What somebody looks up: kept in memory, or asked of the API server each time. */
export interface Need {
  readonly resource: Gvr
  readonly keeps?: Keeping
  readonly asks?: readonly Asked[]
  /** Only objects with these names. */
  readonly names?: readonly string[]
  readonly within?: InNamespace
}
/** The only namespace that it is needed in, where it is a right of a Role: that of the installation, or another one. */
export type InNamespace = 'home' | { readonly namespace: string }

/** A write that is tried out. */
export type Rehearsed = 'create' | 'apply'
export type Asked = 'get' | 'list' | 'watch' | `dry-run ${Rehearsed}`

/** All that one process looks up and writes. */
export interface Needs {
  readonly reads: readonly Need[]
  readonly writes: readonly Right[]
}
/** What states needs: kinds and controllers. */
export interface Stated extends Needs {
  readonly watches?: readonly Need[]
}
/** What may run in a process. */
export interface Runnable {
  readonly kinds?: readonly Stated[]
  readonly controllers?: readonly Stated[]
  /** What both processes find out. */
  readonly facts?: readonly Need[]
}

/** Each process runs as a service account of its own: it keeps, and is allowed, what its own parts state. */
export function needsOf({ kinds = [], controllers = [], facts = [] }: Runnable, process: 'webhook' | 'worker'): Needs {
  const stated = process === 'webhook' ? kinds : controllers
  return {
    reads: [...stated.flatMap(({ reads, watches = [] }) => [...watches, ...reads]), ...facts],
    writes: stated.flatMap(({ writes }) => writes),
  }
}

/** What somebody writes. `replace` is a PUT; `own` is an update of finalizers, for blockOwnerDeletion (TS-R6). */
export interface Right {
  readonly resource: Gvr
  readonly subresource?: 'status'
  readonly verbs: readonly ('apply' | 'create' | 'merge' | 'patch' | 'remove' | 'replace' | 'own')[]
  readonly within?: InNamespace
  /** How many of these writes the worker does per second, and at once; only the limit of all writes when absent (PATCH-ROLL-8). */
  readonly pace?: (settings: Settings) => Pace
}

export interface Pace {
  readonly perSecond: number
  readonly burst: number
}
