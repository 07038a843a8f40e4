import type { Key } from '../keys.ts'

/** A file of conf.d: which template becomes which target, with what (2.2). */
export interface TemplateResource {
  /** Its path below conf.d: logs and metrics know it by this. */
  readonly name: string
  /** The template. */
  readonly src: string
  /** The target, absolute and clean. */
  readonly dest: string
  /** With the prefix. */
  readonly keys: readonly Key[]
  /** Cut off before a template sees a key. A byte string. */
  readonly prefix: string
  /** 0 to 0777. Absent: that of the target, or 0644 for a new one. */
  readonly mode: number | undefined
  /** Absent: those of this process, which then stay as they are. */
  readonly uid: number | undefined
  readonly gid: number | undefined
  readonly check: Action | undefined
  readonly reload: Action | undefined
  readonly debounceMs: number
  readonly createDir: boolean
  /** A missing key of a map is an error. */
  readonly strict: boolean
}

/** A command as it is written: for a shell, or by its words without one. */
export interface Action {
  readonly command: string | readonly string[]
  readonly timeoutMs: number
}

/** A resource file that cannot be used. The others can. */
export interface BrokenResource {
  readonly name: string
  /** The key and the remedy. */
  readonly why: string
}

export type Loaded = TemplateResource | BrokenResource
export const isBroken = (loaded: Loaded): loaded is BrokenResource => 'why' in loaded
