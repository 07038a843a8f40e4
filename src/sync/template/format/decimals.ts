/** The digits of a number and where its point stands: 0.digits × 10^point. No zeros at the end; zero has no digits. */
export interface Decimal {
  readonly digits: string
  readonly point: number
}

const ZERO: Decimal = { digits: '', point: 0 }

/** The fewest digits that give the number again. */
export function shortest(size: number): Decimal {
  if (size === 0) return ZERO
  const [mantissa = '', exponent = ''] = size.toExponential().split('e')
  return { digits: trimmed(mantissa.replace('.', '')), point: Number(exponent) + 1 }
}

/** To so many digits, exact and half to even. */
export function toDigits(size: number, count: number): Decimal {
  if (size === 0) return ZERO
  const { point } = shortest(size)
  const fits = (guess: number) => scaled(size, count - guess).toString().length <= count
  const found = [point - 1, point].find(fits) ?? point + 1
  return { digits: trimmed(scaled(size, count - found).toString()), point: found }
}

/** To so many places behind the point, exact and half to even. */
export function toPlaces(size: number, places: number): Decimal {
  const digits = scaled(size, places).toString()
  return digits === '0' ? ZERO : { digits: trimmed(digits), point: digits.length - places }
}

/** The number × 10^power, rounded half to even. */
function scaled(size: number, power: number): bigint {
  const { mantissa, exponent } = binary(size)
  const [above, below] = power >= 0 ? [10n ** BigInt(power), 1n] : [1n, 10n ** BigInt(-power)]
  const numerator = mantissa * above * (exponent > 0 ? 1n << BigInt(exponent) : 1n)
  const denominator = below * (exponent < 0 ? 1n << BigInt(-exponent) : 1n)
  const [whole, rest] = [numerator / denominator, (numerator % denominator) * 2n]
  const up = rest > denominator || (rest === denominator && whole % 2n === 1n)
  return up ? whole + 1n : whole
}

/** The number as mantissa × 2^exponent. */
export function binary(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, size)
  const bits = view.getBigUint64(0)
  const raw = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  return raw === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: raw - 1075 }
}

const trimmed = (digits: string) => digits.replace(/0+$/, '')
