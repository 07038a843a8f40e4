import { IDS_AT_END } from './rule-id.ts'

const MOST = 10
export const LENGTH = 120

/** The API server drops warnings with control characters and truncates long ones (AP-9), so we shorten them ourselves. */
export function fitted(warnings: readonly string[]): readonly string[] {
  const shown = warnings.length <= MOST ? warnings : warnings.slice(0, MOST - 1)
  const fitting = shown.map((warning) => shortened(warning.replaceAll(/\p{Cc}+/gu, ' ')))
  return shown === warnings ? fitting : [...fitting, `and ${warnings.length - shown.length} more warnings`]
}

/** Of a long path its end stays, so that there is room for what the warning says of it. */
const LONG_PATH = /^\S+(?=\S{55}: )/u
/** Keeps the rule id at the end, by which the author can look the rest up. */
function shortened(warning: string): string {
  const start = warning.slice(0, 4 * LENGTH) // a character has at most two units; there may be a megabyte of them
  if ([...start].length <= LENGTH) return warning
  const brief = start.replace(LONG_PATH, '…')
  const characters = [...brief]
  if (characters.length <= LENGTH && start === warning) return brief
  const [end = ''] = IDS_AT_END.exec(warning.slice(-LENGTH / 2)) ?? []
  return `${characters.slice(0, LENGTH - 1 - end.length).join('')}…${end}`
}

interface Loss {
  readonly reason: string
  /** The text before the names in each warning. */
  readonly lost: string
  readonly names: readonly string[]
  readonly id: string
}

/** Names what is removed, in as many warnings as are allowed; the last warning counts the rest. */
export function warningsOf({ reason, lost, names, id }: Loss): readonly string[] {
  const room = LENGTH - lengthOf(`${lost}  (${id})`)
  const lines = names.length === 0 ? [] : linesOf(names, room, MOST - 1)
  return [reason, ...lines.map((line) => `${lost} ${line}`)].map((warning) => `${warning} (${id})`)
}

function linesOf(names: readonly string[], room: number, most: number): readonly string[] {
  const line = firstWithin(room, names)
  if (line.length === names.length) return [line.join(', ')]
  if (most === 1) return [lastLine(names, room)]
  return [line.join(', '), ...linesOf(names.slice(line.length), room, most - 1)]
}

function lastLine(names: readonly string[], room: number): string {
  const named = firstWithin(room - lengthOf(` and ${names.length} more`), names)
  return `${named.join(', ')} and ${names.length - named.length} more`
}

/** Takes at least one name: a name that is too long by itself is shortened when it is sent. */
function firstWithin(room: number, names: readonly string[]): readonly string[] {
  let length = 0
  for (const [at, name] of names.entries()) {
    length += lengthOf(at === 0 ? name : `, ${name}`)
    if (length > room && at > 0) return names.slice(0, at)
  }
  return names
}

export const lengthOf = (text: string) => [...text].length
