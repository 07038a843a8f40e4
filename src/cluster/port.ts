import type { Operation as PatchOperation } from 'fast-json-patch'
import type { Status } from '../kube/status.ts'
import type { Draft, JsonSchema, Shape, Tree } from '../schema.ts'
import type { FencedOptions } from './fence.ts'
import type { FieldIndex, Keeping, Need, Rehearsed } from './needs.ts'
import type { metadata } from './object-metadata.ts'

export type Words = Readonly<Record<string, string>>

export type KubeObject = { readonly metadata: Shape<typeof metadata> }

export interface Gvr {
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  readonly scope: 'Namespaced' | 'Cluster'
}
/** The only place where unknown becomes T, or a draft of T. */
export interface Resource<T extends KubeObject> extends Gvr {
  readonly schema: JsonSchema
  /** The object satisfies the whole schema and has no unknown field. */
  readonly is: (value: unknown) => value is T
  readonly isDraft: (value: unknown) => value is Draft<T>
  /** Has all that T has, though maybe beyond a limit, or more than that. */
  readonly isOutline: (value: unknown) => value is T
  /** Where the first thing stands that keeps it from being an outline. */
  readonly misfitIn: (value: unknown) => string | undefined
  readonly unknownIn: (value: Tree) => readonly string[]
}

/**
 * What a look-up answers. Another version may have stored it, so beyond its metadata everything may be missing;
 * of an object that does not fit our schema at all only the metadata is handed out. It exists all the same.
 */
export type Found<T extends KubeObject> = KubeObject & Draft<T>

export interface Ref {
  readonly namespace: string // empty for cluster scope
  readonly name: string
}
export interface Where {
  readonly namespace: string
  readonly name?: string // always listed live
  readonly labels?: Words
  /** Only objects with all of these labels, whatever their values. */
  readonly carrying?: readonly string[]
  /** Only objects of which the index has this value. The API server selects by no such value, so live all are read. */
  readonly by?: { readonly index: FieldIndex; readonly value: string }
  readonly metadataOnly?: true // for many objects that may be large
  readonly limit?: number // any so many objects suffice; no more are read
}

export interface ClusterReader {
  get<T extends KubeObject>(of: Resource<T>, ref: Ref): Promise<Found<T> | undefined>
  /** A resource that the API server does not know has no objects (SV-6). */
  list<T extends KubeObject>(of: Resource<T>, where: Where): Promise<readonly Found<T>[]>
  /** What would be stored (dryRun=All), asked live; throws what a write throws. An apply is forced, as that of a manager. */
  dryRun(of: Gvr, object: Built, by: Rehearsed, manager?: string): Promise<Stored>
}

/** A rule or mutation is handed one reader; which of these two answers it is the machine's business (SV-7). */
export interface Readers {
  readonly cached: ClusterReader
  readonly live: ClusterReader
}

/** An object as data: made to be written, or a part of a stored one. */
export type Built = KubeObject & Tree

declare const WHOLE: unique symbol
/**
 * An object as the API server gave it, every field kept: what is written back must not lose what we do not know. The
 * mark is given by `isStored` alone, to a live read and to the answer of a write: an object of a cache has lost fields.
 */
export type Stored = Built & { readonly [WHOLE]: true }

/** A write that the API server did not take, in its own words. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: Status

  constructor(status: Status) {
    super(status.message)
    this.status = status
  }
}

/** What must still be stored for a delete to be meant for it. */
export interface Preconditions {
  readonly uid?: string
  readonly resourceVersion?: string
}

export interface RemoveOptions extends FencedOptions {
  readonly preconditions?: Preconditions
  /** The garbage collector leaves the dependents, and takes their owner reference away. */
  readonly propagationPolicy?: 'Orphan'
}

export interface MergeOptions extends FencedOptions {
  readonly timeoutMs?: number
  /** The answer may leave out all but the metadata. */
  readonly metadataOnly?: boolean
  /** The status alone is written, whatever else the patch says; of its metadata the resourceVersion counts, and the uid does not. */
  readonly subresource?: 'status'
}

export type PatchOptions = FencedOptions & { readonly subresource?: 'status' }
export type ApplyOptions = FencedOptions & { readonly manager: string }

/**
 * A stored version that is not the expected one is a fault of code CONFLICT, an object that is gone is GONE (CL-4);
 * every other answer of 4xx is Refused.
 */
export interface ClusterWriter {
  /** Writes to the namespace of the object. */
  create(of: Gvr, object: Built, options?: FencedOptions): Promise<Stored>
  /** Refused unless metadata.resourceVersion is the stored one. */
  replace(of: Gvr, object: Stored, options?: FencedOptions): Promise<Stored>
  patch(of: Gvr, ref: Ref, operations: readonly PatchOperation[], options?: PatchOptions): Promise<Stored>
  /**
   * Server-side apply, forced, under the name of the manager. With metadata.resourceVersion it counts for that version
   * alone; "1" stands for an object that must not exist yet (measured).
   */
  apply(of: Gvr, object: Built, options: ApplyOptions): Promise<Stored>
  /** RFC 7396: null takes a key away. One that names metadata.resourceVersion or metadata.uid counts for that object alone. */
  merge(of: Gvr, ref: Ref, patch: Tree, options?: MergeOptions): Promise<Built>
  remove(of: Gvr, ref: Ref, options?: RemoveOptions): Promise<void>
}

export interface ObjectWatcher {
  /** Tells of one object by name: once at the start, then after each change; undefined when there is none. */
  follow(of: Gvr, ref: Ref, tell: (object: Stored | undefined) => void): Following
}
export interface ClusterWatcher extends ObjectWatcher {
  /**
   * Tells of all objects of a resource, with the fields that are kept of them. Any number of sinks share a cache, which
   * hears of each change before they do.
   */
  watch(of: Gvr, keeps: Keeping, sink: Sink): Following
}

/** Hears of objects. What it throws is counted, and the next event comes all the same. */
export interface Sink<O extends Built = Built> {
  /** A list begins. What is added replaces all that was known, as soon as it is done. */
  begin(): void
  add(objects: readonly O[]): void
  done(): void
  put(object: O): void
  remove(object: Built): void // passes the last known state
}
export interface Following {
  stop(): void
}

export interface CacheState {
  readonly kind: string
  /** Listed once; it stays so however old the cache grows (SV-11). */
  readonly synced: boolean
  /** Since the API server was last heard about this kind. */
  readonly ageSeconds: number
}

/** What a process holds of a cluster, real or in memory. */
export interface Cluster {
  readonly readers: Readers
  /** Live, and never more than one page in memory; a resource that the API server does not know has none. */
  pages(of: Gvr, where: Required<Pick<Where, 'namespace' | 'limit'>>): AsyncIterable<readonly KubeObject[]>
  /** Answers from the caches of these needs alone, which keep what they ask for. */
  cachedFor(needs: readonly Need[]): ClusterReader
  readonly writer: ClusterWriter
  readonly watcher: ClusterWatcher
  /** The user that we write as; undefined where the cluster has no users. Rejects with a fault if it cannot be read. */
  user(): Promise<string | undefined>
  /** The OpenAPI v3 document of `api/v1`, or of another group and version; undefined where there is none. */
  openApi(of: string): Promise<unknown>
  /** Everything that is kept has been listed once. Pending while it cannot be; never rejected. */
  readonly synced: Promise<void>
  states(): readonly CacheState[]
  stop(): void
}
