import type { Gvr, KubeObject } from '../cluster/port.ts'
import type { Key, Reference } from './controller.ts'
import { idOf } from './queue.ts'

/** Which keys refer to what: the inverse of what objects refer to. */
export class References {
  readonly #referring = new Map<string, Map<string, readonly Key[]>>()
  readonly #referred = new Map<string, readonly string[]>()

  /** What the object refers to now, in place of what it referred to before. */
  set(
    { metadata: { namespace = '', name } }: KubeObject,
    references: readonly Reference[],
    keys: readonly Key[],
  ): void {
    const object = idOf({ namespace, name })
    for (const target of this.#referred.get(object) ?? []) this.#unset(target, object)
    const targets = references.map(targetOf)
    for (const target of targets) {
      const keysBy = this.#referring.get(target) ?? new Map()
      this.#referring.set(target, keysBy.set(object, keys))
    }
    if (targets.length === 0) this.#referred.delete(object)
    else this.#referred.set(object, targets)
  }

  to(reference: Reference): readonly Key[] {
    return [...(this.#referring.get(targetOf(reference))?.values() ?? [])].flat()
  }

  #unset(target: string, object: string): void {
    const keysBy = this.#referring.get(target)
    keysBy?.delete(object)
    if (keysBy?.size === 0) this.#referring.delete(target)
  }
}

const targetOf = ({ of, key }: Reference) => `${resourceOf(of)} ${idOf(key)}`
const resourceOf = ({ group, plural }: Pick<Gvr, 'group' | 'plural'>) => `${group}/${plural}`
