import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Operation } from '../../src/admission/change.ts'
import type { Built } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { anyJson, sentOf } from '../support/generated.ts'

/** What API servers sent, as text: of all kinds, and of ours. */
const FOLDERS = ['reviews', 'ttemplate-reviews'].map((name) => new URL(`../fixtures/${name}/`, import.meta.url))
const RECORDED: readonly (readonly string[])[] = FOLDERS.map((folder) =>
  readdirSync(folder)
    .filter((file) => /\.(mutate|validate)(\.\d+)?\.json$/.test(file))
    .map((file) => readFileSync(new URL(file, folder), 'utf8')),
)

/** Every object of our kinds in them. */
export const SEEN: readonly Built[] = (RECORDED[1] ?? []).flatMap((text) => {
  const { request } = JSON.parse(text)
  return [request.object, request.oldObject].filter(isStored)
})

/** A text of one of them as it came. */
export const recordedText = fc.oneof(...RECORDED.map((texts) => fc.constantFrom(...texts)))

const KEYS = ['__proto__', 'constructor', 'toString', 'a/b~c', '', 'metadata', 'labels', 'annotations', 'name', 'spec']
const number = fc.noBias(fc.nat())
const odd = fc.oneof(anyJson, fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(-0, 1e308, 2 ** 53 + 2, {}))

/** Where: at each level the field of that number, the last of them changed. */
const edit = fc.record({
  where: fc.array(number, { minLength: 1, maxLength: 8 }),
  what: fc.oneof(
    fc.constant({ does: 'remove' as const }),
    fc.record({ does: fc.constant('replace' as const), by: odd }),
    fc.record({ does: fc.constant('insert' as const), key: fc.constantFrom(...KEYS), by: odd }),
    fc.record({ does: fc.constant('copy' as const), from: fc.array(number, { minLength: 1, maxLength: 4 }) }),
    fc.constant({ does: 'wrap' as const }),
  ),
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

/** A recorded review after some edits anywhere in it. */
export const editedReview = fc
  .record({ text: recordedText, edits: fc.array(edit, { maxLength: 4 }) })
  .map(({ text, edits }) => edits.reduce((body: unknown, each) => edited(body, each), JSON.parse(text)))

/** The same, sent as if it were about one of these kinds, and perhaps with objects of it. */
export function addressedReview(kinds: readonly Kind[]): fc.Arbitrary<unknown> {
  const addresses = fc.oneof(...kinds.flatMap((kind) => subresourcesOf(kind).map((each) => addressOf(kind, each))))
  return fc
    .tuple(editedReview, fc.option(addresses))
    .map(([body, address]) => (address === null ? body : addressed(body, address)))
}

const subresourcesOf = ({ doors }: Kind) =>
  new Set([undefined, ...doors.map(({ subresource }) => subresource)]).keys().toArray()

function addressOf(kind: Kind, subResource: string | undefined): fc.Arbitrary<Tree> {
  const { group, version, plural, kind: name } = kind.resource
  const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE']
  const to = {
    kind: fc.constant({ group, version, kind: name }),
    resource: fc.constant({ group, version, resource: plural }),
    subResource: fc.constant(subResource),
  }
  const what = { operation: fc.constantFrom(...operations), object: sentOf(kind), oldObject: sentOf(kind) }
  return fc.record({ ...to, ...what }, { requiredKeys: ['kind', 'resource', 'subResource'] })
}

function addressed(body: unknown, address: Tree): unknown {
  return isTree(body) && isTree(body.request) ? { ...body, request: { ...body.request, ...address } } : body
}

function edited(body: unknown, { where, what }: Edit): unknown {
  const place = placeIn(body, where)
  if (place === undefined) return what.does === 'replace' ? what.by : body
  const { holder, key } = place
  switch (what.does) {
    case 'remove':
      Reflect.deleteProperty(holder, key)
      break
    case 'replace':
      write(holder, key, what.by)
      break
    case 'insert':
      write(holder, Array.isArray(holder) ? key : what.key, what.by)
      break
    case 'copy':
      write(holder, key, structuredClone(valueAt(placeIn(body, what.from))))
      break
    case 'wrap':
      write(holder, key, [Reflect.get(holder, key)])
  }
  return body
}

interface Place {
  readonly holder: Tree | unknown[]
  readonly key: string
}

function placeIn(body: unknown, where: readonly number[]): Place | undefined {
  let place: Place | undefined
  let value = body
  for (const step of where) {
    if (!isTree(value) && !Array.isArray(value)) break
    const keys = Object.keys(value)
    const key = keys[step % keys.length]
    if (key === undefined) break
    place = { holder: value, key }
    value = valueAt(place)
  }
  return place
}

const valueAt = (place: Place | undefined): unknown =>
  place === undefined ? null : Object.getOwnPropertyDescriptor(place.holder, place.key)?.value

/** As data, whatever the key. */
function write(holder: object, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

/** A text cut, turned over in places, and with pieces of itself where they do not belong. */
export function damaged(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const odds = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    'null',
    '1e400',
    '-0',
    '9007199254740993',
    '\0',
    '\uD800',
    '"__proto__":{},',
    '"uid":1,',
    '[[[[',
    '\uFEFF',
  )
  const damage = fc.record({
    from: number,
    length: fc.nat(40),
    by: fc.oneof(odds, fc.constant(''), fc.string()),
    twice: fc.boolean(),
  })
  return fc.tuple(text, fc.array(damage, { minLength: 1, maxLength: 4 })).map(([whole, damages]) =>
    damages.reduce((begun, { from, length, by, twice }) => {
      const at = from % (begun.length + 1)
      const cut = begun.slice(at, at + length)
      return begun.slice(0, at) + by + (twice ? cut + cut : '') + begun.slice(at + length)
    }, whole),
  )
}
