// What Go's flag package and strconv read, and nothing else.

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True']
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False']

export function goBool(text: string): boolean | undefined {
  if (TRUE.includes(text)) return true
  return FALSE.includes(text) ? false : undefined
}

/** The prefix says the base, a leading zero alone means octal, and `_` may separate digits. */
const INTEGER = /^([+-]?)(?:(0[xX](?:_?[\da-fA-F])+)|(0[bB](?:_?[01])+)|0[oO]?((?:_?[0-7])+)|(0|[1-9](?:_?\d)*))$/
const LONGEST_INTEGER = 80

export function goInteger(text: string): bigint | undefined {
  const [, sign, hex, binary, octal, decimal] = (text.length <= LONGEST_INTEGER && INTEGER.exec(text)) || []
  const written = hex ?? binary ?? (octal === undefined ? decimal : `0o${octal}`)
  if (written === undefined) return undefined
  const value = BigInt(written.replaceAll('_', ''))
  return sign === '-' ? -value : value
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}
const PART = /(\d{1,12}(?:\.\d{0,9})?|\.\d{1,9})(ns|us|µs|μs|ms|s|m|h)/g
const LONGEST_DURATION = 64

/** Milliseconds: `300ms`, `1m30s`, or a bare number of seconds. None is negative. */
export function goDuration(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  if (text.length > LONGEST_DURATION) return undefined
  const parts = [...text.matchAll(PART)]
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join('') === text
  return isWhole ? parts.reduce((sum, [, many, unit = '']) => sum + Number(many) * (UNITS[unit] ?? 0), 0) : undefined
}
