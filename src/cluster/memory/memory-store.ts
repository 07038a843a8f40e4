import { Fault } from '../../faults.ts'
import { isTree, type Tree } from '../../schema.ts'
import type { Built, Following, Gvr, Ref, Stored } from '../port.ts'
import { isStored } from '../stored.ts'

type Tell = (object: Stored | undefined) => void
/** Versions of a kind share one place, as in etcd. */
type GroupKind = Pick<Gvr, 'group' | 'kind'>
type ByName = Map<string, Stored>

/** Objects by kind, namespace and name, frozen: while one is the same, nobody has written it. */
export class MemoryStore {
  readonly #kinds = new Map<string, Map<string, ByName>>()
  readonly #followers = new Map<string, Set<Tell>>()
  #version = 0

  get(of: GroupKind, { namespace, name }: Ref): Stored | undefined {
    return this.#kinds.get(kindKey(of))?.get(namespace)?.get(name)
  }

  /** Of every namespace when it is empty. */
  list(of: GroupKind, namespace: string): readonly Stored[] {
    const namespaces = this.#kinds.get(kindKey(of))
    const names = namespace === '' ? [...(namespaces?.values() ?? [])] : [namespaces?.get(namespace)]
    return names.flatMap((each) => [...(each?.values() ?? [])])
  }

  put(of: GroupKind, object: Built): Stored {
    return this.keep(of, { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version + 1) } })
  }

  /** Word for word. */
  keep(of: GroupKind, object: Built): Stored {
    const { namespace = '', name, resourceVersion } = object.metadata
    this.#version = Math.max(this.#version, Number(resourceVersion) || 0)
    const stored = storedOf(frozen(structuredClone(object)))
    this.#names(of, namespace).set(name, stored)
    this.#tell(of, { namespace, name }, stored)
    return stored
  }

  drop(of: GroupKind, ref: Ref): void {
    this.#version += 1 // a deletion is a write like any other
    this.#names(of, ref.namespace).delete(ref.name)
    this.#tell(of, ref, undefined)
  }

  follow(of: GroupKind, ref: Ref, tell: Tell): Following {
    const followers = this.#followers.get(keyOf(of, ref)) ?? new Set()
    this.#followers.set(keyOf(of, ref), followers)
    const follower: Tell = (object) => followers.has(follower) && tell(object)
    followers.add(follower)
    tellLater(follower, this.get(of, ref))
    return { stop: () => void followers.delete(follower) }
  }

  #tell(of: GroupKind, ref: Ref, object: Stored | undefined): void {
    for (const follower of this.#followers.get(keyOf(of, ref)) ?? []) tellLater(follower, object)
  }

  #names(of: GroupKind, namespace: string): ByName {
    const namespaces = this.#kinds.get(kindKey(of)) ?? new Map<string, ByName>()
    const names: ByName = namespaces.get(namespace) ?? new Map()
    this.#kinds.set(kindKey(of), namespaces.set(namespace, names))
    return names
  }
}

/** After its name was checked it is one. */
export function storedOf(object: Tree): Stored {
  if (isStored(object)) return object
  throw new Fault('CLUSTER_REFUSED', 'an object without a name is not stored')
}

export const kindKey = ({ group, kind }: GroupKind) => `${kind}.${group}`
/** As the object itself says it. */
export function groupKindOf({ apiVersion, kind }: Built): GroupKind {
  const [group = '', version] = String(apiVersion).split('/')
  return { group: version === undefined ? '' : group, kind: String(kind) }
}
const keyOf = (of: GroupKind, { namespace, name }: Ref) => `${kindKey(of)} ${namespace}/${name}`

/** In the order of the changes, after whoever wrote has gone on; one that throws is nobody else's trouble. */
function tellLater(tell: Tell, object: Stored | undefined): void {
  queueMicrotask(() => {
    try {
      tell(object)
    } catch {}
  })
}

function frozen<T>(value: T): T {
  if (Array.isArray(value)) value.forEach(frozen)
  if (isTree(value)) Object.values(value).forEach(frozen)
  return Object.freeze(value)
}
