import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Cache } from '../../../../../src/cluster/kube/cache/cache.ts'
import { SharedCache } from '../../../../../src/cluster/kube/cache/shared-cache.ts'
import type { Built, Words } from '../../../../../src/cluster/port.ts'

const DEMO = { namespace: 'demo' }

describe('what is kept as text', () => {
  const body = { kind: 'Thing', spec: { parent: 'p' }, status: { list: [1] } }
  const { metadata } = thing('a', { app: 'x' })
  const filled = () => {
    const folding = new Cache({ byLabels: ['app'], asText: true })
    folding.begin()
    folding.add([{ ...body, metadata }])
    folding.done()
    return folding
  }

  it('is found as it was, by name and by label', () => {
    expect(filled().get({ namespace: 'demo', name: 'a' })).toEqual({ ...body, metadata })
    expect(filled().list({ ...DEMO, labels: { app: 'x' } })).toEqual([{ ...body, metadata }])
  })

  it('shows its identity, whether it is terminating and its indexed labels at once, as does what was put', () => {
    const identity = { name: 'a', namespace: 'demo', uid: 'u', resourceVersion: '7', deletionTimestamp: 'now' }
    const whole = { ...body, metadata: { ...identity, labels: { app: 'x', color: 'red' }, generation: 3 } }
    const folding = filled()
    const kept = folding.put(whole)
    const listed = folding.list({ ...DEMO, metadataOnly: true })
    for (const each of [kept, ...listed, ...folding.all()])
      expect(Object.entries(each)).toEqual([['metadata', { ...identity, labels: { app: 'x' } }]])
    expect(folding.get({ namespace: 'demo', name: 'a' })).toEqual(whole)
  })

  it.each([
    { name: 'an indexed label', labels: { app: 'x' }, limit: undefined, names: ['a', 'b'] },
    { name: 'a label without an index', labels: { color: 'red' }, limit: undefined, names: ['b', 'c'] },
    { name: 'both', labels: { app: 'x', color: 'red' }, limit: undefined, names: ['b'] },
    { name: 'a label without an index, the first alone', labels: { color: 'red' }, limit: 1, names: ['b'] },
    { name: 'nothing, the first two alone', labels: {}, limit: 2, names: ['a', 'b'] },
  ])('is listed by $name', ({ labels, limit, names }) => {
    const folding = new Cache({ byLabels: ['app'], asText: true })
    folding.put(thing('a', { app: 'x' }))
    folding.put(thing('b', { app: 'x', color: 'red' }))
    folding.put(thing('c', { app: 'y', color: 'red' }))
    const found = folding.list({ ...DEMO, labels, ...(limit && { limit }) })
    expect(namesOf(found)).toEqual(names)
    const shown = folding.list({ ...DEMO, labels, metadataOnly: true, ...(limit && { limit }) })
    expect(namesOf(shown)).toEqual(names)
  })

  it('keeps what has no labels, or null for them, as it was', () => {
    const folding = new Cache({ byLabels: ['app'], asText: true })
    for (const labels of [null, {}]) {
      folding.put({ metadata: { name: 'a', namespace: 'demo', labels } })
      expect(folding.get({ namespace: 'demo', name: 'a' })?.metadata.labels).toEqual(labels)
    }
  })

  it('is whole in its last state, also where a new list lacks it', async () => {
    const shared = new SharedCache(filled(), () => undefined)
    const gone: Built[] = []
    const deaf = { begin() {}, add() {}, done() {}, put() {} }
    shared.join({ ...deaf, remove: (object) => gone.push(object) })
    await setImmediate()
    shared.remove({ ...body, metadata })
    shared.put({ ...body, metadata })
    shared.begin()
    shared.done()
    expect(gone).toEqual([
      { ...body, metadata },
      { ...body, metadata },
    ])
  })
})

function thing(name: string, labels: Words = {}): Built {
  return { metadata: { name, namespace: 'demo', labels } }
}

const namesOf = (objects: readonly Built[]) => objects.map(({ metadata }) => metadata.name)
