import type { Config, Name } from '../config.ts'

/** What a command may touch of the world; handed in, so that a test can look on. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Told once, when the process is to end. */
  readonly stopped: Promise<Stop>
}
export interface Stop {
  readonly why: string
  readonly code: 0 | 1
}

/** 0 done · 1 failed or denied · 2 wrong usage · 3 could not say */
export type ExitCode = 0 | 1 | 2 | 3

export interface Command {
  readonly doc: string
  readonly settings: readonly Name[]
  readonly usual?: Partial<Config>
  readonly run: (config: Config, world: World) => Promise<ExitCode>
}
