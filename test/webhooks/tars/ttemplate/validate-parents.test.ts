import { describe, expect, it } from 'vitest'
import { aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import { answerTo, base, creationOf, onCreate, onUpdate, updateOf } from './validating.ts'

describe('TT-V2 the parent exists', () => {
  const REFUSED =
    '422 Invalid: spec.parent: TTemplate demo/base does not exist; create it first, or name another (TT-V2)'
  const child = aTTemplate({ name: 'child', parent: 'base' })

  it.each([
    { name: 'a parent that is there passes', there: [base], answer: 'allowed' },
    { name: 'a parent that is not there is refused', there: [], answer: REFUSED },
    { name: 'one in another namespace does not count', there: [aTTemplate({ namespace: 'prod' })], answer: REFUSED },
    { name: 'one being deleted does not exist any more', there: [aTTemplate({ going: true })], answer: REFUSED },
    { name: 'a TServer of that name is no parent', there: [aTServer({ name: 'base' })], answer: REFUSED },
  ])('$name', async ({ there, answer }) => {
    expect(await onCreate(child, ...there)).toBe(answer)
  })

  it('a dry run adds why a parent of the same file is not there', async () => {
    const hint = '; in a dry run, as of kubectl diff, what the same file creates is not there'
    expect(await answerTo(creationOf(child, { dryRun: true }), readersOf())).toBe(
      REFUSED.replace(' (TT-V2)', `${hint} (TT-V2)`),
    )
  })

  it('a root template needs none', async () => {
    expect(await onCreate(aTTemplate({ name: 'a' }))).toBe('allowed')
  })

  it('is asked when the parent changes', async () => {
    expect(await onUpdate(aTTemplate({ name: 'child' }), child)).toBe(REFUSED)
  })

  it('lets a template whose parent has gone since be edited otherwise (CV-8)', async () => {
    expect(await onUpdate(child, aTTemplate({ name: 'child', parent: 'base', content: 'new' }))).toBe('allowed')
  })

  it('refuses another parent that does not exist, though the old one did not either', async () => {
    expect(await onUpdate(child, aTTemplate({ name: 'child', parent: 'gone' }))).toMatch(
      'TTemplate demo/gone does not exist',
    )
  })

  it('is asked of a template being deleted, but when its finalizers go (W-7)', async () => {
    const old = aTTemplate({ name: 'child', parent: 'gone', going: true, finalizers: ['x'] })
    expect(await onUpdate(old, aTTemplate({ name: 'child', parent: 'gone', going: true }))).toBe('allowed')
    expect(await onUpdate(old, aTTemplate({ name: 'child', parent: 'other', going: true }))).toMatch('(TT-V2)')
  })

  it('a cached parent allows, and the live cluster is not asked (SV-7)', async () => {
    const live = readerOf()
    expect(await answerTo(creationOf(child), { cached: readerOf(base), live })).toBe('allowed')
    expect(live.reads).toEqual([])
  })

  it('a parent that the cache has not seen yet is looked up live before anything is refused (SV-7)', async () => {
    const live = readerOf(base)
    expect(await answerTo(creationOf(child), { cached: readerOf(), live })).toBe('allowed')
    expect(live.reads).toEqual(['get TTemplate demo/base'])
  })
})

describe('TT-V5 the parents lead to a root', () => {
  const cycle = (path: string) =>
    `422 Invalid: spec.parent: would create a cycle ${path}; name a parent that leads to a root template (TT-V5)`
  const a = aTTemplate({ name: 'a' })
  const b = aTTemplate({ name: 'b', parent: 'a' })
  const c = aTTemplate({ name: 'c', parent: 'b' })

  it.each([
    { name: 'a circle of two', parent: 'b', answer: cycle('a → b → a') },
    { name: 'a circle of three', parent: 'c', answer: cycle('a → c → b → a') },
    { name: 'its own name is a root, not a circle', parent: 'a', answer: 'allowed' },
    { name: 'another root', parent: 'root', answer: 'allowed' },
  ])('a template moved onto $parent: $name', async ({ parent, answer }) => {
    const root = aTTemplate({ name: 'root' })
    expect(await onUpdate(a, aTTemplate({ name: 'a', parent }), b, c, root)).toBe(answer)
  })

  it('a new template closes a circle through a dangling parent', async () => {
    expect(await onCreate(aTTemplate({ name: 'a', parent: 'c' }), b, c)).toBe(cycle('a → c → b → a'))
  })

  it('a chain that ends in a dangling parent ends there', async () => {
    expect(await onCreate(aTTemplate({ name: 'd', parent: 'c' }), b, c)).toBe('allowed')
  })

  it('a chain that ends in an old template without a parent ends there', async () => {
    expect(await onCreate(b, aTTemplate({ name: 'a', parent: '' }))).toBe('allowed')
  })

  /** t1 → t2 → … → tN, the last one a root. */
  const chainOf = (length: number) =>
    Array.from({ length }, (_, i) => aTTemplate({ name: `t${i + 1}`, parent: `t${Math.min(i + 2, length)}` }))
  const onChain = aTTemplate({ name: 'new', parent: 't1' })

  it('a chain of 64 passes', async () => {
    expect(await onCreate(onChain, ...chainOf(64))).toBe('allowed')
  })

  it('a chain of 65 is refused', async () => {
    expect(await onCreate(onChain, ...chainOf(65))).toBe(
      '422 Invalid: spec.parent: hangs on a chain of more than 64 templates, beginning new → t1 → t2 → t3 → t4; ' +
        'name a parent that leads to a root template (TT-V5)',
    )
  })

  it('a circle further up is a chain without end', async () => {
    const x = aTTemplate({ name: 'x', parent: 'y' })
    const y = aTTemplate({ name: 'y', parent: 'x' })
    expect(await onCreate(aTTemplate({ name: 'new', parent: 'x' }), x, y)).toMatch(
      'hangs on a chain of more than 64 templates, beginning new → x → y → x → y;',
    )
  })

  it('looks a parent up no more than 64 times', async () => {
    const cached = readerOf(...chainOf(80))
    await answerTo(creationOf(onChain), { cached, live: readerOf() })
    expect(cached.reads).toHaveLength(64 + 1) // TT-V2 asks as well
  })

  it('a template that already hangs on an endless chain may be edited otherwise (CV-8)', async () => {
    const old = aTTemplate({ name: 'a', parent: 'b' })
    expect(await onUpdate(old, aTTemplate({ name: 'a', parent: 'b', content: 'new' }), b)).toBe('allowed')
  })

  it('and may not be moved onto another endless chain', async () => {
    const old = aTTemplate({ name: 'a', parent: 'b' })
    expect(await onUpdate(old, aTTemplate({ name: 'a', parent: 'c' }), b, c)).toBe(cycle('a → c → b → a'))
  })

  it('a circle that only the cache still shows is none (SV-7)', async () => {
    const cached = readerOf(a, b)
    const live = readerOf(a, aTTemplate({ name: 'b' }))
    expect(await answerTo(updateOf(a, aTTemplate({ name: 'a', parent: 'b' })), { cached, live })).toBe('allowed')
  })
})
