import type { Bytes } from '../bytes.ts'
import { binary, type Decimal, shortest, toDigits, toPlaces } from './decimals.ts'
import { type Flags, padded } from './flags.ts'

/** Undefined: floats have no such verb. */
export function floatText(value: number, verb: string, flags: Flags): Bytes | undefined {
  if (!'vbgGxXfFeE'.includes(verb)) return undefined
  const isNegative = value < 0 || Object.is(value, -0)
  const sign = isNegative ? '-' : '+'
  if (!Number.isFinite(value)) return notFinite(value, flags)
  const plain = digitsText(Math.abs(value), verb, precisionOf(verb, flags))
  const digits = flags.sharp && verb !== 'b' ? withPoint(plain, verb, flags) : plain
  return signed(isNegative ? sign : flags.plus ? '+' : flags.space ? ' ' : '', digits, flags)
}

function notFinite(value: number, flags: Flags): Bytes {
  const sign = value < 0 ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  const shown = Number.isNaN(value) ? `${sign}NaN` : `${sign === '' ? '+' : sign}Inf`
  return padded(shown, { ...flags, zero: false })
}

/** Zeros go between the sign and the digits. */
function signed(sign: string, digits: string, flags: Flags): Bytes {
  const { zero, minus, width = 0 } = flags
  const isFilled = zero && !minus && sign !== ''
  return isFilled ? sign + digits.padStart(width - sign.length, '0') : padded(sign + digits, flags)
}

function precisionOf(verb: string, { precision }: Flags): number | undefined {
  return precision ?? ('fFeE'.includes(verb) ? 6 : undefined)
}

/** Without a sign. */
function digitsText(size: number, verb: string, precision: number | undefined): string {
  if (verb === 'b') return binaryText(size)
  if (verb === 'x' || verb === 'X') return hexText(size, precision, verb)
  if (verb === 'f' || verb === 'F') return fixedText(toPlaces(size, precision ?? 0), precision ?? 0)
  const upper = verb === 'E' || verb === 'G'
  if (verb === 'e' || verb === 'E') {
    return exponentText(toDigits(size, (precision ?? 0) + 1), precision ?? 0, upper ? 'E' : 'e')
  }
  return generalText(size, precision, upper ? 'E' : 'e')
}

/** Where no precision says otherwise. */
const EXPONENT_FROM = 6

/** The exponent form below 10^-4, and from the precision on (SY-FMT-1). */
function generalText(size: number, precision: number | undefined, letter: string): string {
  const count = precision === 0 ? 1 : precision
  const decimal = count === undefined ? shortest(size) : toDigits(size, count)
  const { digits, point } = decimal
  const exponent = point - 1
  const isShort = count !== undefined && count > digits.length && digits.length >= point
  const from = count === undefined ? EXPONENT_FROM : isShort ? digits.length : count
  if (digits !== '' && (exponent < -4 || exponent >= from)) {
    return exponentText(decimal, digits.length - 1, letter)
  }
  return fixedText(decimal, Math.max(digits.length - point, 0))
}

function fixedText({ digits, point }: Decimal, places: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0'
  if (places === 0) return whole
  const fraction = point >= 0 ? digits.slice(point) : '0'.repeat(Math.min(-point, places)) + digits
  return `${whole}.${fraction.slice(0, places).padEnd(places, '0')}`
}

function exponentText({ digits, point }: Decimal, places: number, letter: string): string {
  const [first, rest] = [digits.charAt(0) || '0', digits.slice(1).padEnd(places, '0')]
  return `${first}${places > 0 ? `.${rest}` : ''}${exponentPart(digits === '' ? 0 : point - 1, letter)}`
}

function exponentPart(exponent: number, letter: string): string {
  return `${letter}${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

function binaryText(size: number): string {
  const { mantissa, exponent } = binary(size)
  return `${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`
}

const MANTISSA_BITS = 52n
const HEX_DIGITS = 13

function hexText(size: number, precision: number | undefined, verb: string): string {
  let { mantissa, exponent } = size === 0 ? { mantissa: 0n, exponent: -52 } : binary(size)
  for (; mantissa !== 0n && mantissa >> MANTISSA_BITS === 0n; mantissa <<= 1n) exponent--
  const places = precision ?? HEX_DIGITS
  if (places < HEX_DIGITS) mantissa = rounded(mantissa, BigInt(4 * (HEX_DIGITS - places)))
  if (mantissa >> (MANTISSA_BITS + 1n) !== 0n) {
    mantissa >>= 1n
    exponent++
  }
  const all = (mantissa & ((1n << MANTISSA_BITS) - 1n)).toString(16).padStart(HEX_DIGITS, '0')
  const fraction = precision === undefined ? all.replace(/0+$/, '') : all.slice(0, places).padEnd(places, '0')
  const power = exponentPart(size === 0 ? 0 : exponent + Number(MANTISSA_BITS), 'p')
  const text = `0x${mantissa >> MANTISSA_BITS}${fraction === '' ? '' : `.${fraction}`}${power}`
  return verb === 'X' ? text.toUpperCase() : text
}

/** Half to even, to a multiple of 2^bits. */
function rounded(mantissa: bigint, bits: bigint): bigint {
  const [unit, rest] = [1n << bits, mantissa & ((1n << bits) - 1n)]
  const half = unit / 2n
  const up = rest > half || (rest === half && (mantissa & unit) !== 0n)
  return mantissa - rest + (up ? unit : 0n)
}

/** The flag # keeps the point, and of the verb g the zeros at the end. */
function withPoint(text: string, verb: string, { precision }: Flags): string {
  const cut = verb === 'x' || verb === 'X' ? text.search(/[pP]/) : text.search(/[eE]/)
  const [number, tail] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)]
  const wanted = 'vgGx'.includes(verb) ? (precision ?? 6) : 0
  const significant = number.replace('.', '').replace(/^0+/, '').length || (/^0$/.test(number) ? 1 : 0)
  const zeros = '0'.repeat(Math.max(wanted - significant, 0))
  return `${number}${number.includes('.') ? '' : '.'}${zeros}${tail}`
}
