import fc from 'fast-check'
import type { Operation } from '../../src/admission/change.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { answered } from '../support/answerer-parts.ts'
import { filled, isList, isText, itemsOf, nameOf, type Place, placesIn } from '../support/filled.ts'
import { kinds } from '../support/kinds.ts'
import { CHARACTERS } from '../support/long-texts.ts'
import { reviewsOf } from '../support/reviews.ts'
import { must, type Target, target } from './target.ts'

/** Quadratic work on so many characters takes a second. */
const MOST = 30_000
const MOST_CPU_MS = 250

/** What makes the values, for they themselves would fill pages of a report. */
interface Long {
  readonly fields: readonly string[]
  readonly many: number
  readonly of: string
  readonly before: string
  readonly behind: string
  /** No text is longer than its schema takes. */
  readonly fits: boolean
}
const sign = fc.oneof(fc.constantFrom(...CHARACTERS, '', 'x', '!'), fc.string({ unit: 'binary', maxLength: 1 }))

const isOpen = (place: Place) => isText(place) && place.schema.pattern === undefined
const isLong = (place: Place) => isText(place) || isList(place)
const namesIn = ({ resource: { schema } }: Kind, which: (place: Place) => boolean) =>
  placesIn(schema).filter(which).map(nameOf)

/** Of one field, of a few, or of all that take any text. */
function longIn(kind: Kind): fc.Arbitrary<Long> {
  const one = fc.constantFrom(...namesIn(kind, isLong))
  const fields = fc.oneof(fc.uniqueArray(one, { minLength: 1, maxLength: 3 }), fc.constant(namesIn(kind, isOpen)))
  return fc.record({ fields, many: fc.nat(MOST), of: sign, before: sign, behind: sign, fits: fc.boolean() })
}
const reviewed = kinds.filter((kind) => kind.doors.length > 0 && namesIn(kind, isLong).length > 0)
const cases = fc.oneof(...reviewed.map((kind) => fc.tuple(fc.constant(kind), longIn(kind)))).map(([kind, long]) =>
  Object.assign([kind, long] as const, {
    [fc.toStringMethod]: () => `${kind.resource.kind}: ${fc.stringify(long)}`,
  }),
)

function valueAt({ steps, schema }: Place, { many, of, before, behind, fits }: Long): unknown {
  if (isList({ steps, schema })) return itemsOf(schema, many).alike
  const room = (fits && schema.maxLength) || MOST
  return `${before}${of.repeat(Math.min(many, room))}`.slice(0, room - behind.length) + behind
}

function objectWith({ resource: { schema } }: Kind, long: Long): Tree {
  const wished = placesIn(schema).filter((place) => long.fields.includes(nameOf(place)))
  const object = filled(schema, ...wished.map((place) => ({ steps: place.steps, value: valueAt(place, long) })))
  return { ...(isTree(object) && object), metadata: { name: 'a', namespace: 'demo', labels: {}, annotations: {} } }
}

function bodyOf({ resource }: Kind, operation: Operation, object: Tree): Tree {
  const { creationOf, updateOf, deletionOf } = reviewsOf(resource)
  return { CREATE: creationOf, UPDATE: (each: Tree) => updateOf(each, each), DELETE: deletionOf }[operation](object)
}

const quick = target({
  name: 'a long text of one character, or a list of equal items, costs no more than its length (SV-17)',
  share: 1,
  ofReviews: true,
  cases,
  async holds([kind, given]) {
    const [short, long] = [objectWith(kind, { ...given, fields: [] }), objectWith(kind, given)]
    for (const { path, operations } of kind.doors) {
      for (const operation of operations) {
        await answered(path, bodyOf(kind, operation, short)) // what is compiled at first does not count
        const body = bodyOf(kind, operation, long)
        const before = process.threadCpuUsage()
        await answered(path, body)
        const { user, system } = process.threadCpuUsage(before)
        must(user + system < MOST_CPU_MS * 1_000, `${operation} at ${path} took ${(user + system) / 1_000} ms`)
      }
    }
  },
})

export const longTargets: readonly Target[] = [quick]
