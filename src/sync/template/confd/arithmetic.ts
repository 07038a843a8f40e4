import type { Bytes } from '../bytes.ts'
import { Failure } from '../failure.ts'
import type { Arguments, Func } from '../func.ts'
import { tooExpensive } from '../meter.ts'
import { INT, STRING } from '../params.ts'
import { quoted } from '../quoting.ts'
import { Slice } from '../values.ts'

const BITS = 64
const MOST_INT = 2n ** 63n - 1n
/** A decision of ours: Go knows no limit. */
const LONGEST_SEQUENCE = 100_000n

/** In 64 bits, as Go's int. */
const wrapping = (of: (a: bigint, b: bigint) => bigint): Func => ({
  arity: 2,
  call: (given) => BigInt.asIntN(BITS, of(given.take(INT), given.take(INT))),
})

const dividing = (of: (a: bigint, b: bigint) => bigint): Func =>
  wrapping((a, b) => {
    if (b === 0n) throw new Failure('runtime error: integer divide by zero')
    return of(a, b)
  })

function sequence(given: Arguments): Slice {
  const [first, last] = [given.take(INT), given.take(INT)]
  const count = last < first ? 0n : last - first + 1n
  if (count > LONGEST_SEQUENCE) throw tooExpensive(`a sequence of more than ${LONGEST_SEQUENCE} numbers`)
  given.meter.step(Number(count))
  const numbers = Array.from({ length: Number(count) }, (_, i) => first + BigInt(i))
  return new Slice('[]int', numbers, [], count === 0n)
}

function parsed(given: Arguments): bigint {
  const text = given.take(STRING)
  if (!/^[-+]?[0-9]+$/.test(text)) throw unparsable('Atoi', text, 'invalid syntax')
  const digits = text.replace(/^[-+]?0*/, '')
  const value = digits.length > BITS ? MOST_INT + 2n : BigInt(digits || '0') * (text.startsWith('-') ? -1n : 1n)
  if (value > MOST_INT || value < -MOST_INT - 1n) throw unparsable('Atoi', text, 'value out of range')
  return value
}

const BOOLS = new Map<Bytes, boolean>([
  ...(['1', 't', 'T', 'TRUE', 'true', 'True'] as const).map((word) => [word, true] as const),
  ...(['0', 'f', 'F', 'FALSE', 'false', 'False'] as const).map((word) => [word, false] as const),
])

function parsedBool(given: Arguments): boolean {
  const text = given.take(STRING)
  const value = BOOLS.get(text)
  if (value === undefined) throw unparsable('ParseBool', text, 'invalid syntax')
  return value
}

export const ARITHMETIC: readonly (readonly [Bytes, Func])[] = [
  ['add', wrapping((a, b) => a + b)],
  ['sub', wrapping((a, b) => a - b)],
  ['mul', wrapping((a, b) => a * b)],
  ['div', dividing((a, b) => a / b)],
  ['mod', dividing((a, b) => a % b)],
  ['seq', { arity: 2, call: sequence }],
  ['atoi', { arity: 1, call: parsed }],
  ['parseBool', { arity: 1, call: parsedBool }],
]

/** Go's words have the text, which may be a value of the store. */
function unparsable(name: string, text: Bytes, reason: string): Failure {
  return new Failure(`strconv.${name}: parsing ${quoted(text)}: ${reason}`, `strconv.${name}: ${reason}`)
}
