import { DIAGNOSTIC_WORDS } from './diagnostic-words.ts'

export interface Known {
  /** What the operator has written: the template and the command line. */
  readonly written: readonly string[]
  /** Files by their paths. */
  readonly paths: readonly string[]
  /** The file that the command was about; `undefined` when it cannot be read, or is large. */
  readonly rendered: string | undefined
}

const HIDDEN = '…'
const WORD = /[\p{L}\p{N}_]+/gu
const WORDS_AND_MARKS = /([\p{L}\p{N}_]+)/u
/** Shorter ones that the operator has written may be a piece of a value as well, such as its letters one by one. */
const SHORTEST = 3
const MARKS = /^["'`‘’“”()[\]{}<>:;,./=|-]{0,3}$/u
const HIDDEN_RUN = /…(?:[^…\s\p{L}\p{N}_]*…)+/gu
const HIDDEN_ROW = /…(?:[ \t]+…)+/g
const HIDDEN_LINES = /^…\n(?:…\n)+/gm
const LINE_NUMBER = /^(?::|: line |, line | line |: )(\d{1,7})\b/

/**
 * What a command wrote, as far as it may be logged: paths and words that the operator has written, numbers of lines,
 * and words of diagnostics that no value has a part in. A value may be quoted in any form, so all else is left out.
 */
export function shownOutput(output: string, { written, paths, rendered }: Known): string {
  const authored = new Set([...written, ...paths].flatMap((text) => text.match(WORD) ?? []).filter(isLong))
  const foreign = rendered?.replace(WORD, (word) => (authored.has(word) ? ' ' : word)).toLowerCase()
  const isPlain = (word: string) => DIAGNOSTIC_WORDS.has(word) && foreign !== undefined && !foreign.includes(word)
  const lines = (rendered?.match(/\n/g)?.length ?? 0) + 1
  const shown = once((word) => authored.has(word) || isPlain(word.toLowerCase()))
  const pieces = output
    .split(anyOf(paths))
    .map((piece, i) => (i % 2 === 1 ? piece : shownPiece(piece, i > 0, lines, shown)))
  return pieces.join('').replace(HIDDEN_RUN, HIDDEN).replace(HIDDEN_ROW, HIDDEN).replace(HIDDEN_LINES, '…\n')
}

const isLong = (word: string) => word.length >= SHORTEST

/** With a group, so that a split keeps what it splits by. */
function anyOf(paths: readonly string[]): RegExp {
  const longestFirst = [...new Set(paths)].filter(Boolean).sort((one, other) => other.length - one.length)
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])(${longestFirst.map((path) => RegExp.escape(path)).join('|')})(?![\\p{L}\\p{N}_])`,
    'u',
  )
}

/** What stands between two paths. A number of a line follows a path. */
function shownPiece(piece: string, isAfterPath: boolean, lines: number, shown: (word: string) => boolean): string {
  const [place = '', line = ''] = (isAfterPath && LINE_NUMBER.exec(piece)) || []
  const kept = Number(line) <= lines ? place : ''
  return kept + piece.slice(kept.length).replace(/\S+/g, (token) => shownToken(token, shown))
}

function shownToken(token: string, shown: (word: string) => boolean): string {
  const parts = token.split(WORDS_AND_MARKS)
  return parts.map((part, i) => ((i % 2 === 1 ? shown(part) : MARKS.test(part)) ? part : HIDDEN)).join('')
}

/** Asks once for each word. */
function once(ask: (word: string) => boolean): (word: string) => boolean {
  const known = new Map<string, boolean>()
  return (word) => {
    const answer = known.get(word) ?? ask(word)
    known.set(word, answer)
    return answer
  }
}
