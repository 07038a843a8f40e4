/** Runs what a resource names. */
export type RunCommand = (command: Command, options: RunOptions) => Promise<Ran>

/** A text for /bin/sh, or the words of a program. */
export type Command = string | readonly string[]

export interface RunOptions {
  readonly timeoutMs: number
  /** Beside the environment of this process. */
  readonly env: Readonly<Record<string, string>>
  /** Ends it as the timeout does. */
  readonly signal: AbortSignal
}

export interface Ran {
  readonly ok: boolean
  /** Why it is not: how it ended, never what it wrote. */
  readonly why: string
  /** The end of what it wrote, on both streams. */
  readonly output: string
}
