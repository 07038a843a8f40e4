import type { Remotes } from './admission/mutation.ts'
import type { ClusterReader } from './cluster/port.ts'
import type { OwnConfig } from './config.ts'
import type { Fact } from './fact.ts'
import type { Defined, Kind } from './kind.ts'
import type { Metric } from './metric.ts'
import type { Controller } from './reconcile/controller.ts'
import type { OpenCloudflare } from './remote/cloudflare/port.ts'
import type { Setting, Settings } from './setting.ts'

/** Kinds and controllers that run together or not at all. */
export interface Family {
  /** The name in --families. */
  readonly name: string
  /** The category of its CustomResourceDefinitions, by which `kubectl get` lists them all. */
  readonly category?: string
  /** Runs only if --families names it. */
  readonly off?: true
  /** `running`: the names of all families that run. */
  readonly kinds: (settings: Settings, running: readonly string[]) => readonly Kind[]
  /** Definitions of kinds of others, for clusters where the others are not. */
  readonly defines?: (settings: Settings) => readonly Defined[]
  readonly controllers: (remotes: ControllerRemotes, settings: Settings) => readonly Controller[]
  /** Its settings. Their names are unique among all families and the machine's own settings. */
  readonly settings: readonly Setting<unknown>[]
  /** What each of its processes finds out by itself. */
  readonly facts?: readonly Fact<unknown>[]
  /** Its own metrics, in the process that serves its reviews and in the one that runs its controllers. */
  readonly metrics?: readonly Metric[]
  readonly commands?: readonly FamilyCommand[]
}

/** The external systems that controllers use. No review waits for another system than those of `Remotes`. */
export interface ControllerRemotes extends Remotes {
  readonly cloudflare: OpenCloudflare
}

export const factsIn = (families: readonly Family[]): readonly Fact<unknown>[] =>
  families.flatMap(({ facts = [] }) => facts)

export const familyNames = (families: readonly Pick<Family, 'name'>[]) => families.map(({ name }) => name)

export function kindsOf(families: readonly Family[], settings: Settings): readonly Kind[] {
  return families.flatMap(({ kinds }) => kinds(settings, familyNames(families)))
}

export function controllersOf(
  families: readonly Family[],
  remotes: ControllerRemotes,
  settings: Settings,
): readonly Controller[] {
  return families.flatMap(({ controllers }) => controllers(remotes, settings))
}

/** A command of a family. It looks at a cluster as the person who asks, and writes nothing. */
export interface FamilyCommand {
  /** One or two words. */
  readonly name: string
  readonly doc: string
  /** What follows its name, as the help shows it: `NAMESPACE/NAME`. Without it no word may follow. */
  readonly words?: string
  /** Flags of this command alone, beside --kubeconfig, --namespace, --output and the settings of families. */
  readonly flags?: readonly Setting<unknown>[]
  /** What --namespace stands for, and its default. */
  readonly namespace?: { readonly says: string; readonly usual: string }
  /** May look at the objects of files instead: -f FILE|DIR. */
  readonly ofFiles?: true
  readonly run: (asked: CommandQuestion) => Promise<CommandAnswer>
}
export interface CommandQuestion {
  readonly live: ClusterReader
  readonly namespace: OwnConfig['namespace']
  readonly words: readonly string[]
  /** Those of families, and the flags of the command. */
  readonly settings: Settings
}
/** Printed as text, as JSON with -o json, or as a page with -o html where there is one. */
export interface CommandAnswer {
  readonly text: string
  readonly page?: string
  readonly data: unknown
  /** 1: it is not as it should be; 2: the words are not understood; 3: that cannot be told. */
  readonly code: 0 | 1 | 2 | 3
}
