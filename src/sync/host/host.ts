import type { Clock } from '../../timing/clock.ts'
import type { RunCommand } from './commands.ts'
import type { Files } from './files.ts'

/** The world of a pass, handed in so that a test can replace it. */
export interface Host {
  readonly files: Files
  readonly run: RunCommand
  readonly clock: Clock
  /** Of this process. */
  readonly uid: number
  readonly gid: number
  readonly env: () => Readonly<Record<string, string | undefined>>
  readonly timeZone: string
  readonly fileExists: (path: string) => boolean
  /** Calls `changed` once it listens and after each change of what is in these folders; rejects when it cannot go on. */
  readonly follow: (folders: readonly string[], changed: () => void, signal: AbortSignal) => Promise<void>
  /** A name of twelve hexadecimal digits: six say which process it is of, and six are random. */
  readonly token: () => string
  /** Whether another process has this number. */
  readonly isOther: (pid: number) => boolean
}
