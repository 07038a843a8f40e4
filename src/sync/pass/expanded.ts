import type { Command } from '../host/commands.ts'

export interface Paths {
  readonly src: string
  readonly dest: string
}

export type Expanded = { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly why: string }

/** What a shell takes as it is (SY-FAIL-10). */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/
const PLACE = /\{\{-?\s*\.(src|dest)\s*-?\}\}/g

/** Puts the paths in place of {{.src}} and {{.dest}}: each word by itself, or a text for a shell if they are plain. */
export function expanded(command: Command, paths: Paths): Expanded {
  const words = typeof command === 'string' ? [command] : command
  const filled = words.map((word) => word.replace(PLACE, (_, name) => (name === 'src' ? paths.src : paths.dest)))
  if (words.some((word) => word.replace(PLACE, '').includes('{{'))) return { ok: false, why: NO_TEMPLATE }
  if (typeof command !== 'string') return { ok: true, command: filled }
  const used = [...command.matchAll(PLACE)].map(([, name]) => (name === 'src' ? paths.src : paths.dest))
  if (used.every((path) => PLAIN.test(path))) return { ok: true, command: filled.join('') }
  return { ok: false, why: NOT_PLAIN }
}

const NO_TEMPLATE = 'it has {{ that is neither {{.src}} nor {{.dest}}'
const NOT_PLAIN =
  'a shell would not take the path as it is: write the command as a list, or use $CONFD_SRC and $CONFD_DEST'
