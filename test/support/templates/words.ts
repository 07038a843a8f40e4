import fc from 'fast-check'

/** The words that templates and stores are made of. */

export const KEYS = [
  '/a',
  '/b',
  '/b/x',
  '/b/y',
  '/b/long-name',
  '/c/1/p',
  '/c/1/q',
  '/c/2/p',
  '/e',
  '/i',
  '/j',
  '/l',
  '/u',
]
export const PATTERNS = [
  '/*',
  '/b/*',
  '/c/*/p',
  '/c/?/*',
  '/[a-e]',
  '/[^a-c]',
  '/b/[xy]',
  '/nope/*',
  '/b/l*-n*e',
  '/\\a',
  '/[',
  '/*[a',
]
export const FOLDERS = ['/b', '/b/', '/c', '/c/1', '/c/3', '/a', '/nope', 'b', '']

export const spelled = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f')
const character = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...'abcXYZ019 /.,-_:'.split('')) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('é', 'ß', 'ǆ', 'Σ', '世', '🙂', '\u00a0', '\u2028', '\ufeff', '\ufffd', 'ᾳ'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('"', "'", '<', '&', '\\', '\n', '\t', '%', '=', '\u0001', '\u007f', '{{', '}}'),
  },
)
export const anyText = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''))

/** Of values with a form: numbers, JSON, names with separators. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value))
export const shaped = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '12',
    '-7',
    'true',
    'false',
    'T',
    'a,b,c',
    'x:y',
    'dmFsdWU=',
    '1e3',
    '[1,"a",null]',
    '{"k":1}',
  ),
  fc.constantFrom('{"host":"h","port":80,"list":[1,2.5,"x",{"y":null}]}', '[', '{}', '[]', 'null', '{"k":1,"k":2}'),
  json,
)
export const anyStore: fc.Arbitrary<ReadonlyMap<string, string>> = fc
  .tuple(...KEYS.map((key) => fc.option(fc.oneof(anyText, shaped)).map((value) => [key, value] as const)))
  .map((entries) => new Map(entries.flatMap(([key, value]) => (value === null ? [] : [[key, value] as const]))))

const flags = fc.constantFrom(
  '',
  '',
  '',
  '-',
  '+',
  '#',
  '0',
  ' ',
  '+#',
  '-0',
  '05',
  '8',
  '-8',
  '.2',
  '6.3',
  '.0',
  '*',
  '.*',
  '#+',
)
/** Not p, which prints addresses. */
const verb = fc.constantFrom(...'vvvdddsssqxXtTgfeEGFbocUOw%z'.split(''), '[1]v', '[2]d', '[9]s', 'é', '[x]d', '')
const directive = fc.tuple(flags, verb).map(([flag, letter]) => `%${flag}${letter}`)
export const format = fc
  .array(fc.oneof(anyText, directive, directive), { maxLength: 4 })
  .map((parts) => spelled(parts.join('')))

export const oneOf = (texts: readonly string[]) => fc.constantFrom(...texts)

const NUMBERS = `0 1 2 -1 +3 0x1F 0o17 017 0b101 1_000 'a' '\\n' 'é' 0xF_F -0`.split(' ')
const EXTREMES = ['9223372036854775807', '-9223372036854775808', '1i', '1+2i']
const FLOATS = '1.0 1.5 -0.0 .5 1. 1e3 1e6 1e20 0.1 0x1p4 2.5 1e-7 123456789.0 1_0.5'.split(' ')

export const literalNumber = fc.oneof(
  oneOf(NUMBERS),
  fc.integer({ min: -10_000, max: 10_000 }).map(String),
  oneOf(EXTREMES),
)
export const literalFloat = fc.oneof(
  oneOf(FLOATS),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (/[.e]/.test(`${value}`) ? `${value}` : `${value}.0`)),
)
