import { describe, expect, it } from 'vitest'
import type { Built, ClusterReader, Readers } from '../../../../src/cluster/port.ts'
import { TTEMPLATE } from '../../../../webhooks/tars/ttemplate/schema.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
const answerTo = async (body: unknown, readers: Readers) => wordsOf(await answered(VALIDATING, body, { readers }))
const onCreate = (object: unknown, ...there: readonly Built[]) => answerTo(creationOf(object), readersOf(...there))
const onUpdate = (old: Built, object: unknown, ...there: readonly Built[]) =>
  answerTo(updateOf(old, object), readersOf(old, ...there))
const onDelete = (old: Built, ...there: readonly Built[]) => answerTo(deletionOf(old), readersOf(old, ...there))

const base = aTTemplate({ name: 'base' })
const LONG = 'p'.repeat(64)

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

describe('TT-V3 a parent stays while it has children', () => {
  const refused = (names: string) =>
    `403 Forbidden: metadata.name: TTemplate demo/base: is the parent of TTemplate ${names}; delete them or give them another parent, then repeat (TT-V3)`
  const childOf = (name: string) => aTTemplate({ name, parent: 'base' })

  it.each([
    { name: 'no child, no refusal', there: [], answer: 'allowed' },
    { name: 'a child is named', there: [childOf('a')], answer: refused('a') },
    { name: 'of many, two are named', there: ['a', 'b', 'c'].map(childOf), answer: refused('a, b') },
    {
      name: 'a child being deleted uses nothing',
      there: [aTTemplate({ name: 'a', parent: 'base', going: true })],
      answer: 'allowed',
    },
    {
      name: 'a label that spec.parent does not confirm is not believed',
      there: [aTTemplate({ name: 'a', parent: 'other', labels: { 'tars.io/Parent': 'base' } })],
      answer: 'allowed',
    },
    {
      name: 'a child without the label is not found',
      there: [aTTemplate({ name: 'a', parent: 'base', labels: {} })],
      answer: 'allowed',
    },
    {
      name: 'a namesake’s child in another namespace does not count',
      there: [aTTemplate({ name: 'a', namespace: 'prod', parent: 'base' })],
      answer: 'allowed',
    },
  ])('$name', async ({ there, answer }) => {
    expect(await onDelete(base, ...there)).toBe(answer)
  })

  it('a root template is not its own child, whatever its label says', async () => {
    expect(await onDelete(aTTemplate({ labels: { 'tars.io/Parent': 'base' } }))).toBe('allowed')
  })

  it('a name that fits into no label has no children, and nobody is asked for them', async () => {
    expect(await onDelete(aTTemplate({ name: LONG }))).toBe('allowed')
  })
})

describe('TT-V4 a template stays while servers use it', () => {
  const refused = (name: string) =>
    `403 Forbidden: metadata.name: TTemplate demo/base: is used by TServer ${name}; delete all that kubectl get tserver -l tars.io/Template=base lists, ` +
    'or give them another template, then repeat (TT-V4)'
  const named = (name: string) => aTServer({ name })
  const liar = (name: string) => aTServer({ name, template: 'other', labels: { 'tars.io/Template': 'base' } })

  it.each([
    { name: 'no user, and no TServer that the cluster knows of: no refusal', there: [], answer: 'allowed' },
    { name: 'of many, one that says so itself is named', there: [named('a'), named('b')], answer: refused('a') },
    {
      name: 'of many, the last is found',
      there: [...Array.from({ length: 200 }, (_, at) => liar(`l${at}`)), named('z')],
      answer: refused('z'),
    },
    {
      name: 'a server of another template does not count',
      there: [aTServer({ template: 'other' })],
      answer: 'allowed',
    },
    { name: 'a server being deleted uses nothing', there: [aTServer({ going: true })], answer: 'allowed' },
    {
      name: 'a label that spec.tars.template does not confirm is not believed',
      there: [liar('a')],
      answer: 'allowed',
    },
    { name: 'a server without the label is not found', there: [aTServer({ labels: {} })], answer: 'allowed' },
    {
      name: 'a server in another namespace does not count',
      there: [aTServer({ namespace: 'prod' })],
      answer: 'allowed',
    },
  ])('$name', async ({ there, answer }) => {
    expect(await onDelete(base, ...there)).toBe(answer)
  })

  it('a name that fits into no label has no users, and nobody is asked for them', async () => {
    expect(await onDelete(aTTemplate({ name: LONG }), aTServer({ template: LONG }))).toBe('allowed')
  })

  const TSERVERS = 'list TServer demo {"tars.io/Template":"base"} metadata'
  const metadata = (name: string) => ({ ...aTServer({ name, going: true }), spec: undefined })
  it.each([
    {
      name: 'one says so itself',
      there: [named('a'), named('b'), named('c')],
      reads: [`${TSERVERS} of 2`, 'get TServer demo/a'],
    },
    {
      name: 'the third says so itself',
      there: [liar('a'), liar('b'), named('c'), named('d')],
      reads: [
        `${TSERVERS} of 2`,
        'get TServer demo/a',
        'get TServer demo/b',
        `${TSERVERS} of 16`,
        'get TServer demo/c',
      ],
    },
    { name: 'all are being deleted', there: [metadata('a')], reads: [`${TSERVERS} of 2`] },
    { name: 'there is none', there: [], reads: [`${TSERVERS} of 2`] },
  ])(
    'of servers that may be large the metadata is asked for, and few are read whole: $name',
    async ({ there, reads }) => {
      const live = readerOf(base, ...there)
      await answerTo(deletionOf(base), { cached: readerOf(), live })
      expect(live.reads.filter((read) => read.includes('TServer'))).toEqual(reads)
    },
  )

  it('a server that was deleted between the list and the GET uses nothing', async () => {
    const [listed, gone] = [readerOf(base, named('a')), readerOf(base)]
    const live: ClusterReader = { list: (of, where) => listed.list(of, where), get: (of, ref) => gone.get(of, ref) }
    expect(await answerTo(deletionOf(base), { cached: readerOf(), live })).toBe('allowed')
  })

  it('children and users are told in one answer', async () => {
    expect(await onDelete(base, aTTemplate({ name: 'a', parent: 'base' }), aTServer())).toBe(
      '403 Forbidden: metadata.name: TTemplate demo/base: is the parent of TTemplate a; delete them or give them another parent, then repeat (TT-V3); ' +
        refused('demo-echo').replace('403 Forbidden: ', ''),
    )
  })
})

describe('TT-V3, TT-V4 and who asks', () => {
  const inUse = readersOf(base, aTTemplate({ name: 'a', parent: 'base' }), aTServer())

  it.each([
    { user: 'ann', code: 403 },
    { user: 'system:serviceaccount:demo:namespace-controller', code: 403 },
    { user: 'system:admin', code: 403 },
    { user: CTRL, code: undefined },
    { user: 'system:serviceaccount:tars-system:tars-webhook', code: undefined },
    { user: 'system:serviceaccount:kube-system:namespace-controller', code: undefined },
    { user: 'system:serviceaccount:kube-system:generic-garbage-collector', code: 403 },
    { user: 'system:kube-controller-manager', code: 403 },
    { user: 'system:apiserver', code: 403 },
  ])('$user gets $code', async ({ user, code }) => {
    const { response } = await answered(VALIDATING, deletionOf(base, { user }), { readers: inUse })
    expect(response.status?.code).toBe(code)
    expect(response.allowed).toBe(code === undefined)
  })

  it.each([CTRL, 'system:kube-controller-manager'])('TT-V1, TT-V2, TT-V5, TT-V6 hold for %s too', async (user) => {
    const body = creationOf(aTTemplate({ name: 'a', parent: 'gone' }), { user })
    expect(await answerTo(body, readersOf())).toMatch('(TT-V2)')
  })

  it('what the cache says of children and users counts for nothing (SV-7)', async () => {
    expect(await answerTo(deletionOf(base), { cached: inUse.cached, live: readerOf(base) })).toBe('allowed')
    expect(await answerTo(deletionOf(base), { cached: readerOf(base), live: inUse.live })).toMatch(/TT-V3.*TT-V4/)
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
