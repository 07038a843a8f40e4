import { describe, expect, it } from 'vitest'
import type { Consequence } from '../../../src/admission/consequence.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import type { Violation } from '../../../src/admission/verdict.ts'
import { resource } from '../../../src/cluster/resource.ts'
import { defineKind } from '../../../src/kind.ts'
import { object } from '../../../src/schema.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule, sent } from '../../support/builders/gadgets.ts'
import { followed, none } from './validated.ts'

/** Types that our schema does not know: an object of another version, or of a bad author. */
const misfit = { metadata: { name: 'g' }, spec: { title: 7, owner: 'ann', note: 'secret' } }

describe('objects that our schema does not know (CV-8)', () => {
  const words = { check: () => [{ path: 'spec' }], message: () => 'is wrong', remedy: 'leave it' }
  const onUpdate: Rule<Gadget> = { ...words, id: 'XX-V4', on: 'update' }
  const onCreate: Rule<Gadget> = { ...words, id: 'XX-V5', on: 'create' }
  const onDelete: Rule<Gadget> = { ...words, id: 'XX-V6', on: 'delete' }
  const kind = aKind({ validate: [aRule(), onUpdate, onCreate, onDelete] })
  /** Of any form. */
  const aGadgetOf = (spec: object) => ({ ...aGadget(), spec: { ...aGadget().spec, ...spec } })
  const NOT_CHECKED = 'of another shape than this tars-admission knows, so the object is not checked (CV-8)'
  const unknown = { patch: [], violations: [], warnings: [`spec.title: ${NOT_CHECKED}`], intents: [], unfit: 'object' }
  const found = ({ violations }: { violations: readonly Violation[] }) =>
    violations.map(({ rule, path }) => `${rule.id} ${path}`)

  it.each([
    { name: 'a new one', raw: sent('CREATE', { object: misfit }) },
    { name: 'a change to one', raw: sent('UPDATE', { object: misfit, oldObject: aGadget() }) },
    { name: 'a change of one to another', raw: sent('UPDATE', { object: misfit, oldObject: misfit }) },
    { name: 'the delete of one', raw: sent('DELETE', { oldObject: misfit }) },
  ])('$name is allowed with a warning that names the path, and counted', async ({ raw }) => {
    expect(await kind.validate(raw, none)).toEqual(unknown)
  })

  it.each([
    { name: 'no object at all', object: null, path: 'the object' },
    { name: 'no name', object: { ...aGadget(), metadata: {} }, path: 'metadata.name' },
    { name: 'an item without a name', object: aGadgetOf({ parts: [{ name: 'a' }, {}] }), path: 'spec.parts[1].name' },
    { name: 'a value of a map', object: aGadgetOf({ levels: { 'a/b~c': 'x' } }), path: 'spec.levels[a/b~c]' },
  ])('by its path: $name', async ({ object, path }) => {
    expect((await kind.validate(sent('CREATE', { object }), none)).warnings).toEqual([`${path}: ${NOT_CHECKED}`])
  })

  describe('of what fits the outline, beyond limits, enums and patterns, every rule is asked', () => {
    const excess = { title: 'A', color: 'mauve', tags: ['a', 'b', 'c', 'd'], source: {}, levels: { a: 9 } }
    const beyond = aGadgetOf(excess)

    it.each([
      {
        name: 'CREATE',
        raw: sent('CREATE', { object: beyond }),
        rules: ['XX-V1 spec.levels[a]', 'XX-V5 spec'],
        unfit: 'object',
      },
      {
        name: 'UPDATE',
        raw: sent('UPDATE', { object: beyond, oldObject: aGadget() }),
        rules: ['XX-V1 spec.levels[a]'],
        unfit: 'object',
      },
      {
        name: 'UPDATE of one to a good one',
        raw: sent('UPDATE', { object: aGadget({ levels: { b: 9 } }), oldObject: beyond }),
        rules: ['XX-V1 spec.levels[b]'],
        unfit: 'oldObject',
      },
      {
        name: 'UPDATE of one to itself',
        raw: sent('UPDATE', { object: beyond, oldObject: beyond }),
        rules: [],
        unfit: 'object',
      },
      { name: 'DELETE', raw: sent('DELETE', { oldObject: beyond }), rules: ['XX-V6 spec'], unfit: 'object' },
    ])('on $name, and it is counted', async ({ raw, rules, unfit }) => {
      const verdict = await kind.validate(raw, none)
      expect(found(verdict)).toEqual(rules)
      expect(verdict).toMatchObject({ unfit, warnings: [] })
    })
    it('and what follows, follows', async () => {
      const marking: Consequence<Gadget> = {
        id: 'XX-S1',
        says: 'tells',
        on: 'write',
        follow: async () => ({ intents: [], warnings: ['follows'] }),
      }
      const raw = sent('CREATE', { object: beyond })
      const { warnings } = await followed(aKind({ consequences: [marking] }), raw, none)
      expect(warnings).toEqual(['follows'])
    })
  })

  it('on DELETE rules that need metadata alone are asked of every object that has some', async () => {
    const named: Rule<Gadget> = {
      ...words,
      id: 'XX-V7',
      on: 'deleteByMetadata',
      check: ({ prev }) => [{ path: 'metadata.name', value: prev.metadata.name }],
    }
    const deletion = async (oldObject: unknown) =>
      found(await aKind({ validate: [aRule(), onDelete, named] }).validate(sent('DELETE', { oldObject }), none))
    expect(await deletion(misfit)).toEqual(['XX-V7 metadata.name'])
    expect(await deletion({ metadata: { name: 'g' } })).toEqual(['XX-V7 metadata.name'])
    expect(await deletion({ metadata: {} })).toEqual([])
    expect(await deletion(aGadget())).toEqual(['XX-V6 spec', 'XX-V7 metadata.name'])
  })

  it('a change of one to a good one asks the rules on write, of the new object alone, and is counted', async () => {
    const verdict = await kind.validate(
      sent('UPDATE', { object: aGadget({ levels: { a: 9 } }), oldObject: misfit }),
      none,
    )
    expect(verdict.violations.map(({ rule, path }) => `${rule.id} ${path}`)).toEqual(['XX-V1 spec.levels[a]'])
    expect(verdict.unfit).toBe('oldObject')
  })

  it('a field that is not known is warned of by its path, of the items of a list one, and counted', async () => {
    const parts = [
      { name: 'a', later: 1 },
      { name: 'b', later: 1 },
    ]
    const object = { ...aGadget(), other: 1, spec: { title: 'a gadget', later: { much: true }, parts } }
    const verdict = await kind.validate(sent('UPDATE', { object, oldObject: aGadget() }), none)
    expect(verdict.unfit).toBe('object')
    expect(verdict.warnings).toEqual(
      ['other', 'spec.later', 'spec.parts[0].later'].map(
        (path) => `${path}: a field that this tars-admission does not know, so no rule looks at it (CV-8)`,
      ),
    )
  })

  it.each([
    { name: 'of metadata', object: { ...aGadget(), metadata: { name: 'g', managedFields: [], finalizers: ['x'] } } },
    { name: 'of a map', object: aGadget({ settings: { any: 'x' } }) },
  ])('but not $name, which takes any', async ({ object }) => {
    const { warnings, unfit } = await kind.validate(sent('UPDATE', { object, oldObject: aGadget() }), none)
    expect({ warnings, unfit }).toEqual({ warnings: [], unfit: undefined })
  })

  it('nor where the schema names none, for it is of others', async () => {
    const of = resource({ ...GADGET, kind: 'Foreign' }, object({}))
    const foreign = defineKind({ resource: of, doors: [] })
    expect(await foreign.validate(sent('CREATE', { object: aGadget() }), none)).toMatchObject({ warnings: [] })
  })
})
