import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

export function applying({ cluster, author, namespace, at, gadget, stored }: Bench): void {
  const apply = (...parts: Parameters<typeof gadget>) => author().applyOnClient(GADGET, gadget(...parts))

  it('creates what is not there, and notes the file', async () => {
    const { metadata } = await apply('one', { settings: { b: '1', a: null } }, { labels: { team: 'edge' } })
    const note = metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration']
    expect(note?.replace(namespace(), 'HERE')).toBe(
      '{"apiVersion":"test.tars.io/v1","kind":"Gadget","metadata":{"annotations":{},"labels":{"team":"edge"},' +
        '"name":"one","namespace":"HERE"},"spec":{"settings":{"a":null,"b":"1"},"title":"a gadget"}}\n',
    )
  })

  it('changes nothing the second time', async () => {
    await apply('one', { count: 5, heir: null })
    const before = await stored('one')
    await apply('one', { count: 5, heir: null })
    expect(await stored('one')).toEqual(before)
  })

  it('sets what the file says, and takes away what it said before', async () => {
    await apply('one', { count: 5, owner: 'ann', tags: ['a', 'b'], settings: { a: '1', b: '2' } })
    await apply('one', { tags: ['b'], settings: { b: '3' } })
    expect(await stored('one')).toMatchObject({ spec: { count: 3, tags: ['b'] } })
    expect(await stored('one')).toHaveProperty('spec.settings', { b: '3' })
    expect(await stored('one')).not.toHaveProperty('spec.owner')
  })

  it('leaves what others set', async () => {
    await apply('one', { settings: { a: '1' } }, { labels: { team: 'edge' } })
    await cluster().patch(GADGET, at('one'), [
      { op: 'add', path: '/spec/settings/b', value: '2' },
      { op: 'add', path: '/metadata/labels/tier', value: 'low' },
    ])
    await apply('one', { settings: { a: '3' } }, { labels: { team: 'core' } })
    expect(await stored('one')).toMatchObject({
      metadata: { labels: { team: 'core', tier: 'low' } },
      spec: { settings: { a: '3', b: '2' } },
    })
  })

  it('takes away a whole map that the file does not have any more', async () => {
    await apply('one', { settings: { a: '1' } }, { labels: { team: 'edge' } })
    await cluster().patch(GADGET, at('one'), [{ op: 'add', path: '/metadata/labels/tier', value: 'low' }])
    await apply('one')
    expect(await stored('one')).not.toHaveProperty('metadata.labels')
    expect(await stored('one')).not.toHaveProperty('spec.settings')
  })

  it('takes null for a value that is taken away', async () => {
    await apply('one', { box: { width: 1 }, count: 5 })
    await apply('one', { box: null, count: null })
    expect(await stored('one')).toMatchObject({ spec: { count: 3 } })
    expect(await stored('one')).not.toHaveProperty('spec.box')
  })

  it('is refused for an unknown field, be it new or not', async () => {
    await expect(apply('one', { foo: 1 })).rejects.toMatchObject({ status: { code: 400, reason: 'BadRequest' } })
    await apply('one')
    await expect(apply('one', { foo: 1 })).rejects.toMatchObject({ status: { code: 422, reason: 'Invalid' } })
  })
}
