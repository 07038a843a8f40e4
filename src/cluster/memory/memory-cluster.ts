import { isDeepStrictEqual } from 'node:util'
import type { Operation as PatchOperation } from 'fast-json-patch'
import { CONTROLLER } from '../../admission/identities.ts'
import { Fault } from '../../faults.ts'
import { isTerminating } from '../../kube/metadata.ts'
import type { Tree } from '../../schema.ts'
import { alreadyExists, badRequest, conflict, gone } from '../api-words/refusals.ts'
import { cachedReader, type ObjectsInMemory } from '../cached-reader.ts'
import { filled, type Kept, keptFor } from '../kept.ts'
import type { Keeping, Need, Rehearsed } from '../needs.ts'
import type {
  ApplyOptions,
  Built,
  ClusterReader,
  ClusterWatcher,
  ClusterWriter,
  Following,
  Found,
  Gvr,
  KubeObject,
  Ref,
  Resource,
  Sink,
  Stored,
  Where,
} from '../port.ts'
import { foundAs, hasValue, isWanted, listedAs } from '../stored.ts'
import { type Admission, type Admit, admission, isDry, type WriteOptions } from './admission.ts'
import { AppliedFields, mustHaveKeysOnce } from './applied-fields.ts'
import { mustBeCurrent, mustBeMeant, mustBeTheSame, mustBeValid, mustStay, refOf } from './checks.ts'
import { annotated, lastApplied, threeWayPatch } from './client-side-apply.ts'
import { collectDependents } from './garbage-collector.ts'
import { type Chance, created, hasFinalizers, leaving, mustBeNew, notYetCreated, succeeding } from './life.ts'
import { type IncomingObject, type MemoryDefinition, type MemoryKind, memoryKind } from './memory-kind.ts'
import { groupKindOf, kindKey, MemoryStore, storedOf } from './memory-store.ts'
import { mergePatched } from './merge-patch.ts'
import { readMeta } from './object-meta.ts'
import { jsonPatched, read, readPatched } from './reading.ts'
import { listenerOf, shownBy } from './showing.ts'

export interface MemoryOptions {
  /** Kinds with a schema; objects of any other kind are stored unchanged. */
  readonly definitions: readonly MemoryDefinition[]
  readonly admit?: Admit
  readonly clock: { now(): Date }
  readonly chance: Chance
}

/**
 * A cluster in memory: an API server with its store, as far as admission can distinguish it from a real one. The objects
 * that it returns are frozen. Namespaces need not exist, and users may do everything.
 */
export class MemoryCluster implements ClusterReader, ClusterWriter, ClusterWatcher {
  readonly #store = new MemoryStore()
  readonly #fields = new AppliedFields()
  readonly #kinds: ReadonlyMap<string, MemoryKind>
  readonly #admission: Admission
  readonly #clock: MemoryOptions['clock']
  readonly #chance: Chance

  constructor({ definitions, admit = async () => [], clock, chance }: MemoryOptions) {
    this.#kinds = new Map(definitions.map((each) => [kindKey(each), memoryKind(each, each)]))
    this.#admission = admission(admit, chance.uid)
    this.#clock = clock
    this.#chance = chance
  }

  /** Stores objects unchanged and without admission; it only adds the uid and version that every stored object has. */
  seed(objects: readonly Built[]): void {
    for (const object of objects) {
      const { uid = this.#chance.uid(), resourceVersion, name } = object.metadata
      const { malformed } = readMeta(object.metadata)
      if (malformed !== undefined) throw new Fault('USAGE', `cannot hold ${object.kind} ${name}: ${malformed}`)
      const seeded = { ...object, metadata: { ...object.metadata, uid } }
      if (resourceVersion === undefined) this.#store.put(groupKindOf(object), seeded)
      else this.#store.keep(groupKindOf(object), seeded)
    }
  }

  async get<T extends KubeObject>(of: Resource<T>, ref: Ref): Promise<Found<T> | undefined> {
    const object = this.#store.get(of, ref)
    return object && foundAs(of, object)
  }

  async list<T extends KubeObject>(of: Resource<T>, where: Where): Promise<readonly Found<T>[]> {
    return listedAs(of, this.#listed(of, where), where)
  }

  dryRun(of: Gvr, object: Built, by: Rehearsed, manager = CONTROLLER, options: WriteOptions = {}): Promise<Stored> {
    return this[by](of, object, { ...options, dryRun: true, manager })
  }

  #listed(of: Gvr, where: Where): readonly Built[] {
    return this.#store.list(of, where.namespace).filter((object) => isWanted(object, where))
  }

  /** Answers like the caches of a process: with the fields that they keep, and no others. */
  cachedFor(needs: readonly Need[]): ClusterReader {
    const held = keptFor(needs).map((kept) => ({ ...kept, inMemory: () => this.#kept(kept) }))
    return cachedReader(held, this)
  }

  #kept(kept: Kept): ObjectsInMemory {
    const shown = shownBy(kept)
    return {
      get: (ref) => shown(this.#store.get(kept.resource, ref)),
      list: ({ by, ...where }) =>
        this.#listed(kept.resource, where)
          .flatMap((each) => shown(each) ?? [])
          .filter((each) => hasValue(each, by)),
    }
  }

  watch(of: Gvr, keeps: Keeping, sink: Sink): Following {
    return this.#store.watch(of, listenerOf(sink, shownBy(filled(keeps))))
  }

  follow(of: Gvr, ref: Ref, tell: (object: Stored | undefined) => void): Following {
    return this.#store.follow(of, ref, tell)
  }

  async create(of: Gvr, object: Tree, options: WriteOptions = {}): Promise<Stored> {
    const kind = this.#kind(of)
    const incoming = notYetCreated(read(kind, object, options))
    const question = { of, operation: 'CREATE', oldObject: null, options } as const
    const mutated = await this.#admission.mutate({ ...question, ...refOf(incoming), object: incoming })
    const next = created(kind.withStatus(kind.complete(mutated)), this.#clock.now(), this.#chance)
    mustBeValid(kind, next, options)
    await this.#admission.validate({ ...question, ...refOf(next), object: next })
    return this.#add(kind, storedOf(kind.prune(next)), options)
  }

  async replace(of: Gvr, object: Tree, options: WriteOptions = {}): Promise<Stored> {
    const kind = this.#kind(of)
    const incoming = read(kind, object, options)
    const change = (stored: Built) => {
      mustBeTheSame(kind, incoming, stored)
      return incoming
    }
    return this.#update(kind, refOf(incoming), change, options)
  }

  async patch(of: Gvr, ref: Ref, operations: readonly PatchOperation[], options: WriteOptions = {}): Promise<Stored> {
    const kind = this.#kind(of)
    return this.#update(kind, ref, (stored) => readPatched(kind, jsonPatched(stored, operations), options), options)
  }

  async merge(of: Gvr, ref: Ref, patch: Tree, options: WriteOptions = {}): Promise<Stored> {
    const kind = this.#kind(of)
    return this.#update(kind, ref, (stored) => readPatched(kind, mergePatched(stored, patch), options), options)
  }

  async apply(of: Gvr, object: Built, { manager, ...rest }: WriteOptions & ApplyOptions): Promise<Stored> {
    mustHaveKeysOnce(object)
    const kind = this.#kind(of)
    const { resourceVersion: _, ...metadata } = object.metadata
    const options = { ...rest, fieldManager: manager, apply: { applied: object, manager } }
    if (this.#store.get(of, refOf(object)) === undefined) return this.create(of, { ...object, metadata }, options)
    const change = (stored: Built) => readPatched(kind, this.#fields.merged(stored, object, manager), options)
    return this.#update(kind, refOf(object), change, options)
  }

  /** Acts as `kubectl apply`, which compares on the client; a file without changes is not even sent. */
  async applyOnClient(of: Gvr, file: Tree, wishes: WriteOptions = {}): Promise<Stored> {
    const options = { fieldValidation: 'Strict', fieldManager: 'kubectl-client-side-apply', ...wishes } as const
    const ref = refOf(file)
    if (ref.name === '') throw badRequest('resource name may not be empty')
    const stored = this.#store.get(of, ref)
    if (stored === undefined) return this.create(of, annotated(file), options)
    const kind = this.#kind(of)
    const patch = threeWayPatch(lastApplied(stored), annotated(file), kind.recall(stored))
    if (Object.keys(patch).length === 0) return stored
    return this.#update(kind, ref, (current) => readPatched(kind, mergePatched(current, patch), options), options)
  }

  async remove(of: Gvr, ref: Ref, options: WriteOptions = {}): Promise<void> {
    const stored = this.#existing(of, ref)
    mustBeMeant(of, stored, options.preconditions)
    const oldObject = this.#kind(of).recall(stored)
    const question = { of, operation: 'DELETE', ...ref, object: null, oldObject, options } as const
    await this.#admission.mutate(question)
    await this.#admission.validate(question)
    if (this.#store.get(of, ref) !== stored) return this.remove(of, ref, options)
    if (isDry(options)) return
    if (!hasFinalizers(stored)) await this.#drop(of, stored, options.propagationPolicy === 'Orphan')
    else if (!isTerminating(stored)) this.#store.put(of, storedOf(leaving(stored, this.#clock.now())))
  }

  #add(kind: MemoryKind, object: Stored, options: WriteOptions): Stored {
    mustBeNew(object)
    const { name } = object.metadata
    const twin = this.#store.get(kind, refOf(object))
    if (twin !== undefined) throw options.apply ? conflict(kind, name) : alreadyExists(kind, name, isTerminating(twin))
    if (isDry(options)) return object
    if (options.apply) this.#fields.noteApply(undefined, object, options.apply)
    return this.#store.put(kind, object)
  }

  /** Starts again if another client wrote the object while webhooks reviewed it. */
  async #update(kind: MemoryKind, ref: Ref, change: NextObject, options: WriteOptions): Promise<Stored> {
    const stored = this.#existing(kind, ref)
    const prev = kind.recall(stored)
    const incoming = change(prev)
    mustStay(ref, incoming)
    const next = await this.#updated(kind, { ref, prev, incoming }, options)
    if (this.#store.get(kind, ref) !== stored) return this.#update(kind, ref, change, options)
    return this.#settle(kind, stored, storedOf(kind.prune(next)), options)
  }

  /** No webhook is registered for the status of a kind that it defines. */
  async #updated(kind: MemoryKind, { ref, prev, incoming }: Updating, options: WriteOptions): Promise<IncomingObject> {
    if (options.subresource === 'status') {
      mustBeCurrent(kind, incoming, prev)
      const next = kind.withStatusAlone(incoming, prev)
      mustBeValid(kind, next, options, prev)
      return next
    }
    const question = { of: kind, operation: 'UPDATE', ...ref, oldObject: prev, options } as const
    const mutated = kind.complete(await this.#admission.mutate({ ...question, object: incoming }))
    mustBeCurrent(kind, mutated, prev)
    const next = succeeding(kind.withStatus(mutated, prev), prev)
    mustBeValid(kind, next, options, prev)
    await this.#admission.validate({ ...question, object: next })
    return next
  }

  async #settle(kind: MemoryKind, stored: Stored, next: Stored, options: WriteOptions): Promise<Stored> {
    const isSame = isDeepStrictEqual(next, stored)
    if (isDry(options)) return isSame ? stored : next
    const isOwnedAnew = options.apply && this.#fields.noteApply(stored, next, options.apply)
    if (isSame && !isOwnedAnew) return stored
    if (!options.apply) this.#fields.noteWrite(stored, next)
    if (!isTerminating(stored) || hasFinalizers(next)) return this.#store.put(kind, next)
    await this.#drop(kind, next, false)
    return next
  }

  async #drop(of: Gvr, object: Stored, isOrphaning: boolean): Promise<void> {
    this.#store.drop(of, refOf(object))
    this.#fields.forget(object)
    await collectDependents(object, isOrphaning, { owners: this.#store.owners, cluster: this })
  }

  #existing(of: Gvr, ref: Ref): Stored {
    const stored = this.#store.get(of, ref)
    if (stored === undefined) throw gone(of, ref.name)
    return stored
  }

  #kind(of: Gvr): MemoryKind {
    return this.#kinds.get(kindKey(of)) ?? memoryKind(of)
  }
}

type NextObject = (stored: Built) => IncomingObject
interface Updating {
  readonly ref: Ref
  readonly prev: Built
  readonly incoming: IncomingObject
}
