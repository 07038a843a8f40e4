import { describe, expect, it } from 'vitest'
import type { ClusterReader } from '../../../../src/cluster/port.ts'
import { answered, CTRL, VALIDATING } from '../../../support/answerer-parts.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import { answerTo, base, creationOf, deletionOf, LONG, onDelete } from './validating.ts'

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
    const live: ClusterReader = { ...gone, list: (of, where) => listed.list(of, where) }
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
