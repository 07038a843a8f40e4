const LONGEST = 64
/** At most 22 digits of exponent-free value are ever stored, so a larger exponent is compared as text. */
const LARGEST_EXPONENT = 40

const SUFFIXES: Readonly<Record<string, readonly [base: bigint, exponent: number]>> = {
  n: [10n, -9],
  u: [10n, -6],
  m: [10n, -3],
  '': [10n, 0],
  k: [10n, 3],
  M: [10n, 6],
  G: [10n, 9],
  T: [10n, 12],
  P: [10n, 15],
  E: [10n, 18],
  Ki: [2n, 10],
  Mi: [2n, 20],
  Gi: [2n, 30],
  Ti: [2n, 40],
  Pi: [2n, 50],
  Ei: [2n, 60],
}
/** Each character can belong to one part alone, so the match is linear. */
const PARTS = /^([+-]?)(\d*)(?:\.(\d*))?(?:([a-zA-Z]{0,2})|[eE]([+-]?\d{1,4}))$/

/** Compares quantities of Kubernetes by value: `0.5` is `500m`, `1024Mi` is `1Gi`. What is no quantity equals itself. */
export function isSameQuantity(one: string | number, other: string | number): boolean {
  const [left, right] = [String(one), String(other)]
  if (left === right) return true
  const value = nanosOf(left)
  return value !== undefined && value === nanosOf(right)
}

export function isQuantity(value: string | number): boolean {
  return nanosOf(String(value)) !== undefined
}

/** Whether one quantity is more than another. What is no quantity is neither more nor less. */
export function isMoreThan(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((each) => nanosOf(`${each}`))
  return left !== undefined && right !== undefined && left > right
}

/** In billionths, the smallest part that the API server stores: it rounds up to them, and caps at 2^63 - 1. */
function nanosOf(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = (text.length <= LONGEST && PARTS.exec(text)) || []
  const [base, power] = SUFFIXES[exponent === undefined ? suffix : ''] ?? []
  const ten = Number(exponent ?? 0)
  if (base === undefined || power === undefined || `${whole}${fraction}` === '') return undefined
  if (Math.abs(ten) > LARGEST_EXPONENT) return undefined
  const digits = BigInt(`${whole}${fraction}`)
  const [up, down] = scaled(base, power, ten + 9 - fraction.length)
  const nanos = (digits * up + down - 1n) / down
  const capped = nanos > LARGEST ? LARGEST : nanos
  return sign === '-' ? -capped : capped
}
const LARGEST = (2n ** 63n - 1n) * 10n ** 9n

/** A factor and a divisor, for a negative power of ten. */
function scaled(base: bigint, power: number, tens: number): readonly [up: bigint, down: bigint] {
  const exponent = base === 10n ? power + tens : tens
  const binary = base === 10n ? 1n : base ** BigInt(power)
  return exponent >= 0 ? [binary * 10n ** BigInt(exponent), 1n] : [binary, 10n ** BigInt(-exponent)]
}
