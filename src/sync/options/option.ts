import { goBool, goDuration, goInteger } from './go-values.ts'

/** How a kind of value is written, on the command line and in TOML. `undefined`: it is none of this kind. */
export interface ValueKind<T> {
  /** For messages. */
  readonly says: string
  readonly is: (value: unknown) => value is T
  readonly ofText: (text: string) => T | undefined
  /** Integers of TOML arrive as bigint. */
  readonly ofToml: (value: unknown) => T | undefined
  /** Its place in the usage; a switch has none. */
  readonly word: string
}

/** An option of confd, or one of ours beside them. */
export interface Option<T> {
  readonly kind: ValueKind<T>
  /** What it is when nothing is given. */
  readonly usual: T
  readonly doc: string
  /** Absent: it has no flag. */
  readonly flag?: string
  /** Absent: it does not stand in confd.toml. */
  readonly key?: string
  /** It is known, and not supported: who gives it is told so, in these words. */
  readonly not?: string
}

const isText = (value: unknown) => typeof value === 'string'
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
export const isList = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)

export const TEXT: ValueKind<string> = {
  says: 'a string',
  word: 'TEXT',
  is: isText,
  ofText: (text) => text,
  ofToml: (value) => (isText(value) ? value : undefined),
}

export const FLAG: ValueKind<boolean> = {
  says: 'true or false',
  word: '',
  is: (value) => typeof value === 'boolean',
  ofText: goBool,
  ofToml: (value) => (typeof value === 'boolean' ? value : undefined),
}

export const INTEGER: ValueKind<number> = {
  says: 'an integer',
  word: 'NUMBER',
  is: isWhole,
  ofText: (text) => wholeOf(goInteger(text)),
  ofToml: (value) => (typeof value === 'bigint' ? wholeOf(value) : undefined),
}

function wholeOf(value: bigint | undefined): number | undefined {
  const number = Number(value)
  return isWhole(number) ? number : undefined
}

/** In milliseconds. */
export const DURATION: ValueKind<number> = {
  says: 'a duration like 300ms or 1m30s, or a number of seconds',
  word: 'DURATION',
  is: (value) => typeof value === 'number',
  ofText: goDuration,
  ofToml: (value) => (isText(value) || typeof value === 'bigint' ? goDuration(String(value)) : undefined),
}

export const LIST: ValueKind<readonly string[]> = {
  says: 'a list of strings',
  word: 'TEXT…',
  is: isList,
  ofText: (text) => [text],
  ofToml: (value) => (isList(value) ? value : undefined),
}

/** Commas separate as well (SY-CLI-6). */
export const NODES: ValueKind<readonly string[]> = {
  ...LIST,
  ofText: (text) => text.split(',').filter((node) => node !== ''),
}
