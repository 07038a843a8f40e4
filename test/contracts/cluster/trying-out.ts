import { describe, expect, it } from 'vitest'
import type { Rehearsed } from '../../../src/cluster/needs.ts'
import { type Built, Refused } from '../../../src/cluster/port.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

export function tryingOut({ cluster, author, at, gadget, create, stored, holding }: Bench): void {
  const dryRun = { dryRun: true }
  /** What the API server says to a dry run of a reader. */
  const tried = (object: Built, by: Rehearsed) =>
    cluster()
      .dryRun(GADGET, object, by)
      .then(
        ({ metadata, spec }) => ({ metadata, spec }),
        (cause) => (cause instanceof Refused ? cause.status.reason : cause),
      )

  describe.each(['create', 'apply'] as const)('a reader asks about a %s', (by) => {
    it('what would be stored, and nothing is', async () => {
      const answer = await tried(gadget('one', { title: 'new' }), by)
      expect(answer).toMatchObject({ metadata: { uid: expect.any(String) }, spec: { title: 'new', count: 3 } })
      expect(await cluster().get(GADGET, at('one'))).toBeUndefined()
    })

    it('what would be refused, where it stands already too', async () => {
      expect(await tried(gadget('one', { count: 11 }), by)).toBe('Invalid')
      await create('one')
      expect(await tried(gadget('one', { count: 11 }), by)).toBe('Invalid')
    })
  })

  it('a reader hears of a name that is taken, but of nothing else that would not be stored', async () => {
    await create('one')
    expect(await tried(gadget('one', { title: 'another' }), 'create')).toBe('AlreadyExists')
    expect(await tried(gadget('one', { title: 'another' }), 'apply')).toMatchObject({ spec: { title: 'another' } })
    expect(await stored('one')).toMatchObject({ spec: { title: 'a gadget' } })
  })

  it('a reader asks under the name of a manager (NC-STS-43)', async () => {
    const { metadata } = await cluster().apply(GADGET, gadget('one', { count: 5 }), { manager: 'one' })
    const answers = ['one', 'other'].map((manager) => cluster().dryRun(GADGET, gadget('one'), 'apply', manager))
    expect(await Promise.all(answers)).toMatchObject([{ spec: { count: 3 } }, { spec: { count: 5 } }])
    expect(await stored('one')).toMatchObject({ metadata: { resourceVersion: metadata.resourceVersion } })
  })

  it('a reader may leave the name to the API server', async () => {
    const nameless = gadget('', {}, { generateName: 'probe-' })
    expect(await tried(nameless, 'create')).toMatchObject({ metadata: { name: expect.stringMatching(/^probe-.{5}$/) } })
  })

  it('no cache answers for it', async () => {
    const { readers } = await holding([{ resource: GADGET, keeps: {} }])
    await expect(readers.cached.dryRun(GADGET, gadget('Two'), 'create')).rejects.toMatchObject({
      status: { code: 422 },
    })
  })

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
