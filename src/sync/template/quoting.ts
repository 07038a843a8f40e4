import type { Bytes } from './bytes.ts'
import { isBroken, isPrintable, isRune, REPLACEMENT, type Rune, runeAt, runesIn, utf8 } from './runes.ts'

export interface QuotingOptions {
  readonly asciiOnly?: boolean
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** As Go's strconv.Quote. */
export function quoted(bytes: Bytes, { asciiOnly = false }: QuotingOptions = {}): Bytes {
  const parts: Bytes[] = ['"']
  let at = 0
  for (const rune of runesIn(bytes)) {
    parts.push(isBroken(rune) ? `\\x${hex(bytes.charCodeAt(at), 2)}` : escaped(rune.code, '"', asciiOnly))
    at += rune.width
  }
  return `${parts.join('')}"`
}

/** As Go's strconv.QuoteRune. */
export function quotedRune(code: number, { asciiOnly = false }: QuotingOptions = {}): Bytes {
  return `'${escaped(isRune(code) ? code : REPLACEMENT, "'", asciiOnly)}'`
}

function escaped(code: number, quote: string, asciiOnly: boolean): Bytes {
  const char = utf8(code)
  if (char === quote || char === '\\') return `\\${char}`
  if (isPrintable(code) && (code < 0x80 || !asciiOnly)) return char
  const short = ESCAPES[char]
  if (short !== undefined) return short
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

/** Whether a raw string can hold it. */
export function fitsRaw(bytes: Bytes): boolean {
  for (const rune of runesIn(bytes)) {
    if (isBroken(rune) || rune.code === 0xfeff || rune.code === 0x60 || rune.code === 0x7f) return false
    if (rune.code < 0x20 && rune.code !== 0x09) return false
  }
  return true
}

/** What a quoted string of the template stands for; undefined if it is none. As Go's strconv.Unquote. */
export function unquoted(literal: Bytes): Bytes | undefined {
  const inner = literal.slice(1, -1)
  if (literal.startsWith('`')) return inner.replaceAll('\r', '')
  const parts: Bytes[] = []
  for (let at = 0; at < inner.length; ) {
    const unit = unitAt(inner, at, '"')
    if (unit === undefined) return undefined
    parts.push(unit.isByte ? String.fromCharCode(unit.code) : utf8(unit.code))
    at += unit.width
  }
  return parts.join('')
}

/** The code of a character constant; undefined if it is none, `not one` if it is several. */
export function unquotedCharacter(literal: Bytes): number | 'not one' | undefined {
  const unit = unitAt(literal, 1, "'")
  if (unit === undefined) return undefined
  return literal.slice(1 + unit.width) === "'" ? unit.code : 'not one'
}

interface Unit extends Rune {
  /** It stands for a byte, not for a code point. */
  readonly isByte: boolean
}

const SIMPLE: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }
const HEX = /x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})/y
const OCTAL = /[0-3][0-7]{2}/y

function unitAt(text: Bytes, at: number, quote: string): Unit | undefined {
  const char = text.charAt(at)
  if (char === '' || char === quote || char === '\n') return undefined
  if (char !== '\\') return { ...runeAt(text, at), isByte: false }
  const next = text.charAt(at + 1)
  const simple = next === quote || next === '\\' ? next : SIMPLE[next]
  if (simple !== undefined) return { code: simple.charCodeAt(0), width: 2, isByte: true }
  return numericUnit(text, at + 1)
}

function numericUnit(text: Bytes, at: number): Unit | undefined {
  OCTAL.lastIndex = at
  const octal = OCTAL.exec(text)
  if (octal !== null) return { code: Number.parseInt(octal[0], 8), width: 4, isByte: true }
  HEX.lastIndex = at
  const found = HEX.exec(text)
  if (found === null) return undefined
  const [all, byte, short = '', long = ''] = found
  const code = Number.parseInt(byte ?? (short || long), 16)
  if (byte === undefined && !isRune(code)) return undefined
  return { code, width: 1 + all.length, isByte: byte !== undefined }
}

/** As Go prints a rune with %#U. */
export function codeAndCharacter(code: number): Bytes {
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  return isPrintable(code) ? `${number} '${utf8(code)}'` : number
}
