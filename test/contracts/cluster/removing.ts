import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'
import { outcomeOf } from './outcome.ts'

export function removing({ cluster, namespace, at, create, stored }: Bench): void {
  const add = (finalizer: string) => [{ op: 'add', path: '/metadata/finalizers/-', value: finalizer } as const]
  const letGo = [{ op: 'remove', path: '/metadata/finalizers' } as const]

  it('leaves nothing', async () => {
    await create('one')
    await cluster().remove(GADGET, at('one'))
    expect(await cluster().get(GADGET, at('one'))).toBeUndefined()
    expect(await cluster().list(GADGET, { namespace: namespace() })).toEqual([])
  })

  it('finds nothing where there is nothing', async () => {
    await expect(cluster().remove(GADGET, at('one'))).rejects.toMatchObject({ code: 'GONE' })
  })

  it.each([
    { name: 'another identity', preconditions: { uid: '00000000-0000-0000-0000-000000000000' } },
    { name: 'another version', preconditions: { resourceVersion: '999999999' } },
  ])('leaves alone what has $name than was meant (CL-4)', async ({ preconditions }) => {
    const { metadata } = await create('one')
    await expect(cluster().remove(GADGET, at('one'), { preconditions })).rejects.toMatchObject({ code: 'CONFLICT' })
    const { uid = '', resourceVersion = '' } = metadata
    await cluster().remove(GADGET, at('one'), { preconditions: { uid, resourceVersion } })
    expect(await cluster().get(GADGET, at('one'))).toBeUndefined()
  })

  it('waits for finalizers', async () => {
    await create('one', {}, { finalizers: ['tars.io/a', 'tars.io/b'] })
    await cluster().remove(GADGET, at('one'))
    const going = { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0, generation: 2 }
    expect(await stored('one')).toMatchObject({ metadata: going })

    await cluster().patch(GADGET, at('one'), [{ op: 'remove', path: '/metadata/finalizers/0' }])
    expect(await stored('one')).toMatchObject({ metadata: { finalizers: ['tars.io/b'] } })
    await cluster().patch(GADGET, at('one'), letGo)
    expect(await cluster().get(GADGET, at('one'))).toBeUndefined()
  })

  it('begins once', async () => {
    await create('one', {}, { finalizers: ['tars.io/a'] })
    await cluster().remove(GADGET, at('one'))
    const before = await stored('one')
    await cluster().remove(GADGET, at('one'))
    expect(await stored('one')).toEqual(before)
  })

  it('cannot be taken back or put off', async () => {
    await create('one', {}, { finalizers: ['tars.io/a'] })
    await cluster().remove(GADGET, at('one'))
    const revived = [{ op: 'remove', path: '/metadata/deletionTimestamp' } as const]
    expect((await cluster().patch(GADGET, at('one'), revived)).metadata).toHaveProperty('deletionTimestamp')
    expect(await outcomeOf(cluster().patch(GADGET, at('one'), add('tars.io/b')), namespace())).toMatchObject({
      refused: {
        code: 422,
        causes: [
          {
            field: 'metadata.finalizers',
            reason: 'FieldValueForbidden',
            message:
              'Forbidden: no new finalizers can be added if the object is being deleted, ' +
              'found new finalizers []string{"tars.io/b"}',
          },
        ],
      },
    })
  })

  it('keeps the name until the end', async () => {
    await create('one', {}, { finalizers: ['tars.io/a'] })
    await cluster().remove(GADGET, at('one'))
    await expect(create('one')).rejects.toMatchObject({
      status: {
        code: 409,
        reason: 'AlreadyExists',
        message: 'object is being deleted: gadgets.test.tars.io "one" already exists',
      },
    })
  })

  it('lets another object have the name afterwards', async () => {
    const first = await create('one')
    await cluster().remove(GADGET, at('one'))
    expect((await create('one')).metadata.uid).not.toBe(first.metadata.uid)
  })
}
