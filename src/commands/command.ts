import type { Config, Name } from '../config.ts'
import type { Family } from '../family.ts'

/** What a command may touch of the world; handed in, so that a test can look on. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  /** All that comes in, once. */
  readonly stdin: () => Promise<string>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Tells once when the process is to end; a second signal waits for nobody. Who does not ask is ended by the first. */
  readonly untilStopped: (uncaught: Uncaught) => Promise<Stop>
}
/** Hears of each error that nobody caught, by Node's name for it; the first of them stops the process. */
export type Uncaught = (why: string, error: unknown) => void
export interface Stop {
  readonly why: string
  readonly code: 0 | 1
}

/** 0 done · 1 failed or denied · 2 wrong usage · 3 could not say, or start */
export type ExitCode = 0 | 1 | 2 | 3

export interface Command {
  readonly settings: readonly Name[]
  /** Defaults that are its own. */
  readonly usual?: Partial<Config>
  /** What a setting means to it, where that is not what it means to the others. */
  readonly says?: Partial<Record<Name, string>>
  readonly run: (config: Config, world: World, chosen: Chosen) => Promise<ExitCode>
}

export interface Chosen {
  /** The families that run: whatever does not is left out of all that a command does. */
  readonly families: readonly Family[]
  /** What the operator has set. */
  readonly told: ReadonlySet<Name>
}
