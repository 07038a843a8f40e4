import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'
import { outcomeOf } from './outcome.ts'

export function patching({ cluster, author, namespace, at, create, stored }: Bench): void {
  it('carries out the operations', async () => {
    await create('one', { owner: 'ann' })
    await cluster().patch(GADGET, at('one'), [
      { op: 'test', path: '/spec/owner', value: 'ann' },
      { op: 'remove', path: '/spec/owner' },
      { op: 'add', path: '/metadata/labels', value: { 'a/b': 'c' } },
      { op: 'replace', path: '/metadata/labels/a~1b', value: 'd' },
    ])
    expect(await stored('one')).toMatchObject({ metadata: { labels: { 'a/b': 'd' } }, spec: { title: 'a gadget' } })
    expect(await stored('one')).not.toHaveProperty('spec.owner')
  })

  it.each([
    { title: 'a test that fails', operation: { op: 'test', path: '/spec/owner', value: 'eve' } },
    { title: 'what is not there to be removed', operation: { op: 'remove', path: '/spec/heir' } },
    { title: 'a place that is not there', operation: { op: 'add', path: '/spec/box/width', value: 1 } },
  ] as const)('refuses $title, and changes nothing', async ({ operation }) => {
    const before = await create('one', { owner: 'ann' })
    const writes = cluster().patch(GADGET, at('one'), [{ op: 'add', path: '/spec/count', value: 9 }, operation])
    await expect(writes).rejects.toMatchObject({
      status: {
        code: 422,
        reason: 'Invalid',
        message: 'the server rejected our request due to an error in our request',
      },
    })
    expect(await stored('one')).toMatchObject({ metadata: before.metadata })
  })

  it('finds nothing to patch when the object is gone, or another one has its name', async () => {
    await expect(cluster().patch(GADGET, at('one'), [])).rejects.toMatchObject({ code: 'GONE' })
    await create('one')
    const named = [{ op: 'add', path: '/metadata/uid', value: 'of the last one' } as const]
    await expect(cluster().patch(GADGET, at('one'), named)).rejects.toMatchObject({ code: 'GONE' })
  })

  it('is a conflict when it names another version', async () => {
    const { metadata } = await create('one')
    await cluster().patch(GADGET, at('one'), [{ op: 'add', path: '/spec/count', value: 9 }])
    const last = [{ op: 'replace', path: '/metadata/resourceVersion', value: metadata.resourceVersion } as const]
    await expect(cluster().patch(GADGET, at('one'), last)).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('does not rename', async () => {
    await create('one')
    const renamed = [{ op: 'add', path: '/metadata/name', value: 'two' } as const]
    await expect(cluster().patch(GADGET, at('one'), renamed)).rejects.toMatchObject({
      status: {
        code: 400,
        message: 'the name of the object (two) does not match the name on the URL (one)',
      },
    })
  })

  it('loses none of many', async () => {
    await create('one', {}, { labels: { first: '' } })
    const writes = Array.from({ length: 8 }, (_, i) => [
      { op: 'add', path: `/metadata/labels/l${i}`, value: '' } as const,
    ])
    await Promise.all(writes.map((each) => cluster().patch(GADGET, at('one'), each)))
    const { metadata } = { metadata: undefined, ...(await cluster().get(GADGET, at('one'))) }
    expect(Object.keys(metadata?.labels ?? {})).toHaveLength(9)
  })

  it('keeps the version when nothing changes', async () => {
    const { metadata } = await create('one')
    const again = await cluster().patch(GADGET, at('one'), [{ op: 'replace', path: '/spec/color', value: 'red' }])
    expect(again.metadata).toEqual(metadata)
  })

  it('takes null for the default, and for nothing where there is none', async () => {
    await create('one', { count: 5, owner: 'ann' })
    await cluster().patch(GADGET, at('one'), [
      { op: 'replace', path: '/spec/count', value: null },
      { op: 'replace', path: '/spec/owner', value: null },
    ])
    expect(await stored('one')).toMatchObject({ spec: { count: 3 } })
    expect(await stored('one')).not.toHaveProperty('spec.owner')
  })

  it('tells a wrong value by its field', async () => {
    await create('one')
    const wrong = cluster().patch(GADGET, at('one'), [
      { op: 'add', path: '/spec/count', value: 11 },
      { op: 'add', path: '/metadata/labels', value: { team: 'no such value' } },
    ])
    expect(await outcomeOf(wrong, namespace())).toMatchObject({
      refused: { code: 422, reason: 'Invalid', causes: [{ field: 'metadata.labels' }, { field: 'spec.count' }] },
    })
  })

  it('tells an unknown field as one of the patch, if strict', async () => {
    await create('one')
    const unknown = [{ op: 'add', path: '/spec/foo', value: 1 } as const]
    expect((await author().patch(GADGET, at('one'), unknown)).spec).not.toHaveProperty('foo')
    await expect(author().patch(GADGET, at('one'), unknown, { fieldValidation: 'Strict' })).rejects.toMatchObject({
      status: {
        code: 422,
        reason: 'Invalid',
        message: expect.stringMatching(/^ "" is invalid: patch: .*: strict decoding error: unknown field "spec.foo"$/),
        details: { causes: [{ field: 'patch', reason: 'FieldValueInvalid' }] },
      },
    })
  })
}
