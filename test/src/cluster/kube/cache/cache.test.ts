import { beforeEach, describe, expect, it } from 'vitest'
import { Cache } from '../../../../../src/cluster/kube/cache/cache.ts'
import { Store } from '../../../../../src/cluster/kube/cache/store.ts'
import type { Built, KubeObject, Words } from '../../../../../src/cluster/port.ts'
import { foundAs } from '../../../../../src/cluster/stored.ts'
import { isTree } from '../../../../../src/schema.ts'
import { TTEMPLATE } from '../../../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../../../support/builders/templates.ts'

const KEPT = { byLabels: ['app', 'tier'], fields: ['metadata.annotations', 'spec.parent'] }
const DEMO = { namespace: 'demo' }
let cache: Cache

beforeEach(() => {
  cache = new Cache(KEPT)
})

describe('get', () => {
  it('finds by namespace and name', () => {
    const object = thing('a')
    cache.put(object)
    expect(cache.get({ namespace: 'demo', name: 'a' })).toEqual(object)
    expect(cache.get({ namespace: 'other', name: 'a' })).toBeUndefined()
    expect(cache.get({ namespace: 'demo', name: 'b' })).toBeUndefined()
  })

  it('finds what has cluster scope without a namespace', () => {
    cache.put({ metadata: { name: 'node' } })
    expect(cache.get({ namespace: '', name: 'node' })).toBeDefined()
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('takes %s for a name like any other', (name) => {
    expect(cache.get({ namespace: name, name })).toBeUndefined()
    cache.put(thing(name, {}, name))
    expect(cache.get({ namespace: name, name })).toBeDefined()
  })
})

describe('list', () => {
  it.each([
    { name: 'by nothing gives all of the namespace', where: DEMO, names: ['a', 'b', 'c', 'd'] },
    { name: 'without a namespace gives all of them', where: { namespace: '' }, names: ['a', 'b', 'c', 'd', 'e'] },
    { name: 'by an indexed label', where: { ...DEMO, labels: { app: 'x' } }, names: ['a', 'b'] },
    { name: 'by an indexed label everywhere', where: { namespace: '', labels: { app: 'x' } }, names: ['a', 'b', 'e'] },
    { name: 'by two indexed labels', where: { ...DEMO, labels: { app: 'x', tier: '1' } }, names: ['a'] },
    { name: 'by a label without an index', where: { ...DEMO, labels: { color: 'red' } }, names: ['b', 'c'] },
    { name: 'by both', where: { ...DEMO, labels: { app: 'x', color: 'red' } }, names: ['b'] },
    { name: 'by a value that nobody carries', where: { ...DEMO, labels: { app: 'z' } }, names: [] },
    { name: 'by a label that nobody carries', where: { ...DEMO, labels: { size: 'z' } }, names: [] },
    { name: 'in a namespace that has nothing', where: { namespace: 'none', labels: { app: 'x' } }, names: [] },
  ])('$name', ({ where, names }) => {
    cache.put(thing('a', { app: 'x', tier: '1' }))
    cache.put(thing('b', { app: 'x', tier: '2', color: 'red' }))
    cache.put(thing('c', { app: 'y', color: 'red' }))
    cache.put({ metadata: { name: 'd', namespace: 'demo', labels: null } })
    cache.put(thing('e', { app: 'x' }, 'other'))
    expect(namesOf(cache.list(where))).toEqual(names)
  })

  it('follows a label that changed', () => {
    for (const app of ['x', 'y']) for (const name of ['a', 'b']) cache.put(thing(name, { app }))
    cache.put(thing('b', { app: 'x' }))
    expect(namesOf(cache.list({ ...DEMO, labels: { app: 'x' } }))).toEqual(['b'])
    expect(namesOf(cache.list({ ...DEMO, labels: { app: 'y' } }))).toEqual(['a'])
  })

  it('forgets what was removed, by the labels under which it was kept', () => {
    for (const name of ['a', 'b', 'c']) cache.put(thing(name, { app: 'x' }))
    for (const name of ['a', 'c', 'not-there']) cache.remove(thing(name))
    expect(namesOf(cache.list({ ...DEMO, labels: { app: 'x' } }))).toEqual(['b'])
    cache.remove(thing('b'))
    expect(cache.list({ ...DEMO, labels: { app: 'x' } })).toEqual([])
    expect(cache.list(DEMO)).toEqual([])
  })

  it.each([
    { name: 'by one label', labels: { app: 'few' } },
    { name: 'by two, of which one is carried by all', labels: { tier: 'all', app: 'few' } },
  ])('looks at no more objects among 100,000 than among 100, $name', ({ labels }) => {
    const visits = [100, 100_000].map((count) => {
      const counted = countedThings(count)
      const large = new Store(KEPT.byLabels)
      for (const each of [...counted.things, ...counted.things]) large.put(each)
      counted.reset()
      expect(large.list({ ...DEMO, labels })).toHaveLength(5)
      large.get({ namespace: 'demo', name: 'thing-7' })
      return counted.visits()
    })
    expect(visits).toEqual([5, 5])
  })
})

describe('an index of computed values', () => {
  const partsIn = (object: unknown) => (isTree(object) && isTexts(object.spec) ? object.spec : [])
  const byParts = { valuesOf: (object: KubeObject) => partsIn(object) }
  const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value)
  const having = (name: string, ...spec: readonly string[]): Built => ({ ...thing(name), spec })
  const by = (value: string) => ({ ...DEMO, by: { index: byParts, value } })

  it.each([
    { name: 'of objects', keeps: {} },
    { name: 'of objects that are kept as text', keeps: { asText: true } as const },
  ])('$name follows each change', ({ keeps }) => {
    const indexed = new Cache({ byLabels: [], byField: [byParts], ...keeps })
    for (const each of [having('a', 'x', 'y', 'x'), having('b', 'y'), having('c')]) indexed.put(each)
    expect(['x', 'y', 'z', '__proto__'].map((value) => namesOf(indexed.list(by(value))))).toEqual([
      ['a'],
      ['a', 'b'],
      [],
      [],
    ])
    indexed.put(having('a', 'z'))
    indexed.remove(having('b'))
    expect(['x', 'y', 'z'].map((value) => namesOf(indexed.list(by(value))))).toEqual([[], [], ['a']])
  })

  it('is walked around where there is none', () => {
    const plain = new Cache({ byLabels: [] })
    for (const each of [having('a', 'x'), having('b', 'y')]) plain.put(each)
    expect(namesOf(plain.list(by('x')))).toEqual(['a'])
  })

  it('looks at no more objects among 100,000 than among 100', () => {
    const visits = [100, 100_000].map((count) => {
      const counted = countedThings(count)
      const index = { valuesOf: ({ metadata }: KubeObject) => [metadata.labels?.app ?? ''] }
      const large = new Store([], { indexes: [index], whole: (kept) => kept })
      for (const each of counted.things) large.put(each)
      counted.reset()
      expect(large.list({ ...DEMO, by: { index, value: 'few' } })).toHaveLength(5)
      return counted.visits()
    })
    expect(visits).toEqual([10, 10])
  })
})

describe('what is kept', () => {
  it('is what is asked for, beside what every look-up needs', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"a": "megabyte"}', 'a.b/c': 'kept' }
    const unasked = { managedFields: [{ manager: 'kubectl' }], creationTimestamp: '2026-11-18T12:01:02Z' }
    const { metadata } = thing('a', { app: 'x' })
    cache.put({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { ...metadata, uid: 'u', resourceVersion: '7', ...unasked, annotations },
      spec: { content: 'a megabyte', parent: 'p' },
      status: { long: true },
    })
    expect(cache.get({ namespace: 'demo', name: 'a' })).toEqual({
      metadata: {
        ...metadata,
        uid: 'u',
        resourceVersion: '7',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '', 'a.b/c': 'kept' },
      },
      spec: { parent: 'p' },
    })
  })

  it('is still what its kind says it is, applied by kubectl or not', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"a": "megabyte"}' }
    const { metadata, spec } = aTTemplate()
    cache.put({ metadata: { ...metadata, annotations, creationTimestamp: '2026-11-18T12:01:02Z' }, spec })
    const found = cache.get({ namespace: 'demo', name: 'base' })
    expect(found && foundAs(TTEMPLATE, found).spec?.parent).toBe('base')
  })

  it('is the metadata where that is all that is looked up, whatever arrives', () => {
    const lean = new Cache({ byLabels: ['app'], fields: [] })
    const { metadata } = thing('a', { app: 'x' })
    lean.put({ kind: 'Thing', metadata: { ...metadata }, spec: { parent: 'p' }, status: {} })
    expect(lean.list({ ...DEMO, labels: { app: 'x' } })).toEqual([{ metadata }])
  })

  it('is found by what it said, as are others that say the same', () => {
    const parsed = () =>
      JSON.parse('{"metadata":{"name":"a","namespace":"demo-of-tars","labels":{"app":"echo-server"}}}')
    for (const namespace of ['demo-of-tars', 'other']) {
      const object = parsed()
      cache.put({ ...object, metadata: { ...object.metadata, namespace } })
    }
    expect(cache.list({ namespace: 'demo-of-tars', labels: { app: 'echo-server' } })).toEqual([parsed()])
  })

  it('gains no field that it did not have', () => {
    cache.put(thing('a'))
    expect(cache.get({ namespace: 'demo', name: 'a' })).not.toHaveProperty('spec')
  })

  it('may lack what should be an object', () => {
    cache.put({ ...thing('a'), spec: 'not an object' })
    expect(cache.get({ namespace: 'demo', name: 'a' })).toMatchObject({ spec: 'not an object' })
  })
})

describe('a list anew', () => {
  beforeEach(() => {
    cache.put(thing('old', { app: 'x' }))
    cache.begin()
    cache.add([thing('new', { app: 'x' })])
  })

  it('does not count before it is whole', () => {
    expect(namesOf(cache.list(DEMO))).toEqual(['old'])
  })

  it('replaces all that was known, in the indexes too', () => {
    cache.add([thing('newer', { app: 'x' })])
    cache.done()
    expect(cache.get({ namespace: 'demo', name: 'old' })).toBeUndefined()
    expect(namesOf(cache.list({ ...DEMO, labels: { app: 'x' } }))).toEqual(['new', 'newer'])
  })

  it('that was broken off leaves nothing behind', () => {
    cache.begin()
    cache.add([thing('again')])
    cache.done()
    expect(namesOf(cache.list(DEMO))).toEqual(['again'])
  })
})

function thing(name: string, labels: Words = {}, namespace = 'demo'): Built {
  return { metadata: { name, namespace, labels } }
}

function namesOf(objects: readonly Built[]): string[] {
  return objects.map(({ metadata }) => metadata.name)
}

/** Five of them are of app `few`, all of them of tier `all`; whoever looks into one is counted. */
function countedThings(count: number) {
  let visits = 0
  const things = Array.from({ length: count }, (_, i): Built => {
    const { metadata } = thing(`thing-${i}`, { app: i < 5 ? 'few' : `app-${i % 50}`, tier: 'all' })
    return {
      get metadata() {
        visits += 1
        return metadata
      },
    }
  })
  return {
    things,
    visits: () => visits,
    reset: () => {
      visits = 0
    },
  }
}
