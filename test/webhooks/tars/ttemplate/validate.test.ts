import { describe, expect, it } from 'vitest'
import { answered, VALIDATING } from '../../../support/answerer-parts.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { base, creationOf, LONG, onCreate, onDelete, onUpdate } from './validating.ts'

describe('TT-V1 a template has a parent', () => {
  it('refuses an empty one', async () => {
    expect(await onCreate(aTTemplate({ name: 'a', parent: '' }))).toBe(
      '422 Invalid: spec.parent: required; use the own name for a root template (TT-V1)',
    )
  })

  it('refuses to take the parent away', async () => {
    expect(await onUpdate(aTTemplate({ name: 'a' }), aTTemplate({ name: 'a', parent: '' }))).toMatch('(TT-V1)')
  })

  it.each([
    { name: 'its own name', object: aTTemplate({ name: 'a' }) },
    { name: 'the name of another', object: aTTemplate({ name: 'a', parent: 'base' }) },
  ])('passes with $name', async ({ object }) => {
    expect(await onCreate(object, base)).toBe('allowed')
  })

  it('lets an old one without a parent be edited otherwise (CV-8)', async () => {
    const old = aTTemplate({ name: 'a', parent: '' })
    expect(await onUpdate(old, aTTemplate({ name: 'a', parent: '', content: 'new' }))).toBe('allowed')
  })
})

describe('TT-V6 the parent fits into the label', () => {
  const parentOf = (length: number) => aTTemplate({ name: 'p'.repeat(length) })
  const childOf = (length: number) => aTTemplate({ name: 'a', parent: 'p'.repeat(length), labels: {} })

  it('a parent of 63 characters passes', async () => {
    expect(await onCreate(childOf(63), parentOf(63))).toBe('allowed')
  })

  it('a parent of 64 characters is refused', async () => {
    expect(await onCreate(childOf(64), parentOf(64))).toBe(
      `422 Invalid: spec.parent: ${LONG} does not fit into label tars.io/Parent, which takes 63 characters; ` +
        'give the parent a shorter name (TT-V6)',
    )
  })

  it('a root template may have a long name', async () => {
    expect(await onCreate(parentOf(64))).toBe('allowed')
  })

  it('a child that has such a parent already may be edited otherwise (CV-8)', async () => {
    expect(await onUpdate(childOf(64), { ...childOf(64), spec: { parent: LONG, content: 'new' } }, parentOf(64))).toBe(
      'allowed',
    )
  })
})

describe('TT-V1…6 together', () => {
  it('all that is wrong with spec.parent is told at once (W-13), each cause complete by itself (SV-9)', async () => {
    const { response } = await answered(VALIDATING, creationOf(aTTemplate({ name: 'a', parent: LONG })))
    expect(response.status).toEqual({
      code: 422,
      reason: 'Invalid',
      message:
        `spec.parent: TTemplate demo/${LONG} does not exist; create it first, or name another (TT-V2); ` +
        `spec.parent: ${LONG} does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)`,
      details: {
        group: 'k8s.tars.io',
        kind: 'TTemplate',
        name: 'a',
        causes: [
          {
            reason: 'FieldValueInvalid',
            field: 'spec.parent',
            message: `TTemplate demo/${LONG} does not exist; create it first, or name another (TT-V2)`,
          },
          {
            reason: 'FieldValueInvalid',
            field: 'spec.parent',
            message: `${LONG} does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)`,
          },
        ],
      },
    })
  })

  it.each([
    ['spec of another type', { metadata: { name: 'a' }, spec: 'x' }, 'spec'],
    ['no content', { metadata: { name: 'a' }, spec: { parent: 'a' } }, 'spec.content'],
  ])('%s is the schema’s business: allowed with a warning (CV-8)', async (_, object, path) => {
    expect(await onCreate(object)).toMatch(`allowed\nwarning: ${path}: of another shape`)
  })

  it.each([
    ['a parent that is no name', { parent: 'Base' }],
    ['a parent with a line break', { parent: 'base\n' }],
    ['a parent of 254 characters', { parent: 'p'.repeat(254) }],
  ])('%s is the schema’s business, and no template has that name (CV-8)', async (_, wishes) => {
    expect(await onCreate(aTTemplate({ name: 'a', ...wishes }))).toMatch(/^422 Invalid: .*does not exist; .*\(TT-V2\)/s)
  })

  it('a content of 1 560 001 characters is the schema’s business (CV-8)', async () => {
    const content = 'x'.repeat(1_560_001)
    expect(await onCreate(aTTemplate({ name: 'a', content }))).toBe('allowed')
    expect(await onCreate(aTTemplate({ name: 'a', content, parent: 'gone' }))).toMatch('(TT-V2)')
  })

  it.each([
    ['beyond a limit', { content: 'x'.repeat(1_560_001) }],
    ['of another type', { content: 7 }],
  ])('one that is in use cannot be deleted, were it %s (CV-8)', async (_, spec) => {
    const old = { ...base, spec: { parent: 'base', ...spec } }
    const server = aTServer({ template: 'base' })
    expect(await onDelete(old, server)).toMatch(/^403 Forbidden: .* is used by TServer demo-echo/)
  })

  it.each([0, 1_560_000])('a content of %s characters passes', async (length) => {
    expect(await onCreate(aTTemplate({ content: 'x'.repeat(length) }))).toBe('allowed')
  })
})
