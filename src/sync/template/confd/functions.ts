import { type Bytes, bytesOf, textOf } from '../bytes.ts'
import type { Arguments, Func, Funcs } from '../func.ts'
import { GoTime } from '../moment.ts'
import { STRING } from '../params.ts'
import { ARITHMETIC } from './arithmetic.ts'
import { KEYS } from './keys.ts'
import { LISTS } from './lists.ts'
import { TEXT } from './text.ts'

const OF_MACHINE: readonly (readonly [Bytes, Func])[] = [
  ['getenv', { arity: 1, isVariadic: true, call: environment }],
  ['datetime', { arity: 0, call: ({ surroundings: { now, timeZone } }) => new GoTime(now.getTime(), timeZone) }],
  ['fileExists', { arity: 1, call: (given) => given.surroundings.fileExists(textOf(given.take(STRING))) }],
]

/** The default counts also where the variable is there and empty. */
function environment(given: Arguments): Bytes {
  const name = textOf(given.take(STRING))
  const [byDefault = ''] = given.rest(STRING)
  const { env } = given.surroundings
  const value = Object.hasOwn(env, name) ? (env[name] ?? '') : ''
  return value === '' ? byDefault : bytesOf(value)
}

/** The functions of confd (5.6). */
export const FUNCTIONS: Funcs = new Map<Bytes, Func>([...KEYS, ...TEXT, ...ARITHMETIC, ...LISTS, ...OF_MACHINE])

/** Those that are not there yet, which a template is told. */
export const LATER: ReadonlySet<Bytes> = new Set(['lookupIP', 'lookupIPV4', 'lookupIPV6', 'lookupSRV'])
