import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/admission/door.ts'
import { reviewOf } from '../../src/admission/review.ts'
import { answerer } from '../../src/answer.ts'
import type { ClusterReader, Gvr, Words } from '../../src/cluster/port.ts'
import type { Kind } from '../../src/kind.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { selfCheck } from '../../src/self-check.ts'
import { kinds } from '../../webhooks/index.ts'
import { answered, arrivalAt, deskOf, wordsOf } from '../support/desk.ts'
import { goingOf, sentOf, storedOf } from '../support/generated.ts'
import { readersOf } from '../support/readers.ts'
import { reviewsOf, withRequest } from '../support/reviews.ts'

const idsOf = ({ mutations, rules }: Kind) => [...mutations, ...rules].map(({ id }) => id)
const ids = kinds.flatMap(idsOf)
const named = kinds.map((kind) => ({ name: kind.resource.kind, kind }))

describe('rule ids', () => {
  it('are unique', () => {
    expect(ids).toEqual([...new Set(ids)])
  })

  it('have the form of the specification', () => {
    expect(ids.filter((id) => !/^(T[DSCTAIREXF]|GW)-[MVW][1-9]\d?$/.test(id))).toEqual([])
  })

  it('of TarsK8S are those that are due, and no others', () => {
    const due: unknown = JSON.parse(readFileSync(new URL('../fixtures/tars-ids.json', import.meta.url), 'utf8'))
    expect(
      kinds
        .filter(({ resource }) => resource.group === 'k8s.tars.io')
        .flatMap(idsOf)
        .sort(),
    ).toEqual(due)
  })

  it('are each named by a test', () => {
    const root = new URL('..', import.meta.url).pathname
    const tests = globSync('**/*.test.ts', { cwd: root }).map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    const unnamed = ids.filter((id) => !tests.some((text) => new RegExp(`\\b${id}\\b`).test(text)))
    expect(unnamed).toEqual([])
  })
})

describe.each(named)('$name is complete', ({ kind }) => {
  it('every door of the kind is a place of its own', () => {
    const places = kind.doors.flatMap((door) =>
      door.operations.map((operation) =>
        addressOf({ path: door.path, resource: kind.resource, subresource: door.subresource, operation }),
      ),
    )
    expect(places).toEqual([...new Set(places)])
  })

  it('every rule and mutation is met at a door', () => {
    const met = (phase: string) => kind.doors.filter((door) => door.phase === phase).flatMap((door) => door.operations)
    const on = { create: ['CREATE'], update: ['UPDATE'], delete: ['DELETE'], write: ['CREATE', 'UPDATE'] }
    const asked = kind.rules.flatMap((rule) => Object.entries(on).find(([name]) => name === rule.on)?.[1] ?? [rule.on])
    expect(met('validate')).toEqual(expect.arrayContaining(asked))
    expect(met('mutate')).toEqual(expect.arrayContaining(kind.mutations.length > 0 ? ['CREATE', 'UPDATE'] : []))
  })

  it('every rule and mutation has its words for the documentation', () => {
    for (const { says } of kind.mutations) expect(says).toMatch(/^\S.*[^.\s]$/)
    for (const { remedy } of kind.rules) expect(remedy).toMatch(/^\S.*[^.\s]$/)
  })
})

const RUNS = { numRuns: 300 }
const mutating = named.flatMap(({ name, kind }) =>
  kind.doors
    .filter(({ phase, subresource }) => phase === 'mutate' && !subresource)
    .map(({ path }) => ({ name, kind, path })),
)
const validating = named.flatMap(({ name, kind }) =>
  kind.doors
    .filter(({ phase, subresource }) => phase === 'validate' && !subresource)
    .map(({ path }) => ({ name, kind, path })),
)

describe.each(mutating)('$name, whatever is sent to $path', ({ kind, path }) => {
  const bodies = bodiesOf(kind, sentOf(kind))

  it('mutating twice is mutating once, and the patch leads there (W-4, W-8, SV-8)', async () => {
    const answer = answerer(deskOf())
    const check = fc.asyncProperty(bodies, async (body) => {
      const review = reviewOf(fromText(body))
      const sent = reviewOf(fromText(body)).object
      const arrival = arrivalAt(path)
      const first = await answer(review, arrival)
      expect(first.response.allowed).toBe(true)
      expect(await selfCheck(answer, { review, answer: first, sent, arrival })).toBe('holds')
    })
    await fc.assert(check, RUNS)
  })

  it('the order of keys changes nothing, nor does a dry run (W-9)', () => sameAnswers(path, bodies))

  it('an object being deleted loses at most what must go (W-7)', async () => {
    const { updateOf } = reviewsOf(kind.resource)
    const check = fc.asyncProperty(storedOf(kind), sentOf(kind), async (stored, sent) => {
      const { response, verdict } = await answered(path, updateOf(goingOf(stored), sent))
      expect(response.allowed).toBe(true)
      expect(verdict.patch.filter(({ op }) => op !== 'remove')).toEqual([])
    })
    await fc.assert(check, RUNS)
  })
})

describe.each(validating)('$name, whatever is sent to $path', ({ kind, path }) => {
  const bodies = bodiesOf(kind, storedOf(kind))
  const others = fc.array(storedOf(kind), { maxLength: 6 })

  it('each refusal names a path, is complete by itself and ends with its rule id (SV-9)', async () => {
    const check = fc.asyncProperty(bodies, others, async (body, there) => {
      const answer = await answered(path, body, { readers: readersOf(...there) })
      expect(wordsOf(answer)).not.toMatch(/undefined|\[object|NaN/)
      for (const { field, message } of answer.response.status?.details?.causes ?? []) {
        expect(field).toMatch(/^\w+(\.\w+|\[[^\]]+\])*$/)
        expect(message).toMatch(/^\S.*; .*\S \([A-Z]+-[A-Z]+\d+\)$/)
        expect(message).not.toContain(`${field}:`)
      }
    })
    await fc.assert(check, RUNS)
  })

  it('looks up only what the kind states, for rights and indexes come from that', async () => {
    const check = fc.asyncProperty(bodies, others, async (body, there) => {
      const { cached, live } = readersOf(...there)
      const readers = { cached: readingAsStated(kind, cached), live: readingAsStated(kind, live) }
      await answered(path, body, { readers })
    })
    await fc.assert(check, RUNS)
  })

  it('the order of keys changes nothing, nor does a dry run (W-9)', () => sameAnswers(path, bodies))

  it('any JSON gets an answer (W-4)', async () => {
    const check = fc.asyncProperty(bodiesOf(kind, sentOf(kind)), async (body) => {
      const { response } = await answered(path, body)
      expect(Object.hasOwn(response, 'patch')).toBe(false)
    })
    await fc.assert(check, RUNS)
  })

  it('what is stored may be stored again, whatever is wrong with it (CV-8)', async () => {
    const { updateOf } = reviewsOf(kind.resource)
    const always = kind.rules.filter((rule) => rule.always)
    const check = fc.asyncProperty(storedOf(kind), others, async (stored, there) => {
      const { verdict } = await answered(path, updateOf(stored, stored), { readers: readersOf(...there) })
      expect(verdict.violations.filter(({ rule }) => !always.includes(rule))).toEqual([])
    })
    await fc.assert(check, RUNS)
  })

  it('an object being deleted may always be updated (W-7)', async () => {
    const { updateOf } = reviewsOf(kind.resource)
    const check = fc.asyncProperty(storedOf(kind), sentOf(kind), async (stored, sent) => {
      expect(wordsOf(await answered(path, updateOf(goingOf(stored), sent)))).toBe('allowed')
    })
    await fc.assert(check, RUNS)
  })
})

function bodiesOf({ resource }: Kind, objects: fc.Arbitrary<unknown>): fc.Arbitrary<Tree> {
  const { creationOf, updateOf, deletionOf } = reviewsOf(resource)
  const trees = objects.filter(isTree)
  return fc.oneof(
    trees.map((object) => creationOf(object)),
    fc.tuple(trees, trees).map(([oldObject, object]) => updateOf(oldObject, object)),
    trees.map((oldObject) => deletionOf(oldObject)),
  )
}

async function sameAnswers(path: string, bodies: fc.Arbitrary<Tree>): Promise<void> {
  const check = fc.asyncProperty(bodies, async (body) => {
    const { response, verdict, object } = await answered(path, fromText(body))
    for (const other of [reversed(body), withRequest(body, { dryRun: true })]) {
      const again = await answered(path, fromText(other))
      expect(again.verdict).toEqual(verdict)
      expect(again.object).toEqual(object)
      expect(again.response.status).toEqual(response.status)
    }
  })
  await fc.assert(check, RUNS)
}

/** Fails on what the printed rights do not allow, and on a label without an index. */
function readingAsStated({ reads }: Kind, reader: ClusterReader): ClusterReader {
  function mustBeStated(verb: 'get' | 'list', of: Gvr, labels: Words = {}): void {
    const stated = reads.some(
      (read) =>
        read.resource.group === of.group &&
        read.resource.plural === of.plural &&
        (read.kept === undefined
          ? read.asks.includes(verb)
          : Object.keys(labels).every((key) => read.kept.byLabels.includes(key))),
    )
    if (!stated) throw new Error(`${verb} of ${of.plural} by ${JSON.stringify(labels)} is not stated`)
  }
  return {
    async get(of, ref) {
      mustBeStated('get', of)
      return reader.get(of, ref)
    },
    async list(of, where) {
      mustBeStated('list', of, where.labels)
      return reader.list(of, where)
    },
  }
}

function fromText(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body))
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isTree(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, reversed(inner)] as const)
      .reverse(),
  )
}
