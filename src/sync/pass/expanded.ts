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
    if (filled.some((word) => word.includes('\0'))) return { ok: false, why: HAS_NUL }
    return { ok: true, command: isText ? filled.join('') : filled }
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, why: error.loggable }
    throw error
  }
}

const isTemplate = (word: string) => word.includes('{{')

/** Of a command line Linux takes as much. */
const COMMAND_LIMITS = { ...LIMITS, outputBytes: 131_071, steps: 10_000 }
const NOTHING = { values: new Map(), env: {}, now: new Date(0), timeZone: 'UTC', fileExists: () => false }

function filledIn(word: string, { src, dest }: Paths): string {
  const dot = new Dict(new Map(Object.entries({ src: bytesOf(src), dest: bytesOf(dest) })))
  const template = parse('command', Buffer.from(word), 'go')
  return Buffer.from(render(template, NOTHING, { dot, strict: true, limits: COMMAND_LIMITS })).toString()
}

const HAS_NUL = 'it has a NUL, which no command line can'
const NOT_PLAIN =
  'a shell would not take the path as it is: write the command as a list, or use $CONFD_SRC and $CONFD_DEST'
