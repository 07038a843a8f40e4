import type { Remotes } from './admission/mutation.ts'
import type { Fact } from './fact.ts'
import type { Defined, Kind } from './kind.ts'
import type { Metric } from './metric.ts'
import type { Controller } from './reconcile/controller.ts'
import type { Setting, Settings } from './setting.ts'

/** Kinds and controllers that run together or not at all. */
export interface Family {
  /** The name in --families. */
  readonly name: string
  /** The category of its CustomResourceDefinitions, by which `kubectl get` lists them all. */
  readonly category?: string
  /** Runs only if --families names it. */
  readonly off?: true
  readonly kinds: (settings: Settings) => readonly Kind[]
  /** Definitions of kinds of others, for clusters where the others are not. */
  readonly defines?: (settings: Settings) => readonly Defined[]
  readonly controllers: (remotes: Remotes, settings: Settings) => readonly Controller[]
  /** Its settings. Their names are unique among all families and the machine's own settings. */
  readonly settings: readonly Setting<unknown>[]
  /** What each of its processes finds out by itself. */
  readonly facts?: readonly Fact<unknown>[]
  /** Its own metrics, in the process that serves its reviews and in the one that runs its controllers. */
  readonly metrics?: readonly Metric[]
}

export const factsIn = (families: readonly Family[]): readonly Fact<unknown>[] =>
  families.flatMap(({ facts = [] }) => facts)

export function kindsOf(families: readonly Family[], settings: Settings): readonly Kind[] {
  return families.flatMap(({ kinds }) => kinds(settings))
}

export function controllersOf(
  families: readonly Family[],
  remotes: Remotes,
  settings: Settings,
): readonly Controller[] {
  return families.flatMap(({ controllers }) => controllers(remotes, settings))
}
