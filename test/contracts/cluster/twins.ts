import { expect, it } from 'vitest'
import type { Tree } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'
import { outcomeOf } from './outcome.ts'

/** What the definition says in CEL, on an update; of what is created there are files. */
export function twins({ cluster, namespace, at, create, stored }: Bench): void {
  const merged = (spec: Tree) => outcomeOf(cluster().merge(GADGET, at('ann'), { spec }), namespace())
  const SET_ONCE = {
    field: 'spec.maker',
    reason: 'FieldValueInvalid',
    message: 'Invalid value: "Eve": is set once; make another gadget for the other "maker" (GX-V1)',
  }
  const UNCHECKED =
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the ' +
    'existing errors to complete validation'

  it('refuses in the words of the rule, with the value', async () => {
    await create('ann', { maker: 'Ann' })
    const message = `Gadget.test.tars.io "ann" is invalid: spec.maker: ${SET_ONCE.message}`
    expect(await merged({ maker: 'Eve' })).toEqual({
      refused: { code: 422, reason: 'Invalid', message, causes: [SET_ONCE] },
    })
  })

  it('asks nothing of a field that was not there, or is not any more', async () => {
    await create('ann', { maker: 'Ann' })
    expect(await merged({ maker: null })).toHaveProperty('stored')
    expect(await merged({ maker: 'Eve' })).toHaveProperty('stored')
  })

  it('asks of a new object alone what is said of new objects', async () => {
    await create('ann')
    expect(await merged({ maker: 'Eve' })).toHaveProperty('stored')
    expect(await merged({ maker: 'Eve', count: 5 })).toHaveProperty('stored')
  })

  it('speaks beside limits', async () => {
    await create('ann', { maker: 'Ann' })
    expect(await merged({ maker: 'Eve', count: 11, title: 'A' })).toMatchObject({
      refused: { causes: [{ field: 'spec.count' }, SET_ONCE, { field: 'spec.title' }] },
    })
  })

  it.each([
    { what: 'a wrong type', spec: { count: 'x' } },
    { what: 'what is missing', spec: { title: null } },
    { what: 'a choice that is none', spec: { color: 'pink' } },
    { what: 'a text that is too long', spec: { motto: 'abcd' } },
    { what: 'too many items', spec: { tags: ['a', 'b', 'c', 'd'] } },
  ])('is silent, and says so, after $what', async ({ spec }) => {
    await create('ann', { maker: 'Ann' })
    expect(await merged({ maker: 'Eve', ...spec })).toMatchObject({
      refused: { causes: [{ field: '<nil>', message: UNCHECKED }, {}] },
    })
  })

  it('changes nothing where it refuses', async () => {
    const before = await create('ann', { maker: 'Ann' })
    await merged({ maker: 'Eve' })
    expect(await stored('ann')).toMatchObject({ metadata: before.metadata })
  })
}
