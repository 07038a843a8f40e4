import type { Remotes } from './admission/mutation.ts'
import type { Kind } from './kind.ts'
import type { Controller } from './reconcile/controller.ts'
import type { Setting, Settings } from './setting.ts'

/** Kinds and controllers that run together or not at all. */
export interface Family {
  /** As --families names it. */
  readonly name: string
  /** Of its CustomResourceDefinitions: what `kubectl get` lists them all by. */
  readonly category?: string
  /** Does not run unless --families names it. */
  readonly off?: true
  readonly kinds: readonly Kind[]
  readonly controllers: (remotes: Remotes, settings: Settings) => readonly Controller[]
  /** What an operator may set of it. Their names are unique over all families and the machine's own settings. */
  readonly settings: readonly Setting<unknown>[]
}

export function kindsOf(families: readonly Family[]): readonly Kind[] {
  return families.flatMap(({ kinds }) => kinds)
}
