import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import { type Bench, LONG_AGO } from './bench.ts'

export function replacing({ cluster, at, gadget, create, stored }: Bench): void {
  it('stores the new object and another version of it', async () => {
    const before = await create('one')
    const after = await cluster().replace(GADGET, { ...before, spec: { title: 'changed' } })
    expect(await stored('one')).toMatchObject({ spec: { title: 'changed' }, metadata: after.metadata })
    expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion)
  })

  it('is a conflict when somebody else was faster', async () => {
    const before = await create('one')
    await cluster().replace(GADGET, { ...before, spec: { title: 'first' } })
    await expect(cluster().replace(GADGET, { ...before, spec: { title: 'second' } })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await stored('one')).toMatchObject({ spec: { title: 'first' } })
  })

  it('lets one of many win', async () => {
    const before = await create('one')
    const writes = Array.from({ length: 8 }, (_, i) => ({ ...before, spec: { title: 'a gadget', count: i } }))
    const ended = await Promise.allSettled(writes.map((each) => cluster().replace(GADGET, each)))
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is refused without a version', async () => {
    const unversioned = { ...(await create('one')), ...gadget('one') }
    await expect(cluster().replace(GADGET, unversioned)).rejects.toMatchObject({
      status: { code: 422, reason: 'Invalid' },
    })
  })

  it('is a conflict when it names another identity', async () => {
    const { metadata, ...body } = await create('one')
    await expect(
      cluster().replace(GADGET, { ...body, metadata: { ...metadata, uid: 'another' } }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('finds nothing to replace when the object is gone', async () => {
    const before = await create('one')
    await cluster().remove(GADGET, at('one'))
    await expect(cluster().replace(GADGET, before)).rejects.toMatchObject({ code: 'GONE' })
  })

  it('keeps identity and birth, whatever the author leaves out or writes', async () => {
    const before = await create('one')
    const { metadata: created } = before
    const { resourceVersion } = created
    const written = gadget('one', { count: 5 }, { resourceVersion, creationTimestamp: LONG_AGO, generation: 99 })
    const { metadata } = await cluster().replace(GADGET, { ...before, ...written })
    const createdLater = expect.not.stringMatching(LONG_AGO)
    expect(metadata).toMatchObject({ uid: created.uid, creationTimestamp: createdLater, generation: 2 })
  })

  it('counts no generation for metadata', async () => {
    const { metadata, ...body } = await create('one')
    const labelled = { ...body, metadata: { ...metadata, labels: { team: 'edge' } } }
    expect((await cluster().replace(GADGET, labelled)).metadata).toMatchObject({ generation: 1 })
  })

  it('keeps the version when nothing changes', async () => {
    const before = await create('one')
    const { resourceVersion } = before.metadata
    const again = await cluster().replace(GADGET, { ...before, ...gadget('one', {}, { resourceVersion }) })
    expect(again.metadata.resourceVersion).toBe(resourceVersion)
  })
}
