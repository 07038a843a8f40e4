import { describe, expect, it } from 'vitest'
import { TTEMPLATE } from '../../../../webhooks/tars/ttemplate/schema.ts'
import { answered, labelsIn, MUTATING, patchIn } from '../../../support/answerer-parts.ts'
import { aTTemplate, GOING } from '../../../support/builders/templates.ts'
import { reviewsOf } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
const LABEL = '/metadata/labels/tars.io~1Parent'
const mutated = (body: unknown) => answered(MUTATING, body)

/** As authors write it: what the mutations say about labels is still to come. */
const aDraft = (metadata: object, spec: unknown = { parent: 'base', content: '' }) => ({ metadata, spec })

describe('TT-M1 a template carries its parent as a label', () => {
  it.each([
    {
      name: 'labels are absent: the map comes as one object',
      object: aDraft({ name: 'child' }),
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'tars.io/Parent': 'base' } }],
    },
    {
      name: 'labels are null, which is absent (W-4)',
      object: aDraft({ name: 'child', labels: null }),
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'tars.io/Parent': 'base' } }],
    },
    {
      name: 'other labels stay',
      object: aDraft({ name: 'child', labels: { team: 'a' } }),
      patch: [{ op: 'add', path: LABEL, value: 'base' }],
    },
    {
      name: 'a wrong label is overwritten',
      object: aDraft({ name: 'child', labels: { 'tars.io/Parent': 'other' } }),
      patch: [{ op: 'add', path: LABEL, value: 'base' }],
    },
    {
      name: 'with generateName there is no own name yet, and the label is set',
      object: aDraft({ generateName: 'child-' }),
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'tars.io/Parent': 'base' } }],
    },
    {
      name: 'an own name that is still empty is no name (W-4)',
      object: aDraft({ generateName: 'child-', name: '' }),
      patch: [{ op: 'add', path: '/metadata/labels', value: { 'tars.io/Parent': 'base' } }],
    },
    {
      name: 'the right label needs no patch',
      object: aDraft({ name: 'child', labels: { 'tars.io/Parent': 'base' } }),
      patch: undefined,
    },
    {
      name: 'an empty parent is TT-V1’s business',
      object: aDraft({ name: 'child' }, { parent: '', content: '' }),
      patch: undefined,
    },
    {
      name: 'a missing parent is the schema’s business',
      object: aDraft({ name: 'child' }, { content: '' }),
      patch: undefined,
    },
    {
      name: 'a parent that fits into no label is left out, TT-V6 speaks of it',
      object: aDraft({ name: 'child' }, { parent: 'p'.repeat(64), content: '' }),
      patch: undefined,
    },
    {
      name: 'and removed where it was set by hand',
      object: aDraft({ name: 'child', labels: { 'tars.io/Parent': 'evil' } }, { parent: 'p'.repeat(64), content: '' }),
      patch: [{ op: 'remove', path: LABEL }],
    },
  ])('$name', async ({ object, patch }) => {
    expect(patchIn(await mutated(creationOf(object)))).toEqual(patch)
  })

  it.each([
    { name: 'a label removed by hand comes back', labels: {}, after: { 'tars.io/Parent': 'base' } },
    {
      name: 'a label changed by hand changes back',
      labels: { 'tars.io/Parent': 'x' },
      after: { 'tars.io/Parent': 'base' },
    },
  ])('on update, $name', async ({ labels, after }) => {
    const { object } = await mutated(
      updateOf(aTTemplate({ name: 'child', parent: 'base' }), aTTemplate({ name: 'child', parent: 'base', labels })),
    )
    expect(labelsIn(object)).toEqual(after)
  })

  it('a new parent takes the label along', async () => {
    const old = aTTemplate({ name: 'child', parent: 'base' })
    const moved = aTTemplate({ name: 'child', parent: 'other', labels: { 'tars.io/Parent': 'base' } })
    expect(patchIn(await mutated(updateOf(old, moved)))).toEqual([{ op: 'add', path: LABEL, value: 'other' }])
  })
})

describe('TT-M2 a root template carries no parent', () => {
  it.each([
    {
      name: 'a label left from before is removed',
      labels: { 'tars.io/Parent': 'old', team: 'a' },
      patch: [{ op: 'remove', path: LABEL }],
    },
    { name: 'without the label there is nothing to do', labels: { team: 'a' }, patch: undefined },
    { name: 'labels of null hold nothing to remove', labels: null, patch: undefined },
  ])('$name', async ({ labels, patch }) => {
    const root = aDraft({ name: 'base', labels })
    expect(patchIn(await mutated(creationOf(root)))).toEqual(patch)
  })

  it('a child that becomes a root loses the label', async () => {
    const labels = { 'tars.io/Parent': 'base' }
    const body = updateOf(aTTemplate({ name: 'a', parent: 'base' }), aTTemplate({ name: 'a', labels }))
    expect(patchIn(await mutated(body))).toEqual([{ op: 'remove', path: LABEL }])
  })
})

describe('TT-M1, TT-M2 and what may arrive', () => {
  it.each([
    ['an object of nothing', {}],
    ['a spec of another type (W-4)', { metadata: { name: 'a' }, spec: 'x' }],
    ['a spec of null', { metadata: { name: 'a' }, spec: null }],
    ['a parent of another type', aDraft({ name: 'a' }, { parent: 7 })],
    ['labels that are no texts', aDraft({ name: 'a', labels: { team: 7 } })],
    ['labels that are a list', aDraft({ name: 'a', labels: [] })],
  ])('%s goes on unchanged, for the schema to refuse', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response).toMatchObject({ allowed: true })
    expect(answer.object).toEqual(object)
  })

  it('a template being deleted that loses its finalizers goes on unchanged (W-7)', async () => {
    const bare = { name: 'a', parent: 'base', going: true, labels: {} } as const
    const body = updateOf(aTTemplate({ ...bare, finalizers: ['x'] }), aTTemplate(bare))
    expect(patchIn(await mutated(body))).toBeUndefined()
    const unlabelled = updateOf(aTTemplate({ name: 'a', parent: 'base', going: true }), aTTemplate(bare))
    expect(labelsIn((await mutated(unlabelled)).object)).toEqual({ 'tars.io/Parent': 'base' })
  })

  it('an author who writes a deletionTimestamp does not stop the mutations (W-7)', async () => {
    const body = updateOf(aTTemplate({ name: 'a', parent: 'base' }), aDraft({ name: 'a', labels: {}, ...GOING }))
    expect(patchIn(await mutated(body))).toEqual([{ op: 'add', path: LABEL, value: 'base' }])
  })

  it('a delete has no patch', async () => {
    const { response } = await mutated(deletionOf(aTTemplate({ name: 'a', parent: 'base', labels: {} })))
    expect(response.patch).toBeUndefined()
  })
})
