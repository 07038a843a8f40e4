import type { Bytes } from '../bytes.ts'
import { quotedRune } from '../quoting.ts'
import { isPrintable, isRune, MOST_CODE, REPLACEMENT, utf8 } from '../runes.ts'
import { type Flags, padded } from './flags.ts'

interface Integer {
  readonly value: bigint
  readonly isSigned: boolean
}

const BASES: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 }
const PREFIXES: Readonly<Record<string, string>> = { b: '0b', x: '0x', X: '0X' }

/** Undefined: integers have no such verb. */
export function integerText(integer: Integer, verb: string, flags: Flags): Bytes | undefined {
  if (verb === 'v' && flags.sharpV && !integer.isSigned)
    return numberText(integer.value, 'x', { ...flags, sharp: true })
  if (BASES[verb] !== undefined) return numberText(integer.value, verb, flags)
  if (verb === 'c') return padded(utf8(runeOf(integer.value)), flags)
  if (verb === 'q') return padded(quotedRune(runeOf(integer.value), { asciiOnly: flags.plus }), flags)
  return verb === 'U' ? unicodeText(integer.value, flags) : undefined
}

function numberText(value: bigint, verb: string, flags: Flags): Bytes {
  if (flags.precision === 0 && value === 0n) return ' '.repeat(flags.width ?? 0)
  const isNegative = value < 0n
  const digits = (isNegative ? -value : value).toString(BASES[verb] ?? 10)
  const sign = isNegative ? '-' : flags.plus ? '+' : flags.space ? ' ' : ''
  const filled = (verb === 'X' ? digits.toUpperCase() : digits).padStart(leastDigits(sign, flags), '0')
  return padded(`${sign}${prefixOf(filled, verb, flags)}${filled}`, { ...flags, zero: false })
}

function leastDigits(sign: string, { precision, zero, minus, width }: Flags): number {
  if (precision !== undefined) return precision
  return zero && !minus && width !== undefined ? width - sign.length : 0
}

function prefixOf(digits: string, verb: string, { sharp }: Flags): string {
  const octal = sharp && (verb === 'o' || verb === 'O') && !digits.startsWith('0') ? '0' : ''
  return (verb === 'O' ? '0o' : '') + octal + (sharp ? (PREFIXES[verb] ?? '') : '')
}

function unicodeText(value: bigint, flags: Flags): Bytes {
  const unsigned = BigInt.asUintN(64, value)
  const digits = unsigned
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 0), '0')
  const code = Number(unsigned)
  const shown = flags.sharp && code <= MOST_CODE && isPrintable(code) ? ` '${utf8(code)}'` : ''
  return padded(`U+${digits}${shown}`, { ...flags, zero: false })
}

/** As Go converts to a rune: of what is beyond Unicode, the replacement character. */
function runeOf(value: bigint): number {
  const code = BigInt.asUintN(64, value)
  return code <= BigInt(MOST_CODE) && isRune(Number(code)) ? Number(code) : REPLACEMENT
}
