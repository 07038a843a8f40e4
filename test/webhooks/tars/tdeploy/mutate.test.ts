import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { TDEPLOY } from '../../../../webhooks/tars/tdeploy/schema.ts'
import { answered, CTRL, labelsIn, MUTATING, patchIn } from '../../../support/answerer-parts.ts'
import { APPROVED, aTDeploy, REJECTED } from '../../../support/builders/deploys.ts'
import { at } from '../../../support/builders/trees.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf } = reviewsOf(TDEPLOY)
const mutated = (body: unknown) => answered(MUTATING, body)
const created = async (object: unknown, sent?: Sent) => (await mutated(creationOf(object, sent))).object
const updated = async (old: Built, object: unknown, sent?: Sent) => (await mutated(updateOf(old, object, sent))).object
const PENDING = { 'tars.io/Approve': 'Pending' }
const signer = (object: unknown) => at(object, 'metadata.annotations')

describe('TD-M1 nobody approves a request with itself', () => {
  it.each([
    { name: 'an approval', approve: APPROVED },
    { name: 'a rejection', approve: REJECTED },
    { name: 'a text, whatever its type', approve: 'yes' },
    { name: 'an object that the schema would refuse', approve: { result: 'true' } },
    { name: 'a list', approve: [APPROVED] },
  ])('$name goes, and the rest is completed', async ({ approve }) => {
    for (const [user, dryRun] of [
      ['ann', false],
      ['ann', true],
      [CTRL, false],
    ] as const) {
      const object = await created(aTDeploy({ approve, labels: {} }), { user, dryRun })
      expect(object).toEqual(aTDeploy())
      expect(patchIn(await mutated(creationOf(object, { user })))).toBeUndefined()
    }
  })
  it('though of the rest nothing has its type (W-4)', async () => {
    const { response, object } = await mutated(creationOf({ metadata: { name: 'a' }, apply: 'x', approve: 'yes' }))
    expect(response.allowed).toBe(true)
    expect(object).toEqual({ metadata: { name: 'a' }, apply: 'x' })
  })
  it('without one there is nothing to do', async () => {
    expect(patchIn(await mutated(creationOf(aTDeploy())))).toBeUndefined()
  })
  it('on an update it stays', async () => {
    expect(at(await updated(aTDeploy(), aTDeploy({ approve: APPROVED })), 'approve')).toEqual(APPROVED)
  })
})

describe('TD-M2 no new request is deployed', () => {
  it.each([true, false])('%s goes', async (deployed) => {
    const answer = await mutated(creationOf(aTDeploy({ deployed })))
    expect(patchIn(answer)).toEqual([{ op: 'remove', path: '/deployed' }])
    expect(patchIn(await mutated(creationOf(answer.object)))).toBeUndefined()
  })
  it('on an update it stays', async () => {
    const old = aTDeploy({ deployed: true })
    expect(patchIn(await mutated(updateOf(old, old)))).toBeUndefined()
  })
})

describe('TD-M3, TD-M5 a new request is pending', () => {
  it.each([
    { name: 'labels are absent: the map comes as one object', labels: undefined, after: PENDING },
    { name: 'labels are null, which is absent (W-4)', labels: null, after: PENDING },
    { name: 'other labels stay', labels: { team: 'a' }, after: { ...PENDING, team: 'a' } },
    { name: 'a wrong label is overwritten', labels: { 'tars.io/Approve': 'Approved' }, after: PENDING },
  ])('$name', async ({ labels, after }) => {
    const { metadata, ...rest } = aTDeploy()
    const answer = await mutated(creationOf({ ...rest, metadata: { name: metadata.name, labels } }))
    expect(labelsIn(answer.object)).toEqual(after)
    if (!labels) expect(patchIn(answer)).toEqual([{ op: 'add', path: '/metadata/labels', value: PENDING }])
  })
})

describe('TD-M4 a request says how it was decided', () => {
  it.each([
    { name: 'an approval', approve: APPROVED, label: 'Approved' },
    { name: 'a rejection', approve: REJECTED, label: 'Reject' },
    { name: 'no decision', approve: undefined, label: 'Pending' },
    { name: 'a decision without a result', approve: { person: 'admin' }, label: 'Pending' },
  ])('$name is $label, whatever the author wrote', async ({ approve, label }) => {
    for (const labels of [undefined, {}, { 'tars.io/Approve': 'Other' }]) {
      const object = aTDeploy({ approve, ...(labels && { labels }) })
      const after = await updated(aTDeploy(), object)
      expect(labelsIn(after)).toEqual({ 'tars.io/Approve': label })
      expect(patchIn(await mutated(updateOf(aTDeploy(), after)))).toBeUndefined()
    }
  })
  it('a request being deleted too, but for its finalizers (W-7)', async () => {
    const old = aTDeploy({ going: true, labels: {} })
    expect(patchIn(await mutated(updateOf(old, old)))).toBeUndefined()
    const { object } = await mutated(updateOf(old, aTDeploy({ going: true, approve: APPROVED, labels: {} })))
    expect(labelsIn(object)).toEqual({ 'tars.io/Approve': 'Approved' })
  })
})

describe('UX-8 who decided is noted, and not by hand', () => {
  const by = (name: string) => ({ 'tars.io/ApprovedBy': name })
  const decided = aTDeploy({ approve: APPROVED, labels: { 'tars.io/Approve': 'Approved' }, annotations: by('bob') })

  it.each([APPROVED, REJECTED])('the user who made the decision %o', async (approve) => {
    for (const annotations of [undefined, by('bob'), { mine: 'kept' }]) {
      const object = aTDeploy({ approve, ...(annotations && { annotations }) })
      const answer = await mutated(updateOf(aTDeploy(), object, { user: 'ann' }))
      expect(signer(answer.object)).toEqual({ ...annotations, ...by('ann') })
      expect(answer.response.auditAnnotations).toEqual({ 'approved-by': 'ann' })
    }
  })
  it.each([
    {
      name: 'a value set by hand is removed from a new request',
      old: undefined,
      object: aTDeploy({ annotations: by('bob') }),
      after: {},
    },
    {
      name: 'and from one that nobody decided',
      old: aTDeploy(),
      object: aTDeploy({ annotations: by('bob') }),
      after: {},
    },
    {
      name: 'of one that was decided it changes back',
      old: decided,
      object: { ...decided, metadata: { ...decided.metadata, annotations: by('eve') } },
      after: by('bob'),
    },
    { name: 'and comes back', old: decided, object: aTDeploy({ approve: APPROVED }), after: by('bob') },
    {
      name: 'the same decision, its keys in another order, is none',
      old: decided,
      object: { ...decided, approve: Object.fromEntries(Object.entries(APPROVED).reverse()) },
      after: by('bob'),
    },
    {
      name: 'a decision that is taken back leaves nobody',
      old: decided,
      object: aTDeploy({ annotations: by('bob') }),
      after: {},
    },
  ])('$name', async ({ old, object, after }) => {
    const answer = await mutated(old === undefined ? creationOf(object) : updateOf(old, object))
    expect(signer(answer.object)).toEqual(after)
    expect(answer.response.auditAnnotations).toBeUndefined()
  })
})

describe('UX-8 a decision that the controller changes', () => {
  it('is its own', async () => {
    const annotations = { 'tars.io/ApprovedBy': 'bob' }
    const old = aTDeploy({ approve: APPROVED, annotations })
    const object = await updated(old, aTDeploy({ approve: REJECTED, annotations }), { user: CTRL })
    expect(signer(object)).toEqual({ 'tars.io/ApprovedBy': CTRL })
  })
})

describe('TD-M1…5 and what may arrive', () => {
  it.each([
    ['an object of nothing', {}],
    ['an apply of another type (W-4)', { metadata: { name: 'a' }, apply: 'x' }],
    ['labels that are a list', { metadata: { name: 'a', labels: [] }, apply: {} }],
  ])('%s goes on, for the schema to refuse', async (_, object) => {
    expect((await mutated(creationOf(object))).response).toMatchObject({ allowed: true })
    expect((await mutated(updateOf(aTDeploy(), object))).response).toMatchObject({ allowed: true })
  })
})
