import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/admission/rule.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { readersOf } from '../../support/fakes/readers.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const high = aGadget({ levels: { a: 9, b: 8 } })
const of = (finding: Finding) => ({ check: () => [finding], message: () => 'is bad', remedy: 'mend it' })
const forbidden = aRule({ ...of({ path: 'metadata.name' }), id: 'XX-F', reason: 'Forbidden' })
const duplicate = aRule({ ...of({ path: 'spec.title' }), id: 'XX-D', reason: 'Duplicate' })

const GADGET_G = { group: 'test.tars.io', kind: 'Gadget', name: 'g' }
const A = { reason: 'FieldValueInvalid', field: 'spec.levels[a]', message: '9 is too high; take a lower one (XX-V1)' }
const B = { reason: 'FieldValueInvalid', field: 'spec.levels[b]', message: '8 is too high; take a lower one (XX-V1)' }
const F = { reason: 'FieldValueForbidden', field: 'metadata.name', message: 'is bad; mend it (XX-F)' }
const D = { reason: 'FieldValueDuplicate', field: 'spec.title', message: 'is bad; mend it (XX-D)' }

describe('what an author gets of a refusal (SV-9, W-10)', () => {
  it.each([
    {
      name: 'content is 422 Invalid, with everything at once',
      rules: [aRule()],
      code: 422,
      reason: 'Invalid',
      causes: [A, B],
    },
    { name: 'who and in-use are 403 Forbidden', rules: [forbidden], code: 403, reason: 'Forbidden', causes: [F] },
    { name: 'a duplicate of another is 422, never 409', rules: [duplicate], code: 422, reason: 'Invalid', causes: [D] },
    {
      name: 'content and who together are 422',
      rules: [forbidden, aRule()],
      code: 422,
      reason: 'Invalid',
      causes: [F, A, B],
    },
  ])('$name', async ({ rules, code, reason, causes }) => {
    await using server = await serving({ kinds: [aKind({ validate: rules })] })
    const { refused } = await server.caller.call(server.webhook(VALIDATING), reviewsOf(GADGET).creationOf(high))
    const words = causes.map(({ field, message }) => `${field}: ${message}`).join('; ')
    expect(refused).toEqual({
      status: 'Failure',
      code,
      reason,
      message: `admission webhook "validating.test" denied the request: ${words}`,
      details: { ...GADGET_G, causes },
    })
  })

  it('names the object of a collection that is deleted, whose reviews have no name (AP-14)', async () => {
    const child = aTTemplate({ name: 'child', parent: 'base' })
    await using server = await serving({ readers: readersOf(aTTemplate(), child) })
    const { refused } = await server.caller.call(
      server.webhook(VALIDATING),
      reviewsOf(TTEMPLATE).deletionOf(aTTemplate()),
    )
    const shown =
      'TTemplate demo/base: is the parent of TTemplate child; delete them or give them another parent, then repeat (TT-V3)'
    expect(refused).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `admission webhook "validating.tars.io" denied the request: metadata.name: ${shown}`,
      details: { group: 'k8s.tars.io', kind: 'TTemplate', name: 'base' },
    })
  })

  it('under --enforce warn is a warning, and counted as what would have been refused (UX-3)', async () => {
    await using server = await serving({ kinds: [aKind({ validate: [aRule()] })], enforce: 'warn' })
    const outcome = await server.caller.call(server.webhook(VALIDATING), reviewsOf(GADGET).creationOf(high))
    expect(outcome.refused).toBeUndefined()
    expect(outcome.warnings).toEqual([A, B].map(({ field, message }) => `would be refused: ${field}: ${message}`))
    expect(await server.counted('tars_admission_denied_total{rule="XX-V1"}')).toBe(2)
    expect(server.log.lines).toMatchObject([{ result: 'would_refuse', allowed: true, rules: ['XX-V1', 'XX-V1'] }])
  })
})

describe('warnings (AP-9)', () => {
  it('come through to the author, however many and however long', async () => {
    const titles = Array.from({ length: 40 }, (_, i) => ({
      path: `spec.${'x'.repeat(200)}[${i}]`,
      value: 'two\nlines',
    }))
    const rule = aRule({ effect: 'warn', check: () => titles, message: ({ value }) => `${value}` })
    await using server = await serving({ kinds: [aKind({ validate: [rule] })] })
    const { warnings } = await server.caller.call(server.webhook(VALIDATING), reviewsOf(GADGET).creationOf(aGadget()))
    expect(warnings.at(-1)).toBe('and 31 more warnings')
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThanOrEqual(120)
  })
})
