import { type Line, linesOf } from './lines.ts'

/** NC-MRG-10, NC-MRG-11: without a byte order mark, and with line feeds alone. */
export function plainOf(source: string): string {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source
  return text.replaceAll(/\r\n?/g, '\n')
}

/** The text as it is merged. Java reads the same keys and values out of it (NC-MRG-13). */
export const normalised = (source: string) => escaped(plainOf(source))

/** NC-MRG-12: a server reads ISO-8859-1. Comments stay, since no byte of them can end a line. */
export function escaped(plain: string, read?: readonly Line[]): string {
  if (!isForeign(plain)) return plain
  const lines = plain.split('\n')
  for (const { line, is, text } of read ?? linesOf(plain))
    if (is === 'property' && isForeign(text)) lines[line - 1] = text.replaceAll(UNIT, asEscape)
  return lines.join('\n')
}

/** Whether a server would read it otherwise. */
export const isForeign = (text: string) => /[^\0-\x7f]/.test(text)

/** A backslash and what it escapes are taken together, so that of two backslashes the second escapes nothing. */
const UNIT = /\\?[^\0-\x7f]|\\[\0-\x7f]/g
function asEscape(unit: string): string {
  const code = unit.charCodeAt(unit.length - 1)
  return code < 0x80 ? unit : `\\u${code.toString(16).padStart(4, '0')}`
}
