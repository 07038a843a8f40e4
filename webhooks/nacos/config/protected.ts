import { ANNOTATIONS } from '../names.ts'
import type { PropertyEntry } from './entries.ts'
import { matcherOf } from './patterns.ts'
import { readText } from './read.ts'
import { shown } from './shown.ts'

/** The keys that the user source may not set (NC-PRO-01). */
export interface ProtectedKeys {
  readonly includes: (key: string) => boolean
  /** Entries of the annotations that are no pattern; they are ignored (NC-PRO-02). */
  readonly bad: readonly string[]
}

/** With these keys a server reads other files too, past the list (NC-PRO-03). */
const READ_OTHERS = ['spring.config.*', 'spring.profiles.*', 'spring.application.json']

/** Those of the setting and of the internal source, whose exceptions win. */
export function protectedKeysOf(
  setting: readonly string[],
  annotations: Readonly<Record<string, string>> = {},
): ProtectedKeys {
  const own = listIn(annotations[ANNOTATIONS.protectedKeys])
  const exceptions = listIn(annotations[ANNOTATIONS.overridableKeys])
  const listed = [...setting, ...own].filter(isPattern)
  const isProtected = matcherOf(listed.length === 0 ? [] : [...listed, ...READ_OTHERS])
  const isOpen = matcherOf(exceptions.filter(isPattern))
  return {
    includes: (key) => isProtected(key) && !isOpen(key),
    bad: [...own, ...exceptions].filter((entry) => !isPattern(entry)).map(shown),
  }
}

/** Separated by commas and white space. */
const listIn = (text = '') => text.split(/[\s,]+/).filter(Boolean)
/** An asterisk stands at the end alone. */
const isPattern = (entry: string) => /^[^*]*\*?$/.test(entry)

/** The protected entries of a user source. Spring Boot trims a key, so an escaped blank hides none. */
export const protectedAmong = (entries: readonly PropertyEntry[], keys: ProtectedKeys) =>
  entries.filter(({ key }) => keys.includes(trimmed(key)))

export const protectedEntries = (source: string, keys: ProtectedKeys) => protectedAmong(readText(source).entries, keys)

/** As Java trims: all up to the blank. */
function trimmed(key: string): string {
  let [from, to] = [0, key.length]
  while (from < to && key.charCodeAt(from) <= 0x20) from += 1
  while (from < to && key.charCodeAt(to - 1) <= 0x20) to -= 1
  return key.slice(from, to)
}
