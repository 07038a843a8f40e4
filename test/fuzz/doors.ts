import fc from 'fast-check'
import type { Operation } from '../../src/admission/change.ts'
import type { Door } from '../../src/admission/door.ts'
import type { Built } from '../../src/cluster/port.ts'
import { isNamed } from '../../src/cluster/stored.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { sentOf, storedOf } from '../support/generated.ts'
import { kinds } from '../support/kinds.ts'
import { reviewsOf, type Sent } from '../support/reviews.ts'

/** A kind, at one of its doors. A kind joins by being in the list of kinds. */
export interface At {
  readonly kind: Kind
  readonly door: Door
}
type Given<T> = At & { readonly given: T }

export function atDoors<T>(
  phase: Door['phase'],
  casesOf: (at: At) => fc.Arbitrary<T>,
  operation?: Operation,
): fc.Arbitrary<Given<T>> {
  const places = kinds.flatMap((kind) => kind.doors.map((door) => ({ kind, door })))
  const chosen = places
    .filter(({ door }) => door.phase === phase)
    .filter(({ door }) => operation === undefined || door.operations.includes(operation))
  return fc.oneof(...chosen.map((place) => casesOf(place).map((given) => reported({ ...place, given }))))
}

/** A report names kind and door, which would fill pages. */
function reported<T>(given: Given<T>): Given<T> {
  const { kind, door } = given
  const words = () => `${kind.resource.kind} at ${door.name}: ${fc.stringify(given.given)}`
  return Object.assign(given, { [fc.toStringMethod]: words })
}

/** What the door is opened for. */
export function bodiesOf({ kind, door }: At, objects: fc.Arbitrary<unknown>): fc.Arbitrary<Tree> {
  const { creationOf, updateOf, deletionOf } = reviewsOf(kind.resource)
  const trees = objects.filter(isTree)
  const sent = sentAt(door)
  const bodies: Readonly<Record<Operation, fc.Arbitrary<Tree>>> = {
    CREATE: trees.map((object) => creationOf(object, sent)),
    UPDATE: fc.tuple(trees, trees).map(([oldObject, object]) => updateOf(oldObject, object, sent)),
    DELETE: trees.map((oldObject) => deletionOf(oldObject, sent)),
  }
  return fc.oneof(...door.operations.map((operation) => bodies[operation]))
}
export const sentAt = ({ subresource }: Door): Sent => (subresource === undefined ? {} : { subResource: subresource })

/** Its own objects, and those that it looks up. */
export function othersOf({ kind }: At): fc.Arbitrary<Built[]> {
  const readNames = kind.reads.map(({ resource }) => resource.kind)
  const requested = kinds.filter(({ resource }) => readNames.includes(resource.kind))
  return fc.array(fc.oneof(storedOf(kind), ...requested.map(storedOf)), { maxLength: 6 })
}
export const inWorld = (at: At) =>
  fc
    .tuple(bodiesOf(at, storedOf(at.kind)), othersOf(at))
    .map(([body, there]): [Tree, Built[]] => [body, besideStored(body, there)])
export const sentInWorld = (at: At) => fc.tuple(bodiesOf(at, sentOf(at.kind)), othersOf(at))

/** What is updated or deleted is stored as the request says. */
function besideStored({ request }: Tree, there: readonly Built[]): Built[] {
  const stored = isTree(request) ? request.oldObject : undefined
  if (!isNamed(stored)) return [...there]
  const { name, namespace } = stored.metadata
  const isIt = ({ kind, metadata }: Built) =>
    kind === stored.kind && metadata.name === name && metadata.namespace === namespace
  return [...there.filter((each) => !isIt(each)), stored]
}
