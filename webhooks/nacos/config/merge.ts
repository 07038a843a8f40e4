import { configDigest } from './digest.ts'
import type { PropertyEntry } from './entries.ts'
import { findingsIn, isError, type LintFinding } from './lint.ts'
import { type ProtectedKeys, protectedAmong } from './protected.ts'
import { readText } from './read.ts'
import { shown } from './shown.ts'

/** The content of a source; an absent reference has none, like an empty one (NC-MRG-43, NC-MRG-44). */
export interface SourceText {
  readonly owner: 'internal' | 'user'
  /** Of the ConfigMap, and the key in it, for messages. */
  readonly name: string
  readonly key: string
  readonly text: string
}

export interface MergedConfig {
  readonly text: string
  readonly digest: string
}
/** Why sources are not merged: the last configuration stays (spec 2.7). */
export interface Hold {
  readonly hold: 'MalformedProperties' | 'ProtectedKey' | 'EmptyConfig' | 'TooLarge'
  readonly message: string
}

/** A ConfigMap holds 1,048,576 bytes (NC-MRG-48). */
export const MOST_BYTES = 1_000_000

/** The final text of valid sources, or what is wrong with them. */
export function merge(sources: readonly SourceText[], protects: ProtectedKeys): MergedConfig | Hold {
  const linted = sources.map(lintedOf)
  const hold = malformed(linted) ?? forbidden(linted, protects)
  if (hold !== undefined) return hold
  const text = mergedText(textOf(linted, 'internal'), textOf(linted, 'user'))
  const bytes = bytesOver(text)
  if (bytes !== undefined) return { hold: 'TooLarge', message: tooLarge(bytes) }
  return empty(linted) ?? { text, digest: configDigest(text) }
}

interface Linted {
  readonly source: SourceText
  /** Normalised. */
  readonly text: string
  readonly entries: readonly PropertyEntry[]
  readonly findings: readonly LintFinding[]
}
function lintedOf(source: SourceText): Linted {
  const read = readText(source.text)
  return { source, text: read.text, entries: read.entries, findings: findingsIn(read) }
}

const textOf = (linted: readonly Linted[], owner: SourceText['owner']) =>
  linted.find(({ source }) => source.owner === owner)?.text ?? ''

/** Of normalised texts, the internal one first: the last one of a key counts, so the user overrides (NC-MRG-20 … 25). */
export function mergedText(internal: string, user: string): string {
  const internalPart = internal === '' ? '' : `# ===== Internal Configuration =====\n${internal}\n\n`
  const userPart = user === '' ? '' : `# ===== User Configuration =====\n${user}\n`
  return internalPart + userPart
}

/** NC-MRG-46 */
function malformed(linted: readonly Linted[]): Hold | undefined {
  for (const { source, findings } of linted) {
    const error = findings.find(isError)
    if (error !== undefined) return { hold: 'MalformedProperties', message: said(source, error.line, error.text) }
  }
  return undefined
}

/** NC-PRO-05 */
function forbidden(linted: readonly Linted[], protects: ProtectedKeys): Hold | undefined {
  const internal = linted.find(({ source }) => source.owner === 'internal')?.source
  for (const { source, entries } of linted) {
    const [entry] = source.owner === 'user' ? protectedAmong(entries, protects) : []
    if (entry === undefined) continue
    return { hold: 'ProtectedKey', message: said(source, entry.line, protectedBy(entry.key, internal?.name)) }
  }
  return undefined
}

/** NC-ADM-41, without the line. Without an internal source the setting alone protects. */
export const protectedBy = (key: string, internal: string | undefined) =>
  `key "${shown(key)}" is protected by ${internal === undefined ? 'the operator' : `ConfigMap "${internal}"`} and cannot be set here`

/** How many bytes a merged text has, if they are too many (NC-MRG-48). */
export function bytesOver(text: string): number | undefined {
  const bytes = Buffer.byteLength(text)
  return bytes > MOST_BYTES ? bytes : undefined
}
export const tooLarge = (bytes: number) =>
  `the merged configuration has ${bytes} bytes, at most ${MOST_BYTES} are allowed`

/** NC-MRG-45: of comments and blank lines alone there is nothing to boot with. */
function empty(linted: readonly Linted[]): Hold | undefined {
  const isEmpty = linted.every(({ findings }) => findings.some(({ code }) => code === 'W9'))
  return isEmpty ? { hold: 'EmptyConfig', message: 'the sources set no property at all' } : undefined
}

/** How a finding in a source is told, in conditions and refusals alike. */
export function said({ name, key }: Pick<SourceText, 'name' | 'key'>, line: number, text: string): string {
  return `ConfigMap "${name}" key "${key}" line ${line}: ${text}`
}
