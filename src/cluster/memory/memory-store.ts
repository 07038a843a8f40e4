import { Fault } from '../../faults.ts'
import { isTree, type Tree } from '../../schema.ts'
import type { Built, Following, Gvr, Ref, Stored } from '../port.ts'
import { isStored } from '../stored.ts'
import { Owners } from './owners.ts'

type Tell = (object: Stored | undefined) => void
/** All API versions of a kind share one key, as in etcd. */
type GroupKind = Pick<Gvr, 'group' | 'kind'>
type ByName = Map<string, Stored>

export interface ObjectChange {
  readonly before?: Stored | undefined
  /** Absent when it is gone. */
  readonly now?: Stored
}
export interface ChangeListener {
  readonly begin: (there: readonly Stored[]) => void
  readonly tell: (change: ObjectChange) => void
}

/** Objects by kind, namespace and name. They are frozen, so an identical object means that no write happened. */
export class MemoryStore {
  readonly #kinds = new Map<string, Map<string, ByName>>()
  readonly #followers = new Map<string, Set<Tell>>()
  readonly #listeners = new Map<string, Set<(change: ObjectChange) => unknown>>()
  readonly owners = new Owners()
  /** An apply with resourceVersion "1" is for an object that must not exist (WK-12), so no object has it. */
  #version = 1

  get(of: GroupKind, { namespace, name }: Ref): Stored | undefined {
    return this.#kinds.get(kindKey(of))?.get(namespace)?.get(name)
  }

  /** An empty namespace lists all namespaces. */
  list(of: GroupKind, namespace: string): readonly Stored[] {
    const namespaces = this.#kinds.get(kindKey(of))
    const names = namespace === '' ? [...(namespaces?.values() ?? [])] : [namespaces?.get(namespace)]
    return names.flatMap((each) => [...(each?.values() ?? [])])
  }

  put(of: GroupKind, object: Built): Stored {
    return this.keep(of, { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version + 1) } })
  }

  /** Stores the object unchanged. */
  keep(of: GroupKind, object: Built): Stored {
    const { namespace = '', name, resourceVersion } = object.metadata
    this.#version = Math.max(this.#version, Number(resourceVersion) || 0)
    const stored = storedOf(frozen(structuredClone(object)))
    const before = this.get(of, { namespace, name })
    this.#names(of, namespace).set(name, stored)
    this.#tell(of, { namespace, name }, { before, now: stored })
    return stored
  }

  drop(of: GroupKind, ref: Ref): void {
    this.#version += 1 // a deletion is a write too
    const before = this.get(of, ref)
    this.#names(of, ref.namespace).delete(ref.name)
    this.#tell(of, ref, { before })
  }

  follow(of: GroupKind, ref: Ref, tell: Tell): Following {
    const followers = this.#followers.get(keyOf(of, ref)) ?? new Set()
    this.#followers.set(keyOf(of, ref), followers)
    const follower: Tell = (object) => followers.has(follower) && tell(object)
    followers.add(follower)
    const now = this.get(of, ref)
    later(() => follower(now))
    return { stop: () => void followers.delete(follower) }
  }

  /** Begins with all that is there. */
  watch(of: GroupKind, { begin, tell }: ChangeListener): Following {
    const listeners = this.#listeners.get(kindKey(of)) ?? new Set()
    this.#listeners.set(kindKey(of), listeners)
    const listener = (change: ObjectChange) => listeners.has(listener) && tell(change)
    listeners.add(listener)
    const there = this.list(of, '')
    later(() => listeners.has(listener) && begin(there))
    return { stop: () => void listeners.delete(listener) }
  }

  #tell(of: GroupKind, ref: Ref, change: ObjectChange): void {
    this.owners.changed(of, change.before, change.now)
    for (const follower of this.#followers.get(keyOf(of, ref)) ?? []) later(() => follower(change.now))
    for (const listener of this.#listeners.get(kindKey(of)) ?? []) later(() => listener(change))
  }

  #names(of: GroupKind, namespace: string): ByName {
    const namespaces = this.#kinds.get(kindKey(of)) ?? new Map<string, ByName>()
    const names: ByName = namespaces.get(namespace) ?? new Map()
    this.#kinds.set(kindKey(of), namespaces.set(namespace, names))
    return names
  }
}

/** The name was checked before, so the key is complete. */
export function storedOf(object: Tree): Stored {
  if (isStored(object)) return object
  throw new Fault('CLUSTER_REFUSED', 'an object without a name is not stored')
}

export const kindKey = ({ group, kind }: GroupKind) => `${kind}.${group}`
/** The apiVersion and kind of the object itself. */
export function groupKindOf({ apiVersion, kind }: Built): GroupKind {
  const [group = '', version] = String(apiVersion).split('/')
  return { group: version === undefined ? '' : group, kind: String(kind) }
}
const keyOf = (of: GroupKind, { namespace, name }: Ref) => `${kindKey(of)} ${namespace}/${name}`

/** Calls listeners in the order of the changes, after the writer has continued. A listener that throws does not affect others. */
function later(say: () => unknown): void {
  queueMicrotask(() => {
    try {
      say()
    } catch {}
  })
}

function frozen<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(frozen)
  if (isTree(value)) Object.values(value).forEach(frozen)
  return Object.freeze(value)
}
