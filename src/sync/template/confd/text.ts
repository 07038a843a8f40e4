import type { Bytes } from '../bytes.ts'
import { Failure } from '../failure.ts'
import type { Arguments, Func } from '../func.ts'
import { INT, STRING, STRINGS } from '../params.ts'
import { REPLACEMENT, runeAt, runesIn, utf8 } from '../runes.ts'
import { Slice } from '../values.ts'
import { basePath, dirPath } from './paths.ts'

/** What an element of a list takes. */
const ELEMENT_BYTES = 16
/** Of one byte, by a mapping of Unicode. */
const MOST_GROWTH = 3

/** Code points whose one upper-case letter is not what JavaScript's mapping of whole texts gives. */
const UPPER_BY_8: readonly (readonly [number, number])[] = [
  [0x1f80, 0x1f87],
  [0x1f90, 0x1f97],
  [0x1fa0, 0x1fa7],
]
const UPPER_BY_9: readonly number[] = [0x1fb3, 0x1fc3, 0x1ff3]
const DOTTED_CAPITAL_I = 0x130

/** One code point for one: `ß` has no upper-case letter of its own. */
function upper(code: number): number {
  if (UPPER_BY_8.some(([from, to]) => code >= from && code <= to)) return code + 8
  return UPPER_BY_9.includes(code) ? code + 9 : single(code, String.fromCodePoint(code).toUpperCase())
}

function lower(code: number): number {
  return code === DOTTED_CAPITAL_I ? 0x69 : single(code, String.fromCodePoint(code).toLowerCase())
}

function single(code: number, mapped: string): number {
  const [first = '', ...more] = mapped
  return more.length === 0 ? (first.codePointAt(0) ?? code) : code
}

const mapping = (map: (code: number) => number): Func => ({
  arity: 1,
  call(given) {
    const text = given.take(STRING)
    given.meter.make(text.length * MOST_GROWTH)
    return Array.from(runesIn(text), ({ code }) => utf8(code === REPLACEMENT ? code : map(code))).join('')
  },
})

function split(given: Arguments): Slice {
  const [text, separator] = [given.take(STRING), given.take(STRING)]
  given.meter.make(text.length * (separator.length < 2 ? ELEMENT_BYTES : 1) + ELEMENT_BYTES)
  return new Slice('[]string', separator === '' ? characters(text) : text.split(separator))
}

/** What is no UTF-8 is split into bytes. */
function characters(text: Bytes): readonly Bytes[] {
  const found: Bytes[] = []
  for (let at = 0; at < text.length; ) {
    const { width } = runeAt(text, at)
    found.push(text.slice(at, at + width))
    at += width
  }
  return found
}

function join(given: Arguments): Bytes {
  const [{ items }, separator] = [given.take(STRINGS), given.take(STRING)]
  const texts = items.filter((item) => typeof item === 'string')
  given.meter.make(texts.reduce((sum, text) => sum + text.length + separator.length, 0))
  return texts.join(separator)
}

function replace(given: Arguments): Bytes {
  const [text, old, replacement, n] = [given.take(STRING), given.take(STRING), given.take(STRING), given.take(INT)]
  const places = placesOf(text, old, n < 0n ? Number.POSITIVE_INFINITY : Number(n))
  given.meter.make(text.length + places.length * (replacement.length + ELEMENT_BYTES))
  const parts: Bytes[] = []
  let at = 0
  for (const place of places) {
    parts.push(text.slice(at, place), replacement)
    at = place + old.length
  }
  return parts.join('') + text.slice(at)
}

/** Where the text is found, so often at most. An empty one is found before each character, and at the end. */
function placesOf(text: Bytes, old: Bytes, most: number): readonly number[] {
  const places: number[] = []
  let at = old === '' ? 0 : text.indexOf(old)
  while (at >= 0 && at <= text.length && places.length < most) {
    places.push(at)
    if (old !== '') at = text.indexOf(old, at + old.length)
    else at += at < text.length ? runeAt(text, at).width : 1
  }
  return places
}

function trimSuffix(given: Arguments): Bytes {
  const [text, suffix] = [given.take(STRING), given.take(STRING)]
  return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text
}

function encoded(given: Arguments): Bytes {
  const text = given.take(STRING)
  given.meter.make(text.length * 2)
  return Buffer.from(text, 'latin1').toString('base64')
}

function decoded(given: Arguments): Bytes {
  const text = given.take(STRING)
  given.meter.make(text.length)
  const wrong = wrongBase64(text)
  if (wrong !== undefined) throw new Failure(`illegal base64 data at input byte ${wrong}`)
  return Buffer.from(text.replace(/[\r\n]/g, ''), 'base64').toString('latin1')
}

/** Where Go says that it is none. Line ends can stand anywhere. */
function wrongBase64(text: Bytes): number | undefined {
  const foreign = text.search(/[^A-Za-z0-9+/\r\n]/)
  const end = foreign < 0 ? text.length : foreign
  const digits = text.slice(0, end).replace(/[\r\n]/g, '').length % 4
  if (foreign < 0) return digits === 0 ? undefined : end - digits
  if (text.charAt(foreign) !== '=' || digits < 2) return foreign
  return wrongPadding(text, foreign + 1, digits)
}

function wrongPadding(text: Bytes, from: number, digits: number): number | undefined {
  let at = pastLineEnds(text, from)
  if (digits === 2) {
    if (at === text.length) return at
    if (text.charAt(at) !== '=') return at - 1
    at = pastLineEnds(text, at + 1)
  }
  return at === text.length ? undefined : at
}

function pastLineEnds(text: Bytes, from: number): number {
  let at = from
  while (text.charAt(at) === '\r' || text.charAt(at) === '\n') at++
  return at
}

export const TEXT: readonly (readonly [Bytes, Func])[] = [
  ['base', { arity: 1, call: (given) => basePath(given.take(STRING)) }],
  ['dir', { arity: 1, call: (given) => dirPath(given.take(STRING)) }],
  ['split', { arity: 2, call: split }],
  ['join', { arity: 2, call: join }],
  ['toUpper', mapping(upper)],
  ['toLower', mapping(lower)],
  ['contains', { arity: 2, call: (given) => given.take(STRING).includes(given.take(STRING)) }],
  ['replace', { arity: 4, call: replace }],
  ['trimSuffix', { arity: 2, call: trimSuffix }],
  ['base64Encode', { arity: 1, call: encoded }],
  ['base64Decode', { arity: 1, call: decoded }],
]
