import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { TTREE } from '../../../../webhooks/tars/ttree/schema.ts'
import { CTRL, DEPUTIES, NAMESPACE_CONTROLLER } from '../../../support/answerer-parts.ts'
import { aBusiness, anApp, aTTree } from '../../../support/builders/tars-trees.ts'
import { clusterOf } from '../../../support/clusters.ts'
import type { Sent } from '../../../support/reviews.ts'
import { answerTo, creationOf, deletionOf, updateOf } from './validating.ts'

const onCreate = (object: unknown, sent?: Sent) => answerTo(creationOf(object, sent))
const onUpdate = (old: Built, object: unknown, sent?: Sent) => answerTo(updateOf(old, object, sent))

describe('TR-V1 there is one tree, of one name', () => {
  const REFUSED =
    '403 Forbidden: metadata.name: only one TTree named "tars-tree" is allowed in a namespace; ' +
    'give it that name, or edit the one that is there (TR-V1)'

  it.each([
    { name: 'tars-tree', user: 'ann', answer: 'allowed' },
    { name: 'tars-trees', user: 'ann', answer: REFUSED },
    { name: 'tars-trees', user: CTRL, answer: REFUSED },
  ])('$name, created by $user', async ({ name, user, answer }) => {
    expect(await onCreate(aTTree({ name }), { user })).toBe(answer)
    expect(await onCreate(aTTree({ name }), { user, dryRun: true })).toBe(answer)
  })

  it('an old one of another name may be edited', async () => {
    const apps = [anApp('a')]
    expect(await onUpdate(aTTree({ name: 'old' }), aTTree({ name: 'old', apps }))).toBe('allowed')
  })
})

const twice = { businesses: [aBusiness('aa'), aBusiness('bb'), aBusiness('aa')] }
const doubled = { apps: [anApp('A'), anApp('A'), anApp('B')] }
const dangling = { businesses: [aBusiness('shop')], apps: [anApp('A', 'shop'), anApp('B', 'gone')] }

describe.each([
  {
    rule: 'TR-V2',
    says: 'businesses have names of their own',
    bad: twice,
    answer:
      '422 Invalid: businesses[2].name: "aa" duplicates businesses[0]; give each business a name of its own (TR-V2)',
    good: { businesses: [aBusiness('aa'), aBusiness('AA')] },
    other: { businesses: [...twice.businesses, aBusiness('bb')] },
  },
  {
    rule: 'TR-V3',
    says: 'an app stands once',
    bad: doubled,
    answer: '422 Invalid: apps[1].name: "A" duplicates apps[0]; list each app once (TR-V3)',
    good: { apps: [anApp('A'), anApp('a')] },
    other: { apps: [...doubled.apps, anApp('B')] },
  },
  {
    rule: 'TR-V4',
    says: 'an app belongs to a business that is there, or to none',
    bad: dangling,
    answer:
      '422 Invalid: apps[1].businessRef: business "gone" does not exist; ' +
      'add it to businesses, name another, or leave the field empty (TR-V4)',
    good: { businesses: [aBusiness('shop')], apps: [anApp('A', 'shop'), anApp('B')] },
    other: { ...dangling, apps: [...dangling.apps, anApp('C', 'nowhere')] },
  },
])('$rule $says', ({ rule, bad, answer, good, other }) => {
  it('is said on create, of everybody, dry run or not', async () => {
    for (const user of ['ann', CTRL]) {
      expect(await onCreate(aTTree(bad), { user })).toBe(answer)
      expect(await onCreate(aTTree(bad), { user, dryRun: true })).toBe(answer)
    }
  })
  it('is said on update, but the controller is let through', async () => {
    expect(await onUpdate(aTTree(), aTTree(bad))).toBe(answer)
    expect(await onUpdate(aTTree(), aTTree(bad), { user: CTRL })).toBe('allowed')
  })
  it('passes otherwise', async () => {
    expect(await onCreate(aTTree(good))).toBe('allowed')
    expect(await onUpdate(aTTree(), aTTree(good))).toBe('allowed')
  })
  it('lets what was there before be edited otherwise, and counts what comes to it (CV-8)', async () => {
    expect(await onUpdate(aTTree(bad), aTTree({ ...bad, annotations: { a: 'b' } }))).toBe('allowed')
    expect(await onUpdate(aTTree(bad), aTTree(other))).toMatch(new RegExp(`^422 [^;]*; [^;]* \\(${rule}\\)$`))
  })
})

describe('TR-V6 the tree stays', () => {
  const REFUSED =
    '403 Forbidden: metadata.name: TTree demo/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)'

  it.each([
    { user: 'ann', answer: REFUSED },
    { user: 'system:serviceaccount:demo:namespace-controller', answer: REFUSED },
    { user: CTRL, answer: 'allowed' },
    { user: NAMESPACE_CONTROLLER, answer: 'allowed' },
    ...DEPUTIES.map((user) => ({ user, answer: REFUSED })),
  ])('$user gets: $answer', async ({ user, answer }) => {
    expect(await answerTo(deletionOf(aTTree(), { user }))).toBe(answer)
    expect(await answerTo(deletionOf(aTTree(), { user, dryRun: true }))).toBe(answer)
  })

  it.each([
    { name: 'beyond a limit', wrong: { apps: [{ name: '1' }] } },
    { name: 'of another shape', wrong: { businesses: 7 } },
    { name: 'of which there are metadata alone', wrong: { businesses: undefined, apps: undefined } },
  ])('whatever it is: $name (CV-8)', async ({ wrong }) => {
    expect(await answerTo(deletionOf({ ...aTTree(), ...wrong }))).toMatch(REFUSED)
  })

  it('one of another name, which nobody reads, may go', async () => {
    expect(await answerTo(deletionOf(aTTree({ name: 'old' })))).toBe('allowed')
  })
})

describe('what is a TTree the schema says', () => {
  const head = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTree', metadata: { name: 'tars-tree' } }
  it.each([
    { name: 'nothing in it', parts: { businesses: [], apps: [] }, fits: true },
    { name: 'a business in Han', parts: { businesses: [aBusiness('业务')], apps: [] }, fits: true },
    { name: 'a business of one letter', parts: { businesses: [aBusiness('x')], apps: [] }, fits: false },
    { name: 'a business with a space', parts: { businesses: [aBusiness('a b')], apps: [] }, fits: false },
    { name: 'a business of 33 letters', parts: { businesses: [aBusiness('x'.repeat(33))], apps: [] }, fits: false },
    ...[
      { show: 1, weight: 1, fits: true },
      { show: 100, weight: 5, fits: true },
      { show: 0, fits: false },
      { show: 101, fits: false },
      { weight: 0, fits: false },
      { weight: 6, fits: false },
    ].map(({ fits, ...place }) => ({
      name: `a business of ${JSON.stringify(place)}`,
      parts: { businesses: [{ ...aBusiness('ab'), ...place }], apps: [] },
      fits,
    })),
    { name: 'an app that begins with a digit', parts: { businesses: [], apps: [anApp('1a')] }, fits: false },
    { name: 'an app without a ref', parts: { businesses: [], apps: [{ name: 'a' }] }, fits: false },
    { name: 'no apps', parts: { businesses: [] }, fits: false },
  ])('with $name: $fits', async ({ parts, fits }) => {
    expect(TTREE.is({ ...head, ...parts })).toBe(fits)
    const stored = clusterOf().create(TTREE, { ...head, ...parts, metadata: { name: 'tars-tree', namespace: 'demo' } })
    expect(
      await stored.then(
        () => true,
        () => false,
      ),
    ).toBe(fits)
  })
})
