import fc from 'fast-check'
import { entriesOf } from '../../webhooks/nacos/config/entries.ts'
import { isError, type LintFinding } from '../../webhooks/nacos/config/lint.ts'

/** Pieces of a grammar, so that random texts are full of its corners. */
const PIECES = [
  ...['a', 'b', 'key', 'u', 'n', '1', '0041', '中', 'é', '\ud800', '\ufeff', '\u000b'],
  ...['\\', '\\', '\\u', '\\u0041', '\\u00', '\\u000a', '\\n', '\\ '],
  ...['=', ':', ' ', '\t', '\f', '\n', '\n', '\r', '\r\n', '#', '!', '#', '-', '---', '#---', '[]', ','],
]
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''))

export const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_000)
/** Others with each run, unless SEED is set. */
export const textsOf = (many: number): readonly string[] => fc.sample(text, { numRuns: many, seed })

export const pairsIn = (normalisedText: string) => entriesOf(normalisedText).map(({ key, value }) => [key, value])
/** The last one of a key counts. */
export const effective = (pairs: readonly (readonly string[])[]) => [
  ...new Map(pairs.map(([key = '', value = '']) => [key, value])),
]

export const hasCode = (findings: readonly LintFinding[], ...codes: readonly string[]) =>
  findings.some(({ code }) => codes.includes(code))
/** Java reads an empty key, or the next line, where we refuse the line. */
export const hasLoneBackslash = (findings: readonly LintFinding[]) =>
  findings.some((finding) => isError(finding) && finding.text === 'a backslash alone')
