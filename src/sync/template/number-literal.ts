import type { Bytes } from './bytes.ts'

/** What a number of the template can be taken for. */
export interface NumberLiteral {
  /** Where an integer is asked for. */
  readonly integer?: bigint
  /** Where a number of its own type is asked for. */
  readonly ideal: bigint | number | Imaginary | 'overflows'
}

/** A complex number. Go has them, and nothing that makes use of them. */
export class Imaginary {
  readonly real: number
  readonly imaginary: number

  constructor(real: number, imaginary: number) {
    this.real = real
    this.imaginary = imaginary
  }
}

const MOST_INT = 2n ** 63n - 1n
const LEAST_INT = -(2n ** 63n)
const MOST_UINT = 2n ** 64n - 1n
const INTEGER =
  /^[-+]?(?:0[xX]_?[\da-fA-F](?:_?[\da-fA-F])*|0[oO]?_?[0-7](?:_?[0-7])*|0[bB]_?[01](?:_?[01])*|0|[1-9](?:_?\d)*)$/
const DECIMAL = /^[-+]?(?=\.?\d)(?:\d(?:_?\d)*)?(?:\.(?:\d(?:_?\d)*)?)?(?:[eE][-+]?\d(?:_?\d)*)?$/
const HEXADECIMAL = /^([-+]?)0[xX]((?:_?[\da-fA-F])*)(?:\.([\da-fA-F](?:_?[\da-fA-F])*)?)?[pP]([-+]?\d(?:_?\d)*)$/

/** Undefined if it is no number (SY-TPL-5). */
export function numberLiteral(source: Bytes): NumberLiteral | 'integer overflow' | undefined {
  const pair = /^(.*[\d_.])([-+].*)i$/.exec(source)
  if (pair !== null) return imaginary(floatOf(pair[1] ?? ''), floatOf(pair[2] ?? ''))
  if (source.endsWith('i')) return imaginary(0, floatOf(source.slice(0, -1)))
  const integer = integerOf(source)
  if (integer !== undefined) return integer
  const float = floatOf(source)
  if (float === undefined) return INTEGER.test(source) ? 'integer overflow' : undefined
  if (!/[.eEpP]/.test(source)) return 'integer overflow'
  return { ideal: float, ...integral(float) }
}

function integerOf(source: Bytes): NumberLiteral | undefined {
  if (!INTEGER.test(source)) return undefined
  const isNegative = source.startsWith('-')
  const size = magnitude(source.replace(/^[-+]/, '').replaceAll('_', ''))
  const value = isNegative ? -size : size
  if (value >= LEAST_INT && value <= MOST_INT) return { integer: value, ideal: value }
  return !/^[-+]/.test(source) && size <= MOST_UINT ? { ideal: 'overflows' } : undefined
}

/** BigInt reads no octal number with a plain zero before it. */
const magnitude = (digits: string) => BigInt(/^0\d/.test(digits) ? `0o${digits.slice(1)}` : digits)

function floatOf(source: string): number | undefined {
  const hex = HEXADECIMAL.exec(source)
  if (hex !== null) return hexFloat(hex)
  const value = DECIMAL.test(source) ? Number(source.replaceAll('_', '')) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

function hexFloat([, sign, whole = '', fraction = '', exponent = '']: RegExpExecArray): number | undefined {
  const [before, after] = [whole.replaceAll('_', ''), fraction.replaceAll('_', '')]
  if (before + after === '') return undefined
  const digits = Number(BigInt(`0x${before}${after}`))
  const value = digits * 2 ** (Number(exponent.replaceAll('_', '')) - 4 * after.length)
  if (!Number.isFinite(value)) return undefined
  return sign === '-' ? -value : value
}

/** An integral float is also an integer. */
function integral(float: number): { readonly integer?: bigint } {
  if (!Number.isInteger(float)) return {}
  const integer = BigInt(float)
  return integer >= LEAST_INT && integer <= MOST_INT ? { integer } : {}
}

function imaginary(real: number | undefined, part: number | undefined): NumberLiteral | undefined {
  if (real === undefined || part === undefined) return undefined
  return { ideal: new Imaginary(real, part), ...(part === 0 && integral(real)) }
}
