import type { Command } from '../host/commands.ts'
import { bytesOf } from '../template/bytes.ts'
import { LIMITS } from '../template/limits.ts'
import { parse, render } from '../template/template.ts'
import { TemplateError } from '../template/template-error.ts'
import { Dict } from '../template/values.ts'

export interface Paths {
  readonly src: string
  readonly dest: string
}

export type Expanded = { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly why: string }

/** What a shell takes as it is (SY-FAIL-10). */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

/** A command is a template of Go's own functions, with .src and .dest: each word by itself, or a text for a shell. */
export function expanded(command: Command, paths: Paths): Expanded {
  const isText = typeof command === 'string'
  const words = isText ? [command] : command
  if (isText && isTemplate(command) && ![paths.src, paths.dest].every((path) => PLAIN.test(path)))
    return { ok: false, why: NOT_PLAIN }
  try {
    const filled = words.map((word) => (isTemplate(word) ? filledIn(word, paths) : word))
    const why = isText ? wrongWord(filled) : wrongWords(filled)
    return why === undefined ? { ok: true, command: isText ? filled.join('') : filled } : { ok: false, why }
  } catch (error) {
    if (error instanceof TemplateError)
      return { ok: false, why: error.loggable + (error.phase === 'parse' ? LITERAL : '') }
    throw error
  }
}

const isTemplate = (word: string) => word.includes('{{')

/** Of one word of a command line Linux takes as much. */
const LONGEST_WORD = 131_071
const COMMAND_LIMITS = { ...LIMITS, outputBytes: LONGEST_WORD, steps: 10_000 }
const NOTHING = { values: new Map(), env: {}, now: new Date(0), timeZone: 'UTC', fileExists: () => false }

function filledIn(word: string, { src, dest }: Paths): string {
  const dot = new Dict(new Map(Object.entries({ src: bytesOf(src), dest: bytesOf(dest) })))
  const template = parse('command', Buffer.from(word), 'go')
  return Buffer.from(render(template, NOTHING, { dot, strict: true, limits: COMMAND_LIMITS })).toString()
}

function wrongWords(words: readonly string[]): string | undefined {
  return words[0] === '' ? NO_PROGRAM : wrongWord(words)
}

function wrongWord(words: readonly string[]): string | undefined {
  if (words.some((word) => word.includes('\0'))) return HAS_NUL
  return words.some((word) => Buffer.byteLength(word) > LONGEST_WORD) ? TOO_LONG : undefined
}

const LITERAL = '; a {{ that the command itself is to see is written {{"{{"}}'
const NO_PROGRAM = 'its first word is empty; name a program'
const TOO_LONG = `it has a word of more than ${LONGEST_WORD} bytes, which no command line can; put it into a file`
const HAS_NUL = 'it has a NUL, which no command line can'
const NOT_PLAIN =
  'a shell would not take the path as it is: write the command as a list, or use $CONFD_SRC and $CONFD_DEST'
