// Plain scalars as the Go library of confd reads them, YAML 1.1 (SY-FILE-3).

const NULL = ['', '~', 'null', 'Null', 'NULL']
const TRUE = ['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']
const FALSE = ['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']
const SPECIAL: Readonly<Record<string, string>> = {
  '.nan': 'NaN',
  '.NaN': 'NaN',
  '.NAN': 'NaN',
  '.inf': '+Inf',
  '.Inf': '+Inf',
  '.INF': '+Inf',
  '+.inf': '+Inf',
  '+.Inf': '+Inf',
  '+.INF': '+Inf',
  '-.inf': '-Inf',
  '-.Inf': '-Inf',
  '-.INF': '-Inf',
}
const INTEGER = /^([-+]?)(?:(0[xX][\da-fA-F]+)|(0[bB][01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const LARGEST = 2n ** 63n
/** A longer one is a text, whatever it looks like. */
const LONGEST_NUMBER = 64

/** The text that a template sees; `undefined` for null, which is no value. */
export function plainText(written: string): string | undefined {
  if (NULL.includes(written)) return undefined
  if (TRUE.includes(written)) return 'true'
  if (FALSE.includes(written)) return 'false'
  return SPECIAL[written] ?? numberIn(written) ?? written
}

function numberIn(written: string): string | undefined {
  if (written.length > LONGEST_NUMBER || !/^[-+.\d]/.test(written)) return undefined
  const plain = written.replaceAll('_', '')
  const integer = integerIn(plain)
  if (integer !== undefined) return integer < LARGEST && integer >= -LARGEST ? String(integer) : written
  return FLOAT.test(plain) ? withoutExponent(Number(plain)) : undefined
}

function integerIn(plain: string): bigint | undefined {
  const [, sign, hex, binary, octal, decimal] = INTEGER.exec(plain) ?? []
  const digits = hex ?? binary ?? (octal === undefined ? decimal : `0o${octal}`)
  if (digits === undefined) return undefined
  return sign === '-' ? -BigInt(digits) : BigInt(digits)
}

/** The shortest digits that give the same number, written out. */
function withoutExponent(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  const sign = digits.startsWith('-') ? '-' : ''
  const [whole = '', part = ''] = digits.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${whole}${part}`
  return `${sign}${(whole + part).padEnd(point, '0')}`
}
