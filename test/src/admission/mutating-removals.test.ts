import { describe, expect, it } from 'vitest'
import type { Removal } from '../../../src/admission/mutating.ts'
import { set } from '../../../src/admission/mutation.ts'
import { aGadget, aKind, aRule, sent } from '../../support/builders/gadgets.ts'
import { GOING } from '../../support/builders/templates.ts'
import { MEANS, misfit, none, owned, refusing } from './misfits.ts'

const ending = { metadata: { ...aGadget().metadata, ...GOING, finalizers: ['x'] } }
const going = { ...aGadget(), ...ending }

describe('removals are for where no mutation runs, or one refuses', () => {
  const removals: readonly Removal[] = [
    { id: 'XX-M1', path: '/spec/note', on: 'write' },
    { id: 'XX-M2', path: '/spec/owner', on: 'create' },
  ]
  const kind = aKind({ removals, mutate: [{ id: 'XX-M3', says: 'marks', edits: () => [set('/ran', true)] }] })
  const bad = () => structuredClone(misfit)
  const NOTE = { op: 'remove', path: '/spec/note' }
  const OWNER = { op: 'remove', path: '/spec/owner' }
  const RAN = { op: 'add', path: '/ran', value: true }

  it.each([
    { name: 'a new object of wrong types (W-4)', raw: sent('CREATE', { object: bad() }), patch: [NOTE, OWNER] },
    {
      name: 'an update to wrong types: what counts on CREATE stays',
      raw: sent('UPDATE', { object: bad(), oldObject: aGadget() }),
      patch: [NOTE],
    },
    {
      name: 'an object being deleted (W-7)',
      raw: sent('UPDATE', { object: aGadget({ note: 'secret', owner: 'ann' }), oldObject: going }),
      patch: [NOTE, RAN],
    },
    {
      name: 'an object being deleted that loses no more than its finalizers',
      raw: sent('UPDATE', {
        object: aGadget({ note: 'secret' }),
        oldObject: { ...aGadget({ note: 'secret' }), ...ending },
      }),
      patch: [NOTE],
    },
    {
      name: 'an object being deleted that has nothing to remove',
      raw: sent('UPDATE', { object: aGadget(), oldObject: going }),
      patch: [],
    },
    {
      name: 'where mutations run, removing is theirs',
      raw: sent('CREATE', { object: aGadget({ note: 'secret' }) }),
      patch: [RAN],
    },
    {
      name: 'the author’s own deletionTimestamp changes nothing (W-7)',
      raw: sent('UPDATE', { object: { ...going, metadata: { ...going.metadata } }, oldObject: aGadget() }),
      patch: [RAN],
    },
    {
      name: 'nor does one on CREATE',
      raw: sent('CREATE', { object: structuredClone(going), oldObject: going }),
      patch: [RAN],
    },
    { name: 'a delete', raw: sent('DELETE', { oldObject: bad() }), patch: [] },
    { name: 'no object', raw: sent('CREATE', { object: null }), patch: [] },
    { name: 'a list for an object', raw: sent('CREATE', { object: [] }), patch: [] },
  ])('$name', async ({ raw, patch }) => {
    expect(await kind.mutate(raw, none, MEANS)).toMatchObject({ patch, violations: [], intents: [] })
  })

  it('an object that a mutation refuses loses them too, for it may travel on with a warning (UX-3)', async () => {
    const parts = { removals, mutate: [refusing(aRule(), 7)] }
    const object = aGadget({ note: 'secret', owner: 'ann' })
    expect((await aKind(parts).mutate(sent('CREATE', { object }), none, MEANS)).patch).toEqual([NOTE, OWNER])
  })

  describe('and for what is of a wrong type by itself, which no schema sees once it is gone', () => {
    const rule = aRule()
    const misfit = { refuse: rule, findings: [{ path: 'spec.note' }] }
    const telling = aKind({ removals: [{ id: 'XX-M1', path: '/spec/note', on: 'write', misfit }], mutate: [owned] })
    const wrong = (spec: object) => ({ metadata: { name: 'g' }, spec })
    const OWNED = { op: 'add', path: '/spec/owner', value: 'ann' }

    it('the rest is mutated as ever, and the author told', async () => {
      const object = wrong({ title: 'a', note: 7 })
      expect(await telling.mutate(sent('CREATE', { object }), none, MEANS)).toMatchObject({
        patch: [NOTE, OWNED],
        violations: [{ path: 'spec.note', rule }],
      })
    })
    it('or not told, where nobody has to be', async () => {
      const object = wrong({ title: 'a', note: 7 })
      const kind = aKind({ removals, mutate: [owned] })
      expect(await kind.mutate(sent('CREATE', { object }), none, MEANS)).toMatchObject({
        patch: [NOTE, OWNED],
        violations: [],
      })
    })
    it.each([
      { name: 'what fits is not told of', spec: { title: 'a', note: 'secret' }, patch: [OWNED] },
      { name: 'nor is it where something else does not', spec: { title: 7, note: 'secret' }, patch: [NOTE] },
      { name: 'nor where both do not: the schema will see the other', spec: { title: 7, note: 7 }, patch: [NOTE] },
    ])('$name', async ({ spec, patch }) => {
      const verdict = await telling.mutate(sent('CREATE', { object: wrong(spec) }), none, MEANS)
      expect(verdict).toMatchObject({ patch, violations: [] })
    })
    it('nor on an object being deleted (W-7)', async () => {
      const raw = sent('UPDATE', { object: wrong({ title: 'a', note: 7 }), oldObject: going })
      expect(await telling.mutate(raw, none, MEANS)).toMatchObject({ patch: [NOTE, OWNED], violations: [] })
    })
  })

  it('what lacks its quotes is told, for the schema will not say so; not of an object that only lets go (W-7)', async () => {
    const kind = aKind({ mutate: [owned] })
    const shown = await kind.mutate(sent('CREATE', { object: misfit }), none, MEANS)
    expect(shown).toMatchObject({
      patch: [],
      violations: [],
      warnings: ['spec.title: is a number, and a text belongs there; write it in quotes'],
    })
    const left = { ...misfit, metadata: going.metadata }
    const update = sent('UPDATE', { object: left, oldObject: left })
    expect((await kind.mutate(update, none, MEANS)).warnings).toEqual([])
  })

  it('a kind without removals leaves a misfit as it is', async () => {
    expect((await aKind({ mutate: [owned] }).mutate(sent('CREATE', { object: bad() }), none, MEANS)).patch).toEqual([])
  })
})

describe('a write on an object being deleted (W-7)', () => {
  const { metadata } = ending
  const old = { ...aGadget({ levels: { a: 9 } }), ...ending, status: { phase: 'old' } }
  const requested = async (object: object) => {
    const kind = aKind({ mutate: [owned], validate: [aRule({ always: true })] })
    const { patch } = await kind.mutate(
      sent('UPDATE', { object: structuredClone(object), oldObject: old }),
      none,
      MEANS,
    )
    const { violations } = await kind.validate(sent('UPDATE', { object, oldObject: old }), none)
    return { patched: patch.length, refused: violations.length }
  }

  it.each([
    { name: 'nothing', change: {} },
    { name: 'its finalizers', change: { metadata: { ...metadata, finalizers: [] } } },
    { name: 'its owners', change: { metadata: { ...metadata, ownerReferences: [{ uid: 'u' }] } } },
    { name: 'who manages its fields', change: { metadata: { ...metadata, managedFields: [{ manager: 'm' }] } } },
    { name: 'its status', change: { status: { phase: 'new' } } },
    { name: 'what the API server fills in', change: { metadata: { name: 'g', namespace: 'demo', finalizers: [] } } },
  ])('that changes $name is neither judged nor mutated', async ({ change }) => {
    expect(await requested({ ...old, ...change })).toEqual({ patched: 0, refused: 0 })
  })

  it.each([
    { name: 'a field', change: { spec: { ...old.spec, title: 'another' } } },
    { name: 'a field that the schema does not know', change: { other: 1 } },
    { name: 'a label', change: { metadata: { ...metadata, labels: { a: 'b' } } } },
    { name: 'an annotation', change: { metadata: { ...metadata, annotations: { a: 'b' } } } },
    {
      name: 'a field together with its finalizers',
      change: { metadata: { ...metadata, finalizers: [] }, spec: { ...old.spec, title: 'another' } },
    },
  ])('that changes $name is judged and mutated like any other', async ({ change }) => {
    expect(await requested({ ...old, ...change })).toEqual({ patched: 1, refused: 1 })
  })
})
