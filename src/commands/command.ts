import type { Config, Listed, Name } from '../config.ts'
import type { Family } from '../family.ts'
import type { Outside, Signals, Stop, Uncaught } from '../process/process.ts'
import type { Setting } from '../setting.ts'
import type { Completed } from './completed.ts'
import type { Known } from './known.ts'

/** The outside world of a command, passed in so that a test can replace it. */
export interface World extends Outside {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads all of standard input, once. */
  readonly stdin: () => Promise<string>
}
export type { Signals, Stop, Uncaught }

/** 0 done · 1 failed or denied · 2 wrong usage · 3 could not decide, or start */
export type ExitCode = 0 | 1 | 2 | 3

export interface Command {
  readonly settings: readonly Listed[]
  /** Defaults of this command that differ from the general ones. */
  readonly usual?: Partial<Config>
  /** Descriptions of settings that differ for this command. */
  readonly says?: Partial<Record<Name, string>>
  /** What may follow its name, as its help shows it. */
  readonly words?: string | undefined
  /** Flags of this command alone. */
  readonly flags?: readonly Setting<unknown>[] | undefined
  readonly run: (config: Config, world: World, chosen: Chosen) => Promise<ExitCode>
}

/** A command with words of its own: no flag, variable or file of ours means anything to it. */
export interface OwnWords {
  readonly completes: Pick<Completed, 'flags' | 'words'>
  readonly runWith: (args: readonly string[], world: World) => Promise<ExitCode>
}

export interface Chosen {
  /** The families that run: whatever does not is left out of all that a command does. */
  readonly families: readonly Family[]
  /** What the operator has set. */
  readonly explicit: ReadonlySet<string>
  /** All that may be set, also of families that do not run. */
  readonly known: Known
  /** Those that belong to no flag. */
  readonly words: readonly string[]
}

/** Why a command refuses a form of the answer. */
export const NO_PAGE = '-o html is no form of this command'
