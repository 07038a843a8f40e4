import type { Bytes } from './bytes.ts'

/** All that the functions of a template can see. */
export interface Surroundings {
  /** Of the store: keys without the prefix, absolute and clean, and their values. */
  readonly values: ReadonlyMap<Bytes, Bytes>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: Date
  /** An IANA name, as TZ has it. */
  readonly timeZone: string
  readonly fileExists: (path: string) => boolean
}
