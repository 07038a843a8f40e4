import { describe, expect, it } from 'vitest'
import type { Operation } from '../../src/admission/change.ts'
import type { Kind } from '../../src/kind.ts'
import { LAST_APPLIED } from '../../src/kube/metadata.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { draftOf, outlineOf, validator } from '../../src/schema-check.ts'
import { ANNOTATIONS, LABELS } from '../../webhooks/tars/names.ts'
import { answered } from '../support/answerer-parts.ts'
import { filled, isList, isText, itemsOf, nameOf, type Place, placesIn, type Wish } from '../support/filled.ts'
import { kinds } from '../support/kinds.ts'
import { CHARACTERS, longTexts } from '../support/long-texts.ts'
import { reviewsOf } from '../support/reviews.ts'

const MOST_MS = 50
const MANY = 10_000
const SORTS = ['alike', 'different'] as const
/** Mutations meet texts that no schema has checked yet. At this length a quadratic expression takes 400 ms. */
const LONG = 20_000
/** The machine may be busy; what counts is the time of computing. */
const TIME = 120_000
/**
 * A busy machine computes more slowly, too: then what takes longer takes no more than so many times what half of it does
 * (twice if it is linear, four times if it is quadratic), and never so many times the limit.
 */
const MOST_OF_HALF = 2.75
const SLOWEST = 3

interface Subject {
  readonly name: string
  readonly kind: Kind
}
const placesOf = (kind: Kind, which: (place: Place) => boolean) =>
  placesIn(kind.resource.schema)
    .filter(which)
    .map((place) => ({ name: `${kind.resource.kind} ${nameOf(place)}`, kind, place }))
const texts = kinds.flatMap((kind) => placesOf(kind, isText))
const lists = kinds.flatMap((kind) => placesOf(kind, isList))
const twoLists = kinds.flatMap((kind) => {
  const outer = placesOf(kind, (place) => isList(place) && !nameOf(place).includes('[]'))
  return outer.flatMap((one, at) =>
    outer
      .slice(at + 1)
      .map((other) => ({ ...one, name: `${one.name} and ${nameOf(other.place)}`, other: other.place })),
  )
})

const allOf = (keys: Readonly<Record<string, string>>, text: string) =>
  Object.fromEntries([...Object.values(keys), LAST_APPLIED].map((key) => [key, text]))
const METADATA: Readonly<Record<string, (text: string) => Tree>> = {
  name: (name) => ({ name }),
  generateName: (generateName) => ({ name: undefined, generateName }),
  labels: (text) => ({ labels: allOf(LABELS, text) }),
  annotations: (text) => ({ annotations: allOf(ANNOTATIONS, text) }),
}
const manyFrom = (length: number, prefix: string, value: string) =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`${prefix}${at}`, value]))
/** Labels and annotations that mutations remove one by one. */
const MAPS: Readonly<Record<string, (many: number) => Tree>> = {
  labels: (many) => ({ labels: manyFrom(many, 'tars.io/Supported.', 'x') }),
  annotations: (many) => ({ annotations: manyFrom(many, 'a/', 'the password: secret1') }),
}
const maps = kinds.flatMap((kind) =>
  Object.entries(MAPS).map(([part, having]) => ({ name: `${kind.resource.kind} metadata.${part}`, kind, having })),
)
const PASSWORD = ['spec', 'authentication', 'password']
const metadata = kinds.flatMap((kind) =>
  Object.entries(METADATA).map(([part, having]) => ({ name: `${kind.resource.kind} metadata.${part}`, kind, having })),
)

function objectOf({ resource }: Kind, wishes: readonly Wish[] = [], having: Tree = {}): Tree {
  const object = filled(resource.schema, ...wishes)
  const usual = { name: 'a', namespace: 'demo', labels: {}, annotations: {} }
  return { ...(isTree(object) && object), metadata: { ...usual, ...having } }
}

/** Milliseconds of computing, at best of eight: something is compiled or collected now and then. */
async function costOf(preparing: () => () => unknown, most: number, tries = 8): Promise<number> {
  const work = preparing()
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  const cost = (user + system) / 1_000
  return cost < most || tries === 1 ? cost : Math.min(cost, await costOf(preparing, most, tries - 1))
}

const validators = new Map(
  kinds.map(({ resource: { schema } }) => [schema, [schema, draftOf(schema), outlineOf(schema)].map(validator)]),
)

/** As it arrives, over a good one, over itself, and as it goes. */
function bodiesOf(kind: Kind, operation: Operation, object: Tree): readonly Tree[] {
  const { creationOf, updateOf, deletionOf } = reviewsOf(kind.resource)
  if (operation === 'CREATE') return [creationOf(object)]
  if (operation === 'DELETE') return [deletionOf(object)]
  return [updateOf(objectOf(kind), object), updateOf(object, object)]
}

/** The schema by itself, and a whole answer at each door: all mutations, all rules, and what is told of them. */
function worksOn(kind: Kind, object: Tree): readonly (() => () => unknown)[] {
  const fits = validators.get(kind.resource.schema) ?? []
  const answers = kind.doors.flatMap(({ path, operations }) =>
    operations
      .flatMap((operation) => bodiesOf(kind, operation, object))
      .map((body) => () => {
        const sent = structuredClone(body) // which mutations change
        return () => answered(path, sent)
      }),
  )
  return [() => () => fits.map((isFit) => isFit(object)), ...answers]
}

async function mustBeQuick({ kind, name }: Subject, object: Tree, what: string): Promise<void> {
  for (const work of worksOn(kind, object))
    expect(await costOf(work, MOST_MS), `ms for ${name}, ${what}`).toBeLessThan(MOST_MS)
}

/** The object is asked for with so many items, and with half of them. */
async function mustBeLinear({ kind, name }: Subject, objectWith: (many: number) => Tree, what: string, most = MOST_MS) {
  const halves = worksOn(kind, objectWith(MANY / 2))
  for (const [at, work] of worksOn(kind, objectWith(MANY)).entries()) {
    const [half] = halves.slice(at)
    const cost = await costOf(work, most)
    const limit = cost < most || half === undefined ? most : MOST_OF_HALF * (await costOf(half, 0))
    expect(cost, `ms for ${name}, ${what}`).toBeLessThan(Math.min(limit, SLOWEST * most))
  }
}

async function mustBeQuickWith(subject: Subject, lengths: readonly number[], objectWith: (text: string) => Tree) {
  for (const length of new Set(lengths))
    for (const character of CHARACTERS)
      for (const text of longTexts(character, length))
        await mustBeQuick(subject, objectWith(text), `${length} of ${text.slice(0, 2)} … ${text.slice(-2)}`)
}

describe('nothing that an author writes costs more than linear time (SV-17)', () => {
  it.each(texts)('$name has a limit', ({ place: { schema } }) => {
    expect(schema.maxLength).toBeGreaterThan(0)
  })
  it.each(texts)('a long text in $name', { timeout: TIME }, async ({ place: { steps, schema }, ...subject }) => {
    const { maxLength = LONG } = schema
    await mustBeQuickWith(subject, [LONG, maxLength], (value) => objectOf(subject.kind, [{ steps, value }]))
  })
  it.each(metadata)('a long text in $name', { timeout: TIME }, async ({ having, ...subject }) => {
    await mustBeQuickWith(subject, [LONG], (text) => objectOf(subject.kind, [], having(text)))
  })
  it.each(lists)('10,000 items in $name', { timeout: TIME }, async ({ place: { steps, schema }, ...subject }) => {
    for (const what of SORTS)
      await mustBeLinear(
        subject,
        (many) => objectOf(subject.kind, [{ steps, value: itemsOf(schema, many)[what] }]),
        what,
      )
  })
  it.each(maps)('10,000 items in $name', { timeout: TIME }, async ({ having, ...subject }) => {
    const wishes = [{ steps: PASSWORD, value: 'secret1' }]
    await mustBeLinear(subject, (many) => objectOf(subject.kind, wishes, having(many)), 'all alike')
  })
  it.each(CHARACTERS)('a long password of %j beside an annotation that nearly holds it', async (character) => {
    const [account] = kinds.filter(({ resource }) => resource.kind === 'TAccount')
    for (const value of longTexts(character, LONG)) {
      const having = { annotations: { a: character.repeat(10 * LONG) } }
      const object = account && objectOf(account, [{ steps: PASSWORD, value }], having)
      if (object) await mustBeQuick({ kind: account, name: 'TAccount' }, object, value.slice(-2))
    }
  })
  it.each(twoLists)('10,000 items each in $name', { timeout: TIME }, async ({ place, other, ...subject }) => {
    const wishesFor = (many: number) =>
      [place, other].map(({ steps, schema }, at) => ({ steps, value: itemsOf(schema, many, at * many).different }))
    const most = 2 * MOST_MS // for twice as many items
    await mustBeLinear(subject, (many) => objectOf(subject.kind, wishesFor(many)), 'all different', most)
  })
})
