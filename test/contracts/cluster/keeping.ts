import { expect, it } from 'vitest'
import type { Need } from '../../../src/cluster/needs.ts'
import type { Found, KubeObject } from '../../../src/cluster/port.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

/** What a process holds in memory, which is less than there is. */
export function keeping({ cluster, namespace, at, create, holding }: Bench): void {
  const named = (metadata: object) => expect.objectContaining({ name: 'one', namespace: namespace(), ...metadata })
  const wish = (keeps: Need['keeps']): Need => ({ resource: GADGET, ...(keeps && { keeps }) })
  const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

  it.each<{ title: string; fields: readonly string[] | undefined; kept: () => object }>([
    {
      title: 'names, labels and the fields asked for',
      fields: ['spec.owner'],
      kept: () => ({ spec: { owner: 'ann' } }),
    },
    { title: 'names and labels where nothing else is asked for', fields: [], kept: () => ({}) },
  ])('has $title', async ({ fields, kept }) => {
    const { metadata } = await create(
      'one',
      { owner: 'ann' },
      { labels: { team: 'edge' }, annotations: { 'a.b/c': 'd' } },
    )
    const { cached } = (await holding([wish({ ...(fields && { fields }) })])).readers
    const { uid, resourceVersion } = metadata
    const expected = {
      metadata: { name: 'one', namespace: namespace(), uid, resourceVersion, labels: { team: 'edge' } },
    }
    expect(await cached.get(GADGET, at('one'))).toEqual({ ...expected, ...kept() })
    expect(await cached.list(GADGET, { namespace: namespace() })).toEqual([{ ...expected, ...kept() }])
  })

  it('gives all objects page by page, whole, and none of a kind that is not known (WR-8)', async () => {
    for (const name of ['one', 'three', 'two']) await create(name, { owner: 'ann' })
    const { pages } = await holding([])
    const given = []
    for await (const page of pages(GADGET, { namespace: namespace(), limit: 2 })) given.push(page)
    const [one, ...others] = ['one', 'three', 'two'].map((name) => ({ metadata: { name } }))
    expect(given.flat()).toMatchObject([{ ...one, spec: { owner: 'ann' } }, ...others])
    expect(Math.max(...given.map(({ length }) => length))).toBe(2) // the first may be shorter
    for await (const page of pages({ ...GADGET, plural: 'unknowns', kind: 'Unknown' }, { namespace: '', limit: 2 }))
      expect(page).toEqual([])
  })

  it('has the time of creation, or the type, where it is asked for', async () => {
    await create('one')
    const { cached } = (await holding([wish({ fields: ['kind', 'metadata.creationTimestamp'] })])).readers
    const found = await cached.get(GADGET, at('one'))
    expect(found).toEqual({ kind: 'Gadget', metadata: named({ creationTimestamp: stamp }) })
  })

  it('has all but who wrote it where no fields are named', async () => {
    const created = await create('one', { owner: 'ann' })
    const { cached } = (await holding([wish({})])).readers
    const { metadata, ...body } = created
    expect(await cached.get(GADGET, at('one'))).toMatchObject(body)
    expect((await cached.get(GADGET, at('one')))?.metadata).toMatchObject({ uid: metadata.uid, generation: 1 })
    expect(JSON.stringify(await cached.get(GADGET, at('one')))).not.toContain('managedFields')
  })

  it('is united of all that look it up, in one place', async () => {
    await create('one', { owner: 'ann', count: 5 })
    const held = await holding([wish({ fields: ['spec.owner'] }), wish({ fields: ['spec.count'] })])
    expect(await held.readers.cached.get(GADGET, at('one'))).toMatchObject({ spec: { owner: 'ann', count: 5 } })
  })

  it('of what carries some labels tells of that alone, and a list of more is asked live', async () => {
    await create('one', { owner: 'ann' }, { labels: { team: 'edge' } })
    await create('two', { owner: 'bob' })
    const { cached } = (await holding([wish({ carrying: ['team'], fields: [] })])).readers
    expect(await cached.get(GADGET, at('one'))).not.toHaveProperty('spec')
    expect(await cached.get(GADGET, at('two'))).toBeUndefined()
    const edge = await cached.list(GADGET, { namespace: namespace(), labels: { team: 'edge' } })
    expect(edge).toEqual([{ metadata: named({ labels: { team: 'edge' } }) }])
    expect(await cached.list(GADGET, { namespace: namespace(), carrying: ['team'] })).toEqual(edge)
    expect(await cached.list(GADGET, { namespace: namespace() })).toHaveLength(2)
  })

  it('is answered to each with the fields of its own needs', async () => {
    await create('one', { owner: 'ann', count: 5 }, { labels: { team: 'edge' } })
    const [all, edge] = [wish({ fields: ['spec.owner'] }), wish({ carrying: ['team'], fields: ['spec.count'] })]
    const held = await holding([all, edge])
    expect(await held.cachedFor([all]).get(GADGET, at('one'))).toMatchObject({ spec: { owner: 'ann' } })
    expect(await held.cachedFor([edge]).get(GADGET, at('one'))).toMatchObject({ spec: { count: 5 } })
    expect(await held.cachedFor([]).get(GADGET, at('one'))).toMatchObject({ spec: { owner: 'ann', count: 5 } })
  })

  it('has an index of computed values, and what is read live answers the same', async () => {
    const ownersIn = ({ spec }: Found<Gadget>) => [spec?.owner ?? '']
    const byOwner = { valuesOf: (object: KubeObject) => (GADGET.isDraft(object) ? ownersIn(object) : []) }
    for (const [name, owner] of Object.entries({ one: 'ann', two: 'bob', three: 'ann' })) await create(name, { owner })
    const { cached } = (await holding([wish({ byField: [byOwner], fields: ['spec.owner'] })])).readers
    const where = { namespace: namespace(), by: { index: byOwner, value: 'ann' } }
    for (const reader of [cached, cluster()]) {
      const found = await reader.list(GADGET, where)
      expect(found.map(({ metadata }) => metadata.name).toSorted()).toEqual(['one', 'three'])
      expect(await reader.list(GADGET, { ...where, limit: 1, metadataOnly: true })).toHaveLength(1)
      expect(await reader.list(GADGET, { ...where, namespace: 'none' })).toEqual([])
    }
  })

  it('leaves the live reader whole', async () => {
    await create('one', { owner: 'ann' })
    await holding([wish({ fields: [] })])
    expect(await cluster().get(GADGET, at('one'))).toMatchObject({ kind: 'Gadget', spec: { owner: 'ann' } })
  })
}
