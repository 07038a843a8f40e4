import { describe, expect, it } from 'vitest'
import { isStored } from '../../../../src/cluster/stored.ts'
import { probeNamed } from '../../../../webhooks/tars/ttemplate/probe.ts'
import { TTEMPLATE } from '../../../../webhooks/tars/ttemplate/schema.ts'
import { answered, MUTATING, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { reviewsOf } from '../../../support/reviews.ts'

describe('the probe, on a cluster that holds nothing', () => {
  const { completed, refused } = probeNamed('probe')
  const { creationOf } = reviewsOf(TTEMPLATE)
  const isDone = (object: unknown) => isStored(object) && completed.isDone(object)

  it('is completed by us, which nobody else does', async () => {
    expect(isDone(completed.object)).toBe(false)
    const { object } = await answered(MUTATING, creationOf(completed.object))
    expect(isDone(object)).toBe(true)
    expect(wordsOf(await answered(VALIDATING, creationOf(object)))).toBe('allowed')
  })
  it('is refused by the rule it names', async () => {
    expect(wordsOf(await answered(VALIDATING, creationOf(refused.object)))).toContain(`(${refused.by})`)
  })
})
