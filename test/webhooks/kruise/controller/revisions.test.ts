import { describe, expect, it } from 'vitest'
import { fnv, labelHashOf, lettersOf } from '../../../../webhooks/kruise/controller/label-hash.ts'
import {
  dataOf,
  expendable,
  isOfVersion,
  numberOf,
  type Revision,
  templateHashOf,
  versionIn,
} from '../../../../webhooks/kruise/controller/revisions.ts'

const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const PATCHES = [{ selector: { matchLabels: { a: 'b' } }, patch: {} }]
const revision = (revision: number, more: Partial<Revision> = {}): Revision => ({
  name: `d-${revision}`,
  revision,
  template: { ...TEMPLATE, $patch: 'replace' },
  patches: undefined,
  hash: `h${revision}`,
  templateHash: undefined,
  ...more,
})

describe('PATCH-HASH-6 the hash label', () => {
  it.each([
    ['', 2166136261],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('FNV-1a of %j', (text, expected) => {
    expect(fnv(text)).toBe(expected)
  })

  it('is that of the template without patches, and another one with each component', () => {
    expect(lettersOf(1234567890)).toBe('56789bcdf4')
    expect(labelHashOf('t', '')).toBe('t')
    expect(labelHashOf('t', 'c1')).toMatch(/^[b-df-hj-np-tv-xz2-9]+$/)
    expect(labelHashOf('t', 'c1')).not.toBe(labelHashOf('t', 'c2'))
  })
})

describe('PATCH-CTL-11 revisions', () => {
  const kruises = {
    ...TEMPLATE,
    metadata: { ...TEMPLATE.metadata, creationTimestamp: null, annotations: {} },
    $patch: 'replace',
  }
  it.each<[string, Partial<Revision>, boolean]>([
    ['of the same template', {}, true],
    ['with the nulls of Kruise', { template: kruises }, true],
    ['of another template', { template: { spec: {} } }, false],
    ['with patches', { patches: PATCHES }, false],
    ['with unreadable patches', { patches: 'x' }, true],
  ])('%s: of a version without patches or not', (_, more, expected) => {
    expect(isOfVersion(revision(1, more), { template: TEMPLATE, patches: [] })).toBe(expected)
  })

  it('and a version with patches has its own', () => {
    const version = { template: TEMPLATE, patches: PATCHES }
    expect(isOfVersion(revision(1, { patches: PATCHES }), version)).toBe(true)
    expect(isOfVersion(revision(1), version)).toBe(false)
    const { template, patches } = versionIn(dataOf(version))
    expect(isOfVersion(revision(1, { template, patches }), version)).toBe(true)
    expect(dataOf({ ...version, patches: [] })).toEqual({ spec: { template: { ...TEMPLATE, $patch: 'replace' } } })
    expect(versionIn('x')).toEqual({ template: undefined, patches: undefined })
  })

  it('the hash of a template is that of a revision which has it, so that adoption restarts nothing', () => {
    const version = { template: TEMPLATE, patches: [] }
    const hash = (...revisions: Revision[]) => templateHashOf(revisions, version, JSON.stringify, 0)
    expect(hash(revision(1))).toBe('h1')
    expect(hash(revision(1, { templateHash: 't1' }))).toBe('t1')
    expect(hash(revision(1, { template: {} }))).toBe(hash())
    expect(templateHashOf([], version, JSON.stringify, 1)).not.toBe(hash())
    expect(templateHashOf([], { template: {}, patches: [] }, JSON.stringify, 0)).toBe(lettersOf(fnv('{}')))
  })

  it('the current one has the highest number', () => {
    const [one, two] = [revision(1), revision(2)]
    expect(numberOf(undefined, [])).toBe(1)
    expect(numberOf(undefined, [one, two])).toBe(3)
    expect(numberOf(two, [one, two])).toBe(2)
    expect(numberOf(one, [one, two])).toBe(3)
  })

  it('PATCH-CTL-20 old ones beyond the limit go, the oldest first, but none that a pod names', () => {
    const old = [revision(3), revision(1), revision(2)]
    const gone = (limit: number, named: string) =>
      expendable(old, limit, ({ name }) => name === named).map(({ name }) => name)
    expect(gone(3, '')).toEqual([])
    expect(gone(1, '')).toEqual(['d-1', 'd-2'])
    expect(gone(1, 'd-1')).toEqual(['d-2', 'd-3'])
  })
})
