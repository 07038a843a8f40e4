import { expect, it } from 'vitest'
import { GADGET } from '../../support/builders/gadget.ts'
import { type Bench, LONG_AGO } from './bench.ts'

export function creating({ author, namespace, gadget, create, stored }: Bench): void {
  it('refuses a name that is taken', async () => {
    await create('one')
    await expect(create('one')).rejects.toMatchObject({
      status: { code: 409, reason: 'AlreadyExists', message: 'gadgets.test.tars.io "one" already exists' },
    })
  })

  it('lets one of many win', async () => {
    const writes = Array.from({ length: 8 }, (_, i) => create('one', { count: i }))
    const ended = await Promise.allSettled(writes)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('makes a name of generateName', async () => {
    const { metadata: _, ...body } = gadget('')
    const metadata = { generateName: 'some-', namespace: namespace() }
    const { metadata: made } = await author().create(GADGET, { ...body, metadata })
    expect(made).toMatchObject({ generateName: 'some-', name: expect.stringMatching(/^some-[a-z0-9]{5}$/) })
  })

  it('leaves the name that goes before generateName', async () => {
    expect((await create('one', {}, { generateName: 'some-' })).metadata.name).toBe('one')
  })

  it('writes identity and times itself', async () => {
    const own = { uid: 'mine', generation: 7, creationTimestamp: LONG_AGO, deletionTimestamp: LONG_AGO }
    const { metadata } = await create('one', {}, own)
    expect(metadata).toMatchObject({ uid: expect.not.stringMatching('mine'), generation: 1 })
    expect(metadata).not.toHaveProperty('deletionTimestamp')
    expect(metadata).not.toMatchObject({ creationTimestamp: LONG_AGO })
  })

  it('gives each object another identity', async () => {
    const [one, two] = [await create('one'), await create('two')]
    expect(one.metadata.uid).not.toBe(two.metadata.uid)
    expect(one.metadata.resourceVersion).not.toBe(two.metadata.resourceVersion)
  })

  it('drops what is empty in metadata', async () => {
    const { metadata } = await author().create(GADGET, {
      ...gadget('one'),
      metadata: { name: 'one', namespace: namespace(), labels: {}, annotations: null, finalizers: [] },
    })
    for (const field of ['labels', 'annotations', 'finalizers']) expect(metadata).not.toHaveProperty(field)
  })

  it('prunes what it does not know, unless asked to be strict', async () => {
    const unknown = gadget('one', { foo: 1, parts: [{ name: 'x', bar: 2 }] })
    expect((await author().create(GADGET, unknown)).spec).not.toHaveProperty('foo')
    expect(await stored('one')).toMatchObject({ spec: { parts: [{ name: 'x', weight: 1 }] } })
    await expect(author().create(GADGET, unknown, { fieldValidation: 'Strict' })).rejects.toMatchObject({
      status: {
        code: 400,
        reason: 'BadRequest',
        message:
          'Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: ' +
          'unknown field "spec.foo", unknown field "spec.parts[0].bar"',
      },
    })
  })

  it.each(['Ignore', 'Warn'] as const)('lets unknown fields pass where they are validated as %s', async (how) => {
    const sent = { fieldValidation: how }
    expect((await author().create(GADGET, gadget('one', { foo: 1 }), sent)).spec).not.toHaveProperty('foo')
  })

  it.each([
    { what: 'another version', says: { code: 400, reason: 'BadRequest' }, apiVersion: 'test.tars.io/v2' },
    { what: 'another kind', says: { code: 422, reason: 'Invalid' }, kind: 'Other' },
  ])('refuses an object of $what', async ({ says, what: _, ...type }) => {
    await expect(author().create(GADGET, { ...gadget('one'), ...type })).rejects.toMatchObject({ status: says })
  })
}
