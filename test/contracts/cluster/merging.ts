import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'
import { outcomeOf } from './outcome.ts'

export function merging({ cluster, author, namespace, at, create, stored }: Bench): void {
  it('sets what it names, and leaves the rest', async () => {
    await create('one', { owner: 'ann', settings: { a: '1', b: '2' }, tags: ['a', 'b'] }, { labels: { team: 'edge' } })
    await cluster().merge(GADGET, at('one'), {
      metadata: { labels: { tier: 'low' } },
      spec: { settings: { b: '3' }, tags: ['c'], box: { width: 1 } },
    })
    expect(await stored('one')).toMatchObject({
      metadata: { labels: { team: 'edge', tier: 'low' } },
      spec: { owner: 'ann', settings: { a: '1', b: '3' }, tags: ['c'], box: { width: 1, unit: 'mm' } },
    })
  })

  it('takes away what it names with null, and gives the default back', async () => {
    await create('one', { owner: 'ann', count: 5, settings: { a: '1', b: '2' } }, { annotations: { 'tars.io/x': '1' } })
    await cluster().merge(GADGET, at('one'), {
      metadata: { annotations: { 'tars.io/x': null, 'tars.io/y': null } },
      spec: { owner: null, count: null, settings: { a: null } },
    })
    expect(await stored('one')).toMatchObject({ spec: { count: 3, settings: { b: '2' } } })
    for (const gone of ['spec.owner', 'spec.settings.a', 'metadata.annotations'])
      expect(await stored('one')).not.toHaveProperty(gone)
  })

  it('answers with the object as it is stored', async () => {
    await create('one')
    const merged = await cluster().merge(GADGET, at('one'), { spec: { count: 9 } })
    expect(merged).toMatchObject({ spec: { count: 9 }, metadata: { generation: 2 } })
    expect(await stored('one')).toMatchObject({ spec: { count: 9 }, metadata: merged.metadata })
  })

  it('need not answer with more than metadata', async () => {
    await create('one')
    const { metadata } = await cluster().merge(GADGET, at('one'), { spec: { count: 9 } }, { metadataOnly: true })
    expect(await stored('one')).toMatchObject({
      spec: { count: 9 },
      metadata: { resourceVersion: metadata.resourceVersion },
    })
  })

  it('keeps the version when nothing changes', async () => {
    const { metadata } = await create('one')
    const again = await cluster().merge(GADGET, at('one'), { spec: { color: 'red', owner: null } })
    expect(again.metadata).toEqual(metadata)
  })

  it('counts for the version that it names alone', async () => {
    const { metadata } = await create('one')
    const { resourceVersion, uid } = metadata
    const named = { metadata: { resourceVersion, uid, labels: { team: 'edge' } } }
    await cluster().merge(GADGET, at('one'), named)
    expect(await stored('one')).toMatchObject({ metadata: { labels: { team: 'edge' } } })
    const late = cluster().merge(GADGET, at('one'), { metadata: { resourceVersion, labels: { team: 'core' } } })
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await stored('one')).toMatchObject({ metadata: { labels: { team: 'edge' } } })
  })

  it('finds nothing to merge into when the object is gone, or another one has its name', async () => {
    const labels = { team: 'edge' }
    await expect(cluster().merge(GADGET, at('one'), { metadata: { labels } })).rejects.toMatchObject({ code: 'GONE' })
    await create('one')
    const named = cluster().merge(GADGET, at('one'), { metadata: { uid: 'of the last one', labels } })
    await expect(named).rejects.toMatchObject({ code: 'GONE' })
    expect(await stored('one')).not.toHaveProperty('metadata.labels')
  })

  it('does not rename', async () => {
    await create('one')
    await expect(cluster().merge(GADGET, at('one'), { metadata: { name: 'two' } })).rejects.toMatchObject({
      status: { code: 400, message: 'the name of the object (two) does not match the name on the URL (one)' },
    })
  })

  it('drops what nobody knows, or is refused for it if strict', async () => {
    await create('one')
    await cluster().merge(GADGET, at('one'), { spec: { foo: 1, count: 5 } })
    expect(await stored('one')).toMatchObject({ spec: { count: 5 } })
    expect(await stored('one')).not.toHaveProperty('spec.foo')
    const strict = author().merge(GADGET, at('one'), { spec: { foo: 1 } }, { fieldValidation: 'Strict' })
    await expect(strict).rejects.toMatchObject({
      status: {
        code: 422,
        reason: 'Invalid',
        message: expect.stringMatching(/^ "" is invalid: patch: .*: strict decoding error: unknown field "spec.foo"$/),
      },
    })
  })

  it('tells a wrong value by its field', async () => {
    await create('one')
    const wrong = cluster().merge(GADGET, at('one'), { spec: { count: 11, rivets: [{ name: 'a' }, { name: 'a' }] } })
    expect(await outcomeOf(wrong, namespace())).toMatchObject({
      refused: { code: 422, reason: 'Invalid', causes: [{ field: 'spec.count' }, { field: 'spec.rivets[1]' }] },
    })
  })

  it('loses none of many', async () => {
    await create('one')
    const writes = Array.from({ length: 8 }, (_, i) => ({ metadata: { labels: { [`l${i}`]: '' } } }))
    await Promise.all(writes.map((each) => cluster().merge(GADGET, at('one'), each)))
    const { metadata } = { metadata: undefined, ...(await cluster().get(GADGET, at('one'))) }
    expect(Object.keys(metadata?.labels ?? {})).toHaveLength(8)
  })

  it('changes nothing in a dry run', async () => {
    const before = await create('one')
    const { spec } = await author().merge(GADGET, at('one'), { spec: { count: 9 } }, { dryRun: true })
    expect(spec).toMatchObject({ count: 9 })
    expect(await stored('one')).toMatchObject({ metadata: before.metadata, spec: { count: 3 } })
  })
}
