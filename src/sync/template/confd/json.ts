import type { Bytes } from '../bytes.ts'
import { Failure } from '../failure.ts'
import type { Arguments } from '../func.ts'
import { type CostMeter, tooExpensive } from '../meter.ts'
import { STRING } from '../params.ts'
import { quoted } from '../quoting.ts'
import { isRune, REPLACEMENT, runesIn, utf8 } from '../runes.ts'
import { type AnyValue, Dict, Slice } from '../values.ts'

/** Go reads 10,000; a template that prints one of them would need as many. */
const MOST_DEPTH = 1_000
/** What an element takes beside its text. */
const ELEMENT_BYTES = 32

const SPACE = /[ \t\r\n]*/y
/** Go reads a space at the end, and says what it expected instead where that is wrong. */
const ALLOWS_SPACE = /^(?:looking|after object|after array|in string literal)/
/** As far as it goes. */
const NUMBER = /-?(0|[1-9][0-9]*|)(\.[0-9]*)?([eE][-+]?[0-9]*)?/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is excluded
const PLAIN = /[^"\\\x00-\x1f]*/y
const ESCAPE = /\\(?:(["\\/bfnrt])|u([\da-fA-F]{4})(?:\\u([dD][c-fC-F][\da-fA-F]{2}))?)/y
const WORDS: readonly (readonly [string, AnyValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** An object, or null for a map that is nil. */
export function jsonObject(given: Arguments): Dict {
  const value = parsed(given)
  if (value === null) return new Dict(new Map(), true)
  if (value instanceof Dict) return value
  throw new Failure(`json: cannot unmarshal ${kindOf(value)} into Go value of type map[string]interface {}`)
}

export function jsonArray(given: Arguments): Slice {
  const value = parsed(given)
  if (value === null) return new Slice('[]interface {}', [], [], true)
  if (value instanceof Slice) return value
  throw new Failure(`json: cannot unmarshal ${kindOf(value)} into Go value of type []interface {}`)
}

function kindOf(value: AnyValue): string {
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Slice) return 'array'
  return value instanceof Dict ? 'object' : typeof value
}

function parsed(given: Arguments): AnyValue {
  const text = given.take(STRING)
  given.meter.make(text.length)
  return new JsonReader(text, given.meter).document()
}

/** Reads JSON as Go does: numbers are floats, the last of two names wins, and what is no UTF-8 is replaced. */
class JsonReader {
  private readonly text: Bytes
  private readonly meter: CostMeter
  private at = 0
  private depth = 0

  constructor(text: Bytes, meter: CostMeter) {
    this.text = text
    this.meter = meter
  }

  document(): AnyValue {
    const value = this.value()
    this.space()
    if (this.at < this.text.length) throw this.invalid('after top-level value')
    return value
  }

  private value(): AnyValue {
    this.meter.make(ELEMENT_BYTES)
    this.space()
    const char = this.text.charAt(this.at)
    if (char === '{') return this.nested(() => this.object())
    if (char === '[') return this.nested(() => this.array())
    if (char === '"') return this.string()
    return /[-0-9]/.test(char) ? this.number() : this.word()
  }

  private nested<T>(read: () => T): T {
    this.depth++
    if (this.depth > MOST_DEPTH) throw tooExpensive(`JSON nested more than ${MOST_DEPTH} deep`)
    this.at++
    const value = read()
    this.depth--
    return value
  }

  private object(): Dict {
    const entries = new Map<Bytes, AnyValue>()
    if (this.passed('}')) return new Dict(entries)
    do {
      this.space()
      if (this.text.charAt(this.at) !== '"') throw this.invalid('looking for beginning of object key string')
      const name = this.string()
      if (!this.passed(':')) throw this.invalid('after object key')
      entries.set(name, this.value())
    } while (this.passed(','))
    if (!this.passed('}')) throw this.invalid('after object key:value pair')
    return new Dict(entries)
  }

  private array(): Slice {
    const items: AnyValue[] = []
    if (this.passed(']')) return new Slice('[]interface {}', items)
    do items.push(this.value())
    while (this.passed(','))
    if (!this.passed(']')) throw this.invalid('after array element')
    return new Slice('[]interface {}', items)
  }

  private string(): Bytes {
    this.at++
    const parts: Bytes[] = []
    while (true) {
      parts.push(wellFormed(this.match(PLAIN)?.[0] ?? ''))
      if (this.text.charAt(this.at) === '"') break
      if (this.text.charAt(this.at) !== '\\') throw this.invalid('in string literal')
      parts.push(this.escape())
    }
    this.at++
    return parts.join('')
  }

  private escape(): Bytes {
    const found = this.match(ESCAPE)
    if (found === null) throw this.badEscape()
    const [, simple, first, second] = found
    if (simple !== undefined) return ESCAPED[simple] ?? simple
    const high = Number.parseInt(first ?? '', 16)
    if (second === undefined) return utf8(high)
    const isPair = high >= 0xd800 && high < 0xdc00
    if (isPair) return utf8(0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(second, 16) - 0xdc00))
    this.at -= '\\u0000'.length
    return utf8(isRune(high) ? high : REPLACEMENT)
  }

  private badEscape(): Failure {
    this.at++
    if (this.text.charAt(this.at) !== 'u') return this.invalid('in string escape code')
    do this.at++
    while (/[\da-fA-F]/.test(this.text.charAt(this.at)))
    return this.invalid('in \\u hexadecimal character escape')
  }

  private number(): number {
    const found = this.match(NUMBER)
    const [text = '', digits = '', fraction = '', exponent = ''] = found ?? []
    if (digits === '') throw this.invalid('in numeric literal')
    if (fraction === '.') {
      this.at -= exponent.length
      throw this.invalid('after decimal point in numeric literal')
    }
    if (/^[eE][-+]?$/.test(exponent)) throw this.invalid('in exponent of numeric literal')
    const value = Number(text)
    if (Number.isFinite(value)) return value
    const refused = 'json: cannot unmarshal number'
    throw new Failure(`${refused} ${text} into Go value of type float64`, `${refused} into Go value of type float64`)
  }

  private word(): AnyValue {
    const [word, value] = WORDS.find(([word]) => word.charAt(0) === this.text.charAt(this.at)) ?? []
    if (word === undefined || value === undefined) throw this.invalid('looking for beginning of value')
    for (const char of word) {
      if (this.text.charAt(this.at) !== char) throw this.invalid(`in literal ${word} (expecting '${char}')`)
      this.at++
    }
    return value
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (found !== null) this.at = pattern.lastIndex
    return found
  }

  private space(): void {
    this.match(SPACE)
  }

  private passed(char: string): boolean {
    this.space()
    const isThere = this.text.charAt(this.at) === char
    if (isThere) this.at++
    return isThere
  }

  /** The character may be one of a value. */
  private invalid(context: string): Failure {
    const isOver = this.at >= this.text.length
    if (isOver && ALLOWS_SPACE.test(context)) return new Failure('unexpected end of JSON input')
    const char = isOver ? ' ' : this.text.charAt(this.at)
    const shown = char === "'" ? "'\\''" : char === '"' ? `'"'` : `'${quoted(utf8(char.charCodeAt(0))).slice(1, -1)}'`
    return new Failure(`invalid character ${shown} ${context}`, `invalid character ${context}`)
  }
}

const isAscii = (text: Bytes) => /^[\0-\x7f]*$/.test(text)

function wellFormed(text: Bytes): Bytes {
  return isAscii(text) ? text : Array.from(runesIn(text), ({ code }) => utf8(code)).join('')
}
