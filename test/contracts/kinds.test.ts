import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/admission/door.ts'
import { remedyOf } from '../../src/admission/rule.ts'
import { RULE_ID } from '../../src/admission/rule-id.ts'
import type { Kind } from '../../src/kind.ts'
import { due } from '../support/due.ts'
import { kinds } from '../support/kinds.ts'

const rulesOf = ({ mutations, rules, consequences }: Kind) => [...mutations, ...rules, ...consequences]
/** A rule that several kinds share is one. */
const ids = [...new Set<{ readonly id: string }>(kinds.flatMap(rulesOf))].map(({ id }) => id)
const named = kinds.map((kind) => ({ name: kind.resource.kind, kind }))

/** Ids that say that nothing is done, or what every mutation does. */
const BY_OTHERS = ['TD-M5', 'TD-V9', 'TI-M7', 'TA-M5', 'TA-M7']
/** What each kind refuses of its own fields. */
const SHARED = /^CF-/
/** Held by the machine, or by how a consequence is carried out. */
const MACHINE = /^(W-|TC-S[3-6]$)/

/** Not of contracts: lists of ids, as there are some here, test nothing. */
function testsIn(folder: string): readonly string[] {
  const root = new URL('..', import.meta.url).pathname
  return globSync(`${folder}/**/*.test.ts`, { cwd: root }).map((file) => readFileSync(`${root}/${file}`, 'utf8'))
}
const naming = (id: string) => (text: string) => new RegExp(`\\b${id}\\b`).test(text)

describe('rule ids', () => {
  it('are unique, but for those that several kinds of one family share by their words', () => {
    const own = ids.filter((id) => !SHARED.test(id))
    expect(own).toEqual([...new Set(own)])
    const twice = kinds.filter((kind) => new Set(rulesOf(kind).map(({ id }) => id)).size < rulesOf(kind).length)
    expect(twice.map(({ resource }) => resource.kind)).toEqual([])
  })

  it('have the form of the specification, so that a person and a search find them', () => {
    expect(ids.filter((id) => id.match(RULE_ID)?.[0] !== id)).toEqual([])
  })

  it('that are due, and those that are there, are each named by a test of the kind, or of the machine', () => {
    const [ofKinds, ofMachine] = [testsIn('webhooks'), testsIn('{src,cluster}')]
    const isNamed = (id: string) => (MACHINE.test(id) ? [...ofKinds, ...ofMachine] : ofKinds).some(naming(id))
    expect([...due, ...ids].filter((id) => !isNamed(id))).toEqual([])
  })

  it('that say what becomes of an object at the door have a rule, a mutation or a consequence', () => {
    expect(due.filter((id) => !MACHINE.test(id) && !BY_OTHERS.includes(id) && !ids.includes(id))).toEqual([])
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
    const on = {
      create: ['CREATE'],
      update: ['UPDATE'],
      delete: ['DELETE'],
      deleteByMetadata: ['DELETE'],
      write: ['CREATE', 'UPDATE'],
    }
    const requested = kind.rules.flatMap(
      (rule) => Object.entries(on).find(([name]) => name === rule.on)?.[1] ?? [rule.on],
    )
    expect(met('validate')).toEqual(expect.arrayContaining(requested))
    const isOfOthers = kind.definition === undefined // of which a door may meet the creation alone
    const both = isOfOthers ? ['CREATE'] : ['CREATE', 'UPDATE']
    const written = kind.doors.some(({ subresource }) => subresource) ? ['UPDATE'] : both
    expect(met('mutate')).toEqual(expect.arrayContaining(kind.mutations.length > 0 ? written : []))
  })

  it('what refuses even where refusals are only told of is asked first, before the rules stop (CV-8, UX-3)', () => {
    const [strict, lenient] = [true, false].map((is) =>
      kind.rules.filter(({ evenInWarn = false }) => evenInWarn === is),
    )
    expect(kind.rules).toEqual([...(strict ?? []), ...(lenient ?? [])])
  })

  it('every rule and mutation has its words for the documentation', () => {
    for (const { id, field } of kind.rules) expect(field, id).toMatch(/^[a-z]\S+(, [a-z]\S+)*$/)
    for (const { says } of kind.mutations) expect(says).toMatch(/^\S.*[^.\s]$/)
    for (const rule of kind.rules)
      for (const finding of rule.examples ?? [{ path: '' }]) expect(remedyOf(rule, finding)).toMatch(/^\S.*[^.\s]$/)
  })
})
