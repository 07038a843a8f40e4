import type { Bytes } from '../bytes.ts'
import { Failure } from '../failure.ts'
import type { Arguments, Func } from '../func.ts'
import { STRING } from '../params.ts'
import { KeyValue, Slice } from '../values.ts'
import { matches } from './glob.ts'
import { basePath, cleanPath, dirPath } from './paths.ts'

/** Keys are names, not values: a message may have them. */
const missing = (key: Bytes) => new Failure(`key does not exist: ${key}`)

function pair(given: Arguments): KeyValue {
  const key = given.take(STRING)
  const value = given.surroundings.values.get(key)
  if (value === undefined) throw missing(key)
  return new KeyValue(key, value)
}

/** The default counts where the key is absent; an empty value is one. */
function value(given: Arguments): Bytes {
  const key = given.take(STRING)
  const [byDefault] = given.rest(STRING)
  const found = given.surroundings.values.get(key) ?? byDefault
  if (found === undefined) throw missing(key)
  return found
}

function pairs(given: Arguments): readonly KeyValue[] {
  const pattern = given.take(STRING)
  const found: KeyValue[] = []
  for (const [key, value] of given.surroundings.values) {
    if (matches(pattern, key, given.meter)) found.push(new KeyValue(key, value))
  }
  return found.sort((a, b) => byBytes(a.key, b.key))
}

/** The first names below the path. A key of that very name gives its own. */
function list(given: Arguments): Slice {
  const path = given.take(STRING)
  const terms = termsOf(path)
  const names = new Set<Bytes>()
  for (const key of given.surroundings.values.keys()) {
    given.meter.step()
    if (key === path) names.add(basePath(key))
    else if (isBelow(termsOf(dirPath(key)), terms)) names.add(termsOf(key)[terms.length] ?? '')
  }
  return strings([...names].sort(byBytes))
}

/** Of the names below the path, those that have names below them. */
function listDirectories(given: Arguments): Slice {
  const terms = termsOf(given.take(STRING))
  const names = new Set<Bytes>()
  for (const key of given.surroundings.values.keys()) {
    given.meter.step()
    const folders = termsOf(dirPath(key))
    const name = folders[terms.length]
    if (name !== undefined && isBelow(folders, terms)) names.add(name)
  }
  return strings([...names].sort(byBytes))
}

/** The root has no names: what is in it is below it, as anywhere else. */
function termsOf(path: Bytes): readonly Bytes[] {
  const clean = cleanPath(path)
  return clean === '/' ? [''] : clean.split('/')
}

const isBelow = (terms: readonly Bytes[], above: readonly Bytes[]) => above.every((term, i) => terms[i] === term)
const strings = (items: readonly Bytes[]) => new Slice('[]string', items)
export const byBytes = (a: Bytes, b: Bytes) => (a < b ? -1 : a > b ? 1 : 0)

export const KEYS: readonly (readonly [Bytes, Func])[] = [
  ['exists', { arity: 1, call: (given) => given.surroundings.values.has(given.take(STRING)) }],
  ['get', { arity: 1, call: pair }],
  ['getv', { arity: 1, isVariadic: true, call: value }],
  ['gets', { arity: 1, call: (given) => new Slice('memkv.KVPairs', pairs(given)) }],
  [
    'getvs',
    {
      arity: 1,
      call: (given) =>
        strings(
          pairs(given)
            .map(({ value }) => value)
            .sort(byBytes),
        ),
    },
  ],
  ['ls', { arity: 1, call: list }],
  ['lsdir', { arity: 1, call: listDirectories }],
]
