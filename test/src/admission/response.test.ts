import { describe, expect, it } from 'vitest'
import type { Edit } from '../../../src/admission/patch.ts'
import { answeredReview, failure, refOf, responseTo } from '../../../src/admission/response.ts'
import { reviewOf } from '../../../src/admission/review.ts'
import type { RuleWords } from '../../../src/admission/rule.ts'
import { NOTHING_TO_SAY, type Verdict, type Violation } from '../../../src/admission/verdict.ts'
import { Fault } from '../../../src/faults.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'

const review = reviewOf(reviewsOf(GADGET).creationOf(aGadget()))
const answer = (verdict: Partial<Verdict>) => responseTo(review, { ...NOTHING_TO_SAY, ...verdict })
const SUBJECT = { group: 'test.tars.io', kind: 'Gadget', name: 'g' }

function broken(id: string, reason?: Violation['rule']['reason']): Violation {
  const rule: RuleWords = {
    id,
    on: 'write',
    message: ({ value }) => `${value} is wrong`,
    remedy: 'mend it',
    ...(reason && { reason }),
  }
  return { path: `spec.${id}`, value: 7, rule }
}
const patch: readonly Edit[] = [{ op: 'add', path: '/spec/owner', value: 'ünï' }]
const unanswered = new Fault('CLUSTER_UNREACHABLE', 'gadgets could not be listed')

describe('the frame of an answer (AP-7)', () => {
  it('names version and kind exactly', () => {
    expect(answeredReview(answer({}))).toEqual({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: UID, allowed: true },
    })
  })

  it.each([
    { name: 'nothing to say', verdict: {} },
    { name: 'a patch', verdict: { patch } },
    { name: 'a patch that is refused', verdict: { patch, violations: [broken('a')] } },
    { name: 'a patch without an answer', verdict: { patch, unanswered } },
    { name: 'warnings', verdict: { warnings: ['w'] } },
  ])('$name: its own uid, and patch and patchType both or neither', ({ verdict }) => {
    const response = answer(verdict)
    expect(response.uid).toBe(UID)
    expect(Object.hasOwn(response, 'patch')).toBe(Object.hasOwn(response, 'patchType'))
    expect(Object.hasOwn(response, 'patch')).toBe(response.allowed && 'patch' in verdict)
    expect(Object.hasOwn(response, 'status')).toBe(!response.allowed)
  })

  it('carries the patch as base64 of JSON', () => {
    const response = answer({ patch })
    expect(response.patchType).toBe('JSONPatch')
    expect(JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString())).toEqual(patch)
  })
})

describe('a refusal (SV-9)', () => {
  it.each([
    { name: 'content is 422', violations: [broken('a')], code: 422, reason: 'Invalid' },
    { name: 'who or in use is 403', violations: [broken('a', 'Forbidden')], code: 403, reason: 'Forbidden' },
    {
      name: '403 also when there are several, all of them so',
      violations: [broken('a', 'Forbidden'), broken('b', 'Forbidden')],
      code: 403,
      reason: 'Forbidden',
    },
    {
      name: 'mixed is 422, whatever stands first',
      violations: [broken('a', 'Forbidden'), broken('b')],
      code: 422,
      reason: 'Invalid',
    },
    {
      name: 'what could not be looked up is 503',
      violations: [broken('a', 'Unavailable')],
      code: 503,
      reason: 'ServiceUnavailable',
    },
    { name: 'a duplicate is 422, never 409', violations: [broken('a', 'Duplicate')], code: 422, reason: 'Invalid' },
  ])('$name', ({ violations, code, reason }) => {
    expect(answer({ violations })).toMatchObject({ allowed: false, status: { code, reason } })
  })

  it('tells all violations at once, each cause complete by itself', () => {
    const violations = [broken('a', 'Forbidden'), broken('b'), broken('c', 'Duplicate')]
    expect(answer({ violations }).status).toEqual({
      code: 422,
      reason: 'Invalid',
      message: 'spec.a: 7 is wrong; mend it (a); spec.b: 7 is wrong; mend it (b); spec.c: 7 is wrong; mend it (c)',
      details: {
        ...SUBJECT,
        causes: [
          { reason: 'FieldValueForbidden', field: 'spec.a', message: '7 is wrong; mend it (a)' },
          { reason: 'FieldValueInvalid', field: 'spec.b', message: '7 is wrong; mend it (b)' },
          { reason: 'FieldValueDuplicate', field: 'spec.c', message: '7 is wrong; mend it (c)' },
        ],
      },
    })
  })

  it('of more than 100 violations tells the first ones, and that there are more (CV-8)', () => {
    const violations = Array.from({ length: 10_000 }, (_, at) => broken(`n${at}`, 'Duplicate'))
    const { message = '', details } = answer({ violations }).status ?? {}
    expect(details?.causes).toHaveLength(101)
    expect(details?.causes?.[100]).toEqual({
      reason: 'FieldValueDuplicate',
      field: 'spec.n100',
      message: 'there are more, of which this is the first; mend those before it, then try again (n100)',
    })
    expect(message).toMatch(/^spec\.n0: 7 is wrong; mend it \(n0\); spec\.n1: /)
    expect(message).toMatch(
      /; spec\.n100: there are more, of which this is the first; mend those before it, then try again \(n100\)$/,
    )
  })

  it('of 100 violations tells each', () => {
    const violations = Array.from({ length: 100 }, (_, at) => broken(`n${at}`))
    expect(answer({ violations }).status?.message).toMatch(/; spec\.n99: 7 is wrong; mend it \(n99\)$/)
  })

  it('quotes of a value that is long the beginning and the end, and keeps its remedy and its id', () => {
    const { message = '' } =
      answer({ violations: [{ ...broken('a'), value: `<${'x'.repeat(262_144)}>` }] }).status ?? {}
    expect(message.length).toBeLessThan(2_100)
    expect(message).toMatch(/^spec\.a: <xxx.*xxx … xxx.*xxx> is wrong; mend it \(a\)$/)
  })

  it('found by the rule of another kind has the cause of that rule', () => {
    const { rule: through } = broken('b', 'Duplicate')
    const { status } = answer({ violations: [{ ...broken('a'), through }] })
    expect(status?.details?.causes).toMatchObject([
      { reason: 'FieldValueDuplicate', message: expect.stringMatching(/\(a, b\)$/) },
    ])
  })

  it('counts before a look-up that failed (SV-4), and brings its warnings', () => {
    const response = answer({ violations: [broken('a')], unanswered, warnings: ['w'] })
    expect(response).toMatchObject({ status: { code: 422 }, warnings: ['w'] })
  })
})

describe('no answer now (SV-6)', () => {
  it('says what could not be read, blames nobody and asks to come again', () => {
    expect(answer({ unanswered })).toEqual({
      uid: UID,
      allowed: false,
      status: {
        code: 503,
        reason: 'ServiceUnavailable',
        message:
          'cannot decide now: gadgets could not be listed; nothing is wrong with the object, try again. [ref 29d991ef]',
        details: { ...SUBJECT, retryAfterSeconds: 1 },
      },
    })
  })

  it('brings its warnings', () => {
    expect(answer({ unanswered, warnings: ['w'] }).warnings).toEqual(['w'])
  })
})

describe('a failure of ours (SV-3)', () => {
  it('is answered under the request’s own uid, and tells nothing of the inside', () => {
    expect(failure(review)).toEqual({
      uid: UID,
      allowed: false,
      status: {
        code: 500,
        reason: 'InternalError',
        message: 'tars-admission failed on this Gadget; its log says why. [ref 29d991ef]',
        details: SUBJECT,
      },
    })
  })

  it('can be quoted by eight characters (UX-6), or as many as there are', () => {
    expect(refOf(review)).toBe('[ref 29d991ef]')
    expect(refOf({ ...review, uid: 'u1' })).toBe('[ref u1]')
  })
})

describe('what goes into the audit log of the API server', () => {
  const audit = { 'TA-M1': 'hashed' }
  it.each([
    { name: 'an admission', verdict: {} },
    { name: 'a refusal', verdict: { violations: [broken('a')] } },
    { name: 'no answer', verdict: { unanswered } },
  ])('stands beside $name', ({ verdict }) => {
    expect(answer({ ...verdict, audit }).auditAnnotations).toEqual(audit)
  })
  it('is left out where there is none', () => {
    expect(answer({})).not.toHaveProperty('auditAnnotations')
  })
})

describe('warnings as the API server takes them (AP-9)', () => {
  const warned = (...warnings: readonly string[]) => answer({ warnings }).warnings

  it('are left out where there are none', () => {
    expect(warned()).toBeUndefined()
  })

  it.each([
    { name: '120 characters stay', warning: 'w'.repeat(120), shown: 'w'.repeat(120) },
    { name: '121 are cut to 120 with a mark', warning: 'w'.repeat(121), shown: `${'w'.repeat(119)}…` },
    { name: 'a rule id at the end stays', warning: `${'w'.repeat(121)} (TS-W1)`, shown: `${'w'.repeat(111)}… (TS-W1)` },
    {
      name: 'two of them as well',
      warning: `${'w'.repeat(121)} (TD-V8, TS-V8)`,
      shown: `${'w'.repeat(104)}… (TD-V8, TS-V8)`,
    },
    { name: 'characters are not cut in two', warning: '😀'.repeat(121), shown: `${'😀'.repeat(119)}…` },
    { name: '120 characters of two halves stay', warning: '😀'.repeat(120), shown: '😀'.repeat(120) },
    { name: 'control characters become one space', warning: 'a\r\n\tb\u0000c\u007fd\u009fe', shown: 'a b c d e' },
    { name: 'other scripts stay', warning: '模板不存在', shown: '模板不存在' },
  ])('$name', ({ warning, shown }) => {
    expect(warned(warning)).toEqual([shown])
  })

  const many = (count: number) => Array.from({ length: count }, (_, i) => `w${i + 1}`)

  it('ten stay', () => {
    expect(warned(...many(10))).toEqual(many(10))
  })

  it.each([
    { count: 11, last: 'and 2 more warnings' },
    { count: 100, last: 'and 91 more warnings' },
  ])('of $count, nine stay and the rest is counted', ({ count, last }) => {
    expect(warned(...many(count))).toEqual([...many(9), last])
  })
})
