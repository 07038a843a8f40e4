import type { Bytes } from './bytes.ts'
import { print } from './format/printf.ts'
import type { Arguments, Func } from './func.ts'
import { ANY } from './params.ts'
import { isPrintable, runeAt } from './runes.ts'
import type { AnyValue } from './values.ts'

const HTML: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\xef\xbf\xbd',
}
const JS: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
}

/** The longest that a byte becomes. */
const MOST_GROWTH = 6

/** All arguments in one text, a missing one as an action prints it. */
function textOfAll(given: Arguments): Bytes {
  const args = given.rest(ANY)
  const [only] = args
  if (args.length === 1 && typeof only === 'string') return only
  return print(args.map(printable), given.meter)
}

const printable = (arg: AnyValue) => arg ?? '<no value>'

const escaping = (escaped: (text: Bytes) => Bytes): Func => ({
  arity: 0,
  isVariadic: true,
  call(given) {
    const text = textOfAll(given)
    given.meter.make(text.length * MOST_GROWTH)
    return escaped(text)
  },
})

export const HTML_ESCAPE = escaping((text) => text.replace(/["'&<>\0]/g, (char) => HTML[char] ?? char))

export const URL_ESCAPE = escaping((text) =>
  text.replace(/[^A-Za-z0-9\-_.~]/g, (char) => (char === ' ' ? '+' : `%${hex(char.charCodeAt(0), 2)}`)),
)

export const JS_ESCAPE = escaping((text) => {
  const parts: Bytes[] = []
  for (let at = 0; at < text.length; ) {
    const { code, width } = runeAt(text, at)
    const bytes = text.slice(at, at + width)
    const isPlain = code >= 0x20 && (code < 0x80 || isPrintable(code))
    parts.push(JS[bytes] ?? (isPlain ? bytes : `\\u${hex(code, 4)}`))
    at += width
  }
  return parts.join('')
})

const hex = (code: number, digits: number) => code.toString(16).toUpperCase().padStart(digits, '0')
