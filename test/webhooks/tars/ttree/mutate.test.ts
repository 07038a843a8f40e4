import { describe, expect, it } from 'vitest'
import { TTREE } from '../../../../webhooks/tars/ttree/schema.ts'
import { answered, MUTATING, patchIn } from '../../../support/answerer-parts.ts'
import { aBusiness, anApp, aTTree } from '../../../support/builders/tars-trees.ts'
import { reviewsOf } from '../../../support/reviews.ts'

const { creationOf, updateOf } = reviewsOf(TTREE)
const mutated = (body: unknown) => answered(MUTATING, body)
const appsOf = (...apps: readonly unknown[]) => [{ op: 'add', path: '/apps', value: apps }]

describe('TR-M1 an app belongs to a business that is there, or to none', () => {
  const businesses = [aBusiness('shop'), aBusiness('业务')]

  it.each([
    { name: 'a business that is there stays', apps: [anApp('a', 'shop'), anApp('b', '业务')], patch: undefined },
    { name: 'none stays none', apps: [anApp('a')], patch: undefined },
    { name: 'no apps, no patch', apps: [], patch: undefined },
    {
      name: 'one that is not there becomes none, and the others keep all that they have',
      apps: [anApp('a', 'gone'), { ...anApp('b', 'shop'), mark: 'kept' }],
      patch: appsOf(anApp('a'), { ...anApp('b', 'shop'), mark: 'kept' }),
    },
    { name: 'a missing one is the schema’s business', apps: [{ name: 'a' }], patch: undefined },
  ])('$name', async ({ apps, patch }) => {
    for (const dryRun of [false, true]) {
      const answer = await mutated(creationOf(aTTree({ businesses, apps }), { dryRun }))
      expect(patchIn(answer)).toEqual(patch)
      expect(patchIn(await mutated(creationOf(answer.object)))).toBeUndefined()
    }
  })

  it('a business that is taken away leaves its apps without one, in the same request', async () => {
    const apps = [anApp('a', 'shop'), anApp('b', '业务')]
    const body = updateOf(aTTree({ businesses, apps }), aTTree({ businesses: [aBusiness('业务')], apps }))
    expect(patchIn(await mutated(body))).toEqual(appsOf(anApp('a'), anApp('b', '业务')))
  })

  it('a tree being deleted too, but when its finalizers go (W-7)', async () => {
    const old = aTTree({ apps: [anApp('a', 'gone')], going: true })
    expect(patchIn(await mutated(updateOf(old, old)))).toBeUndefined()
    expect(patchIn(await mutated(updateOf(aTTree({ going: true }), old)))).toBeDefined()
  })

  it.each([
    ['an object of nothing', {}],
    ['apps of another type (W-4)', { metadata: {}, apps: 'x' }],
    ['an app of another type', { metadata: {}, apps: ['x'] }],
    ['businesses of another type', { metadata: {}, businesses: 7, apps: [anApp('a', 'x')] }],
  ])('%s goes on unchanged, for the schema to refuse', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response).toMatchObject({ allowed: true })
    expect(answer.object).toEqual(object)
  })
})
