import { describe, expect, it } from 'vitest'
import { answered, CTRL, VALIDATING } from '../../../support/answerer-parts.ts'
import { APPROVED, aTDeploy, REJECTED } from '../../../support/builders/deploys.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import type { Sent } from '../../../support/reviews.ts'
import { answerTo, base, creationOf, onUpdate, UNFIT, updateOf } from './validating.ts'

const onCreate = (object: unknown, sent?: Sent) => answerTo(creationOf(object, sent))

describe.each([
  { rule: 'TD-V1', field: 'approve', value: APPROVED, remedy: 'create the request, and decide afterwards' },
  { rule: 'TD-V2', field: 'deployed', value: true, remedy: 'leave it to the controller' },
  { rule: 'TD-V2', field: 'deployed', value: false, remedy: 'leave it to the controller' },
])('$rule a new request has no $field, though the mutation was bypassed', ({ rule, field, value, remedy }) => {
  it('is said to everybody, dry run or not', async () => {
    for (const [user, dryRun] of [
      ['ann', false],
      ['ann', true],
      [CTRL, false],
    ] as const) {
      expect(await onCreate(aTDeploy({ [field]: value }), { user, dryRun })).toBe(
        `422 Invalid: ${field}: must not be set when the request is created; ${remedy} (${rule})`,
      )
    }
  })
  it('passes without', async () => {
    expect(await onCreate(aTDeploy())).toBe('allowed')
  })
})

describe('TD-V3 a new request is for a new server', () => {
  const REFUSED =
    '422 Invalid: apply: TServer demo/demo-echo already exists; ' +
    'ask for another app or server, or delete that TServer first (TD-V3)'

  it.each([
    { name: 'a server of that name is refused', there: [aTServer()], answer: REFUSED },
    { name: 'one being deleted still exists', there: [aTServer({ going: true })], answer: REFUSED },
    { name: 'another server does not count', there: [aTServer({ name: 'demo-other' })], answer: 'allowed' },
    { name: 'nor one of another namespace', there: [aTServer({ namespace: 'prod' })], answer: 'allowed' },
    { name: 'nor a request of that name', there: [aTDeploy({ name: 'demo-echo' })], answer: 'allowed' },
  ])('$name', async ({ there, answer }) => {
    for (const dryRun of [false, true]) {
      expect(await answerTo(creationOf(aTDeploy(), { dryRun }), [base, ...there])).toBe(answer)
    }
  })
  it('is for everybody, and its cause is that of a duplicate (SV-9)', async () => {
    const readers = readersOf(base, aTServer())
    const { response } = await answered(VALIDATING, creationOf(aTDeploy(), { user: CTRL }), { readers })
    expect(response.status?.details?.causes).toEqual([
      expect.objectContaining({ reason: 'FieldValueDuplicate', field: 'apply' }),
    ])
  })
  it('no cache is asked: it may not have seen the server yet (SV-7)', async () => {
    const readers = { cached: readerOf(base), live: readerOf(base, aTServer()) }
    expect(await answerTo(creationOf(aTDeploy()), [], { readers })).toBe(REFUSED)
  })
  it('waits when nobody can say (SV-6)', async () => {
    const parts = { readers: { cached: UNREACHABLE, live: UNREACHABLE } }
    expect(await answerTo(creationOf(aTDeploy()), [], parts)).toMatch(/^503 ServiceUnavailable/)
  })
})

describe.each([
  { decision: 'approval', decided: APPROVED },
  { decision: 'rejection', decided: REJECTED },
])('TD-V4, TD-V5 after an $decision', ({ decided }) => {
  const old = aTDeploy({ approve: decided })
  const REFUSED = '403 Forbidden: approve: already decided, cannot be changed; create another request (TD-V4)'
  const FIXED = '403 Forbidden: apply: cannot be changed after the decision; create another request (TD-V5)'

  it.each([
    { name: 'another reason', approve: { ...decided, reason: 'other' } },
    { name: 'no decision', approve: undefined },
  ])('$name is refused', async ({ approve }) => {
    for (const dryRun of [false, true]) expect(await onUpdate(old, aTDeploy({ approve }), { dryRun })).toBe(REFUSED)
  })
  it('the other result is refused', async () => {
    const approve = { ...decided, result: !decided.result }
    expect(await onUpdate(old, aTDeploy({ approve }))).toBe(REFUSED)
  })
  it('another server is refused', async () => {
    const requested = aTDeploy({ approve: decided, apply: { mark: 'x' } })
    for (const dryRun of [false, true]) expect(await onUpdate(old, requested, { dryRun })).toBe(FIXED)
  })
  it('both are told at once', async () => {
    const answer = await onUpdate(old, aTDeploy({ approve: { ...decided, reason: 'x' }, apply: { mark: 'x' } }))
    expect(answer).toMatch(/^403 Forbidden: .*\(TD-V4\); .*\(TD-V5\)$/)
  })
  it('the same in another order of keys passes, and so does the rest', async () => {
    const approve = Object.fromEntries(Object.entries(decided).reverse())
    expect(await onUpdate(old, aTDeploy({ approve, labels: { mine: 'kept' } }))).toBe('allowed')
  })
  it.each(['system:kube-controller-manager', 'system:serviceaccount:kube-system:x'])('%s is bound', async (user) => {
    expect(await onUpdate(old, aTDeploy(), { user })).toBe(REFUSED)
  })
  it('the controller is not', async () => {
    expect(await onUpdate(old, aTDeploy({ apply: { mark: 'x' } }), { user: CTRL })).toBe('allowed')
  })
})

describe('TD-V4, TD-V5 before a decision', () => {
  it('the request may be changed', async () => {
    expect(await onUpdate(aTDeploy(), aTDeploy({ apply: { mark: 'x' } }))).toBe('allowed')
  })
})

describe('TD-V6 the controller alone says that a request is deployed', () => {
  const REFUSED = '403 Forbidden: deployed: only the controller may set this field; leave it as it was (TD-V6)'
  it.each([
    { name: 'absent → true', was: undefined, is: true, user: 'ann', answer: REFUSED },
    { name: 'true → false', was: true, is: false, user: 'ann', answer: REFUSED },
    { name: 'true → absent', was: true, is: undefined, user: 'ann', answer: REFUSED },
    { name: 'absent → false, which is the same', was: undefined, is: false, user: 'ann', answer: 'allowed' },
    { name: 'true → true', was: true, is: true, user: 'ann', answer: 'allowed' },
    { name: 'by the controller', was: undefined, is: true, user: CTRL, answer: 'allowed' },
    { name: 'by Kubernetes', was: undefined, is: true, user: 'system:kube-controller-manager', answer: REFUSED },
  ])('$name', async ({ was, is, user, answer }) => {
    const [old, object] = [was, is].map((deployed) => aTDeploy({ approve: APPROVED, deployed }))
    for (const dryRun of [false, true]) expect(await onUpdate(old ?? base, object, { user, dryRun })).toBe(answer)
  })
})

describe('TD-V9 what is rejected need not be right', () => {
  it.each(UNFIT)('$name', async ({ apply }) => {
    const body = updateOf(aTDeploy({ apply }), aTDeploy({ apply, approve: REJECTED }))
    expect(await answerTo(body, [aTServer()])).toBe('allowed')
  })
})
