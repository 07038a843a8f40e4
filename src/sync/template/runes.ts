import type { Bytes } from './bytes.ts'

/** A code point in a byte string. Of bytes that are no UTF-8 it is U+FFFD with a width of one. */
export interface Rune {
  readonly code: number
  readonly width: number
}

export const REPLACEMENT = 0xfffd
export const MOST_CODE = 0x10ffff

const INVALID: Rune = { code: REPLACEMENT, width: 1 }

/** The smallest code that needs so many bytes: anything below is an overlong form. */
const LEAST = [0, 0, 0x80, 0x800, 0x10000]

export function runeAt(bytes: Bytes, at: number): Rune {
  const first = bytes.charCodeAt(at)
  if (first < 0x80) return { code: first, width: 1 }
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
  if (first < 0xc2 || first > 0xf4 || at + width > bytes.length) return INVALID
  let code = first & (0x7f >> width)
  for (let i = 1; i < width; i++) {
    const next = bytes.charCodeAt(at + i)
    if ((next & 0xc0) !== 0x80) return INVALID
    code = (code << 6) | (next & 0x3f)
  }
  return code < (LEAST[width] ?? 0) || !isRune(code) ? INVALID : { code, width }
}

export function* runesIn(bytes: Bytes): Generator<Rune> {
  for (let at = 0; at < bytes.length; ) {
    const rune = runeAt(bytes, at)
    yield rune
    at += rune.width
  }
}

export function countRunes(bytes: Bytes): number {
  let count = 0
  for (let at = 0; at < bytes.length; count++) at += bytes.charCodeAt(at) < 0x80 ? 1 : runeAt(bytes, at).width
  return count
}

/** Not UTF-8, which a replacement character that was written as such is. */
export const isBroken = ({ code, width }: Rune) => code === REPLACEMENT && width === 1

export const isRune = (code: number) => code >= 0 && code <= MOST_CODE && !(code >= 0xd800 && code <= 0xdfff)

export function utf8(code: number): Bytes {
  if (code >= 0 && code < 0x80) return String.fromCharCode(code)
  return Buffer.from(String.fromCodePoint(isRune(code) ? code : REPLACEMENT), 'utf8').toString('latin1')
}

const matches = (pattern: RegExp) => (code: number) => isRune(code) && pattern.test(String.fromCodePoint(code))

export const isLetterOrDigit = matches(/^[_\p{L}\p{Nd}]$/u)

/** As Go's unicode.IsPrint: of all spaces, U+0020 alone. */
export const isPrintable = matches(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u)
