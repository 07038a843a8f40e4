import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

export function tryingOut({ cluster, author, at, gadget, create, stored }: Bench): void {
  const dryRun = { dryRun: true }

  it('says what would be created, and stores nothing', async () => {
    const { metadata, spec } = await author().create(GADGET, gadget('one'), dryRun)
    expect({ metadata, spec }).toMatchObject({ metadata: { uid: expect.any(String) }, spec: { count: 3 } })
    expect(metadata).not.toHaveProperty('resourceVersion')
    expect(await cluster().get(GADGET, at('one'))).toBeUndefined()
  })

  it('says what would be refused', async () => {
    await create('one')
    await expect(author().create(GADGET, gadget('one'), dryRun)).rejects.toMatchObject({ status: { code: 409 } })
    await expect(author().create(GADGET, gadget('Two'), dryRun)).rejects.toMatchObject({ status: { code: 422 } })
  })

  it('says what would be changed, and changes nothing', async () => {
    const before = await create('one')
    const nine = [{ op: 'add', path: '/spec/count', value: 9 } as const]
    const { metadata, spec } = await author().patch(GADGET, at('one'), nine, dryRun)
    const { resourceVersion } = before.metadata
    expect({ metadata, spec }).toMatchObject({ metadata: { resourceVersion, generation: 2 }, spec: { count: 9 } })
    await author().replace(GADGET, { ...before, spec: { title: 'changed' } }, dryRun)
    await author().applyOnClient(GADGET, gadget('one', { title: 'changed' }), dryRun)
    expect(await stored('one')).toMatchObject({ metadata: before.metadata, spec: { title: 'a gadget' } })
  })

  it.each([{ finalizers: [] }, { finalizers: ['tars.io/a'] }])('removes nothing, with $finalizers', async (held) => {
    const before = await create('one', {}, held)
    await author().remove(GADGET, at('one'), dryRun)
    expect(await stored('one')).toMatchObject({ metadata: before.metadata })
  })
}
