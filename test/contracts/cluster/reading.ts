import { expect, it } from 'vitest'
import { resource } from '../../../src/cluster/resource.ts'
import { integer, object } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

const UNKNOWN = resource(
  { group: 'test.tars.io', version: 'v1', kind: 'Ghost', plural: 'ghosts', scope: 'Namespaced' },
  object({}),
)
/** Takes a gadget for something else. */
const MISTAKEN = resource(GADGET, object({ spec: object({ title: integer({ doc: 'Not what it is.' }) }) }))

export function reading({ cluster, namespace, at, create }: Bench): void {
  it('gives what was created, with what the API server adds', async () => {
    const created = await create('one', { owner: 'ann' }, { labels: { team: 'edge' } })
    expect(await cluster().get(GADGET, at('one'))).toMatchObject({
      apiVersion: 'test.tars.io/v1',
      kind: 'Gadget',
      metadata: {
        name: 'one',
        namespace: namespace(),
        labels: { team: 'edge' },
        uid: created.metadata.uid,
        resourceVersion: created.metadata.resourceVersion,
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        generation: 1,
      },
      spec: { title: 'a gadget', owner: 'ann' },
    })
  })

  it('gives nothing for what does not exist', async () => {
    expect(await cluster().get(GADGET, at('nobody'))).toBeUndefined()
    expect(await cluster().get(GADGET, at(''))).toBeUndefined()
  })

  it('finds nothing of a resource that the API server does not know', async () => {
    expect(await cluster().get(UNKNOWN, at('one'))).toBeUndefined()
    expect(await cluster().list(UNKNOWN, { namespace: namespace() })).toEqual([])
  })

  it('lists one namespace', async () => {
    for (const each of ['one', 'two']) await create(each)
    const inside = await cluster().list(GADGET, { namespace: namespace() })
    expect(namesOf(inside)).toEqual(['one', 'two'])
    expect(await cluster().list(GADGET, { namespace: 'elsewhere' })).toEqual([])
  })

  it('lists every namespace when none is named', async () => {
    await create('one')
    const everywhere = await cluster().list(GADGET, { namespace: '' })
    const here = everywhere.filter(({ metadata }) => metadata.namespace === namespace())
    expect(namesOf(here)).toEqual(['one'])
  })

  it.each([
    { title: 'one label', labels: { team: 'edge' }, names: ['both', 'edge'] },
    { title: 'every label', labels: { team: 'edge', tier: 'low' }, names: ['both'] },
    { title: 'a label that nobody carries', labels: { team: 'nobody' }, names: [] },
    { title: 'a value that no label can have', labels: { team: 'no such value' }, names: [] },
    { title: 'no label at all', labels: {}, names: ['both', 'edge', 'plain'] },
  ])('lists by $title', async ({ labels, names }) => {
    await create('plain')
    await create('edge', {}, { labels: { team: 'edge' } })
    await create('both', {}, { labels: { team: 'edge', tier: 'low' } })
    expect(namesOf(await cluster().list(GADGET, { namespace: namespace(), labels }))).toEqual(names)
  })

  it('lists what carries a label, whatever its value', async () => {
    await create('plain')
    await create('edge', {}, { labels: { team: 'edge' } })
    await create('core', {}, { labels: { team: 'core', tier: 'low' } })
    const list = (where: object) => cluster().list(GADGET, { namespace: namespace(), ...where })
    expect(namesOf(await list({ carrying: ['team'] }))).toEqual(['core', 'edge'])
    expect(namesOf(await list({ carrying: ['team'], labels: { tier: 'low' } }))).toEqual(['core'])
    expect(namesOf(await list({ name: 'edge' }))).toEqual(['edge'])
    expect(namesOf(await list({ namespace: '', name: 'no name' }))).toEqual([])
  })

  it('lists metadata alone where nothing else is wanted', async () => {
    const { metadata } = await create('one', {}, { labels: { team: 'edge' } })
    const [listed, ...more] = await cluster().list(GADGET, { namespace: namespace(), metadataOnly: true })
    const { uid, resourceVersion } = metadata
    expect(listed).toEqual({
      metadata: expect.objectContaining({ name: 'one', labels: { team: 'edge' }, uid, resourceVersion }),
    })
    expect(more).toEqual([])
  })

  it.each([1, 2, 9])('lists no more than %i where so many suffice', async (limit) => {
    for (const each of ['one', 'three', 'two']) await create(each)
    const some = await cluster().list(GADGET, { namespace: namespace(), limit })
    expect(namesOf(some)).toEqual(['one', 'three', 'two'].slice(0, limit))
  })

  it('gives the metadata alone of an object that has another shape', async () => {
    await create('one')
    expect(Object.keys((await cluster().get(MISTAKEN, at('one'))) ?? {})).toEqual(['metadata'])
    const [listed] = await cluster().list(MISTAKEN, { namespace: namespace() })
    expect(Object.keys(listed ?? {})).toEqual(['metadata'])
  })
}

function namesOf(objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).sort()
}
