import type { Gvr, Stored } from '../port.ts'
import { refOf } from '../stored.ts'

export interface Dependent {
  readonly of: Pick<Gvr, 'group' | 'kind'>
  readonly object: Stored
}

/** Which objects there are, and which of them name which owner. */
export class Owners {
  readonly #there = new Set<string>()
  readonly #dependents = new Map<string, Map<string, Dependent>>()

  changed(of: Dependent['of'], before: Stored | undefined, now: Stored | undefined): void {
    if (before !== undefined) this.#remove(of, before)
    if (now !== undefined) this.#add({ of, object: now })
  }

  isThere(uid: string): boolean {
    return this.#there.has(uid)
  }

  dependentsOf(uid: string): readonly Dependent[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])]
  }

  #add(dependent: Dependent): void {
    const { uid = '', ownerReferences } = dependent.object.metadata
    this.#there.add(uid)
    for (const owner of ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid) ?? new Map<string, Dependent>()
      this.#dependents.set(owner.uid, dependents.set(keyOf(dependent), dependent))
    }
  }

  #remove(of: Dependent['of'], object: Stored): void {
    const { uid = '', ownerReferences } = object.metadata
    this.#there.delete(uid)
    for (const owner of ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid)
      dependents?.delete(keyOf({ of, object }))
      if (dependents?.size === 0) this.#dependents.delete(owner.uid)
    }
  }
}

function keyOf({ of: { group, kind }, object }: Dependent): string {
  const { namespace, name } = refOf(object)
  return `${kind}.${group} ${namespace}/${name}`
}
