import { type CommentTrouble, commentTrouble } from './comments.ts'
import { malformedEscape, type PropertyEntry } from './entries.ts'
import type { Line } from './lines.ts'
import { isForeign } from './normalise.ts'
import { type ReadText, readText } from './read.ts'
import { shown } from './shown.ts'

export type LintCode = 'E1' | 'E2' | 'E3' | 'E4' | 'E7' | 'W1' | 'W2' | 'W3' | 'W9' | 'W10'

/** What is wrong with a source, without its values (spec 6.4). */
export interface LintFinding {
  readonly code: LintCode
  /** Counts from 1, in the value of the key of the ConfigMap. */
  readonly line: number
  readonly text: string
}

export const isError = ({ code }: LintFinding) => code.startsWith('E')

/** Of each kind: an answer shows no more, and a text may have a million. */
const MOST = 100

export const lint = (source: string) => findingsIn(readText(source))

/** The errors come first. */
export function findingsIn({ plain, plainLines, text, lines, entries }: ReadText): readonly LintFinding[] {
  const foreign = text === plain ? [] : plainLines.filter((line) => line.is === 'property' && isForeign(line.text))
  return [
    ...found(MALFORMED, text.includes('\\u') ? lines.filter(isMalformed) : []),
    ...found(
      ['E2', 'empty key'],
      entries.filter(({ key }) => key === ''),
    ),
    ...found(
      ['E2', 'a backslash alone'],
      lines.filter(({ is }) => is === 'lone backslash'),
    ),
    ...found(['E3', 'control character'], CONTROL.test(text) ? lines.filter((line) => CONTROL.test(line.text)) : []),
    ...troublesIn(lines),
    ...found(['W3', 'non-ASCII text, which is escaped'], foreign),
    ...keyWarnings(entries),
  ]
}

type Told = readonly [LintCode, string]
function found([code, text]: Told, lines: readonly { readonly line: number }[]): readonly LintFinding[] {
  return lines.slice(0, MOST).map(({ line }) => ({ code, line, text }))
}

const MALFORMED: Told = ['E1', 'malformed \\uxxxx escape']
const isMalformed = ({ is, text }: Line) => is === 'property' && malformedEscape(text)
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const CONTROL = /[\0-\x08\x0b\x0e-\x1f]/

const COMMENTS: Readonly<Record<CommentTrouble, Told>> = {
  malformed: MALFORMED,
  separates: ['E4', 'starts another document, and the loaders of the server differ about it'],
  swallows: ['E7', 'comment whose backslash swallows the next line'],
  ends: ['E7', 'comment that its escaped line feed ends'],
}

function troublesIn(lines: readonly Line[]): readonly LintFinding[] {
  const findings: LintFinding[] = []
  let before: Line | undefined
  for (const line of lines) {
    const trouble = line.is === 'comment' ? commentTrouble(line, before) : undefined
    if (trouble !== undefined) findings.push(...found(COMMENTS[trouble], [line]))
    before = line
  }
  return findings.slice(0, MOST)
}

/** An empty key is an error of its own. */
function keyWarnings(entries: readonly PropertyEntry[]): readonly LintFinding[] {
  const lines = new Map<string, number>()
  const warnings: LintFinding[] = []
  for (const { key, line, isBare } of entries) {
    if (key === '') continue
    const before = lines.get(key)
    lines.set(key, line)
    if (!isBare && before === undefined && !isOdd(key)) continue
    const said = warningsOf(key, isBare, before)
    warnings.push(...said.map(([code, text]) => ({ code, line, text: `key "${shown(key)}" ${text}` })))
    if (warnings.length >= MOST) return warnings
  }
  return lines.size === 0 ? [{ code: 'W9', line: 1, text: 'no property is left' }] : warnings
}

function warningsOf(key: string, isBare: boolean, before: number | undefined): readonly Told[] {
  const said: Told[] = []
  if (isBare) said.push(['W1', 'has no = or : and no value'])
  if (before !== undefined) said.push(['W2', `stands in line ${before} already; the last one counts`])
  if (COMMENTED.test(key)) said.push(['W10', 'begins a comment for Spring Boot'])
  else if (TRIMMED.test(key)) said.push(['W10', 'has white space around it, which Spring Boot takes away'])
  return said
}
const isOdd = (key: string) => COMMENTED.test(key) || TRIMMED.test(key)
const COMMENTED = /^[#!]/
/** Java's trim takes away all up to the blank. */
const TRIMMED = /^[\0- ]|[\0- ]$/
