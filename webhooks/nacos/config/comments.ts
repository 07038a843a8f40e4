import type { Line } from './lines.ts'

/** What the loader of Spring Boot makes of a line that is a comment for Java. */
export type CommentTrouble = 'malformed' | 'swallows' | 'ends' | 'separates'

/**
 * The loader looks for a separator of documents at the start of a comment, and reads escapes meanwhile (NC-PRP-10,
 * NC-PRP-12 (a)). Directly behind a comment with the same prefix it does not look.
 */
export function commentTrouble({ line, text }: Line, before: Line | undefined): CommentTrouble | undefined {
  if (!text.includes('\\') && !text.includes('---')) return undefined
  const { indent, prefix, rest } = partsOf(text)
  const isBehindComment = before?.is === 'comment' && before.line === line - 1
  if (isBehindComment && partsOf(before.text).prefix === prefix) return undefined
  const units = asRead(rest.slice(0, FURTHEST)).match(UNIT) ?? []
  const hyphens = indent === '' ? hyphensIn(units) : 0
  const looked = indent === '' ? Math.min(hyphens + 2, MOST) : 1
  const seen = units.slice(0, looked)
  if (seen.includes('\\u')) return 'malformed'
  if (seen.includes('\\')) return 'swallows'
  if (LINE_FEEDS.includes(seen[looked - 1] ?? '')) return 'ends'
  return hyphens === 3 && BLANK.test(rest.slice(units.slice(0, 3).join('').length)) ? 'separates' : undefined
}

function partsOf(comment: string) {
  const [, indent = '', prefix = '', rest = ''] = COMMENT.exec(comment) ?? []
  return { indent, prefix, rest }
}

/** The loader counts bytes (NC-PRP-11). */
const asRead = (text: string) => Buffer.from(text).toString('latin1')

function hyphensIn(units: readonly string[]): number {
  const other = units.slice(0, 3).findIndex((unit) => !HYPHENS.includes(unit))
  return other < 0 ? Math.min(units.length, 3) : other
}

const COMMENT = /^([ \t\f]*)([#!])(.*)$/s
const BLANK = /^[ \t\f]*$/
const UNIT = /\\u[0-9a-fA-F]{4}|\\.|./gs
const HYPHENS = ['-', '\\-', '\\u002d', '\\u002D']
const LINE_FEEDS = ['\\n', '\\u000a', '\\u000A']
/** Three hyphens and one character more. */
const MOST = 4
/** Each of them may be an escape of six. */
const FURTHEST = 6 * MOST
