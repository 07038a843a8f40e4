import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

/** Of a kind whose status is written by itself. */
export function status({ cluster, author, at, gadget, create, stored }: Bench): void {
  const NEW = { phase: 'New' }

  it('is not taken from who creates the object', async () => {
    expect(await cluster().create(GADGET, { ...gadget('one'), status: NEW })).not.toHaveProperty('status')
    expect(await stored('one')).not.toHaveProperty('status')
  })

  it('is not even looked at, but for fields that nobody knows', async () => {
    await cluster().create(GADGET, { ...gadget('one'), status: { phase: 5 } })
    await cluster().create(GADGET, { ...gadget('two'), status: [] })
    const strange = author().create(GADGET, { ...gadget('three'), status: { foo: 1 } }, { fieldValidation: 'Strict' })
    await expect(strange).rejects.toMatchObject({
      status: { code: 400, message: expect.stringMatching(/unknown field "status.foo"$/) },
    })
  })

  it('is left alone by who writes the object, and counts for nothing', async () => {
    const { metadata, ...body } = await create('one')
    const ways = [
      cluster().replace(GADGET, { ...body, metadata, status: NEW }),
      cluster().patch(GADGET, at('one'), [{ op: 'add', path: '/status', value: NEW }]),
      cluster().merge(GADGET, at('one'), { status: NEW }),
    ]
    for (const way of ways) expect((await way).metadata).toEqual(metadata)
    expect(await stored('one')).not.toHaveProperty('status')
  })

  it('counts no generation when something else is written along', async () => {
    await create('one')
    const labelled = { metadata: { labels: { team: 'edge' } }, status: NEW }
    expect((await cluster().merge(GADGET, at('one'), labelled)).metadata).toMatchObject({ generation: 1 })
  })

  it('written by itself leaves all the rest alone, and counts no generation', async () => {
    const { metadata } = await create('one')
    const patch = { metadata: { labels: { team: 'edge' } }, spec: { count: 9 }, status: NEW }
    const written = await cluster().merge(GADGET, at('one'), patch, { subresource: 'status' })
    expect(written).toMatchObject({ spec: { count: 3 }, status: NEW, metadata: { generation: 1 } })
    expect(written.metadata).not.toHaveProperty('labels')
    expect(written.metadata.resourceVersion).not.toBe(metadata.resourceVersion)
    expect(await stored('one')).toMatchObject({ status: NEW })
  })

  it('written by itself, of an older version is in conflict', async () => {
    const { metadata } = await create('one')
    const { resourceVersion } = metadata
    await cluster().merge(GADGET, at('one'), { spec: { count: 5 } })
    const late = { metadata: { resourceVersion }, status: NEW }
    const write = cluster().merge(GADGET, at('one'), late, { subresource: 'status' })
    await expect(write).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await stored('one')).not.toHaveProperty('status')
  })

  it('written by itself is not held to the identity that it names, but to the version', async () => {
    const { metadata } = await create('one')
    const { resourceVersion } = metadata
    const named = { metadata: { uid: 'of the last one', resourceVersion }, status: NEW }
    expect(await cluster().merge(GADGET, at('one'), named, { subresource: 'status' })).toMatchObject({
      metadata: { uid: metadata.uid },
      status: NEW,
    })
  })

  it('written by itself is held to its schema', async () => {
    await create('one')
    const write = cluster().merge(GADGET, at('one'), { status: { phase: 5 } }, { subresource: 'status' })
    await expect(write).rejects.toMatchObject({ status: { code: 422 } })
  })
}
