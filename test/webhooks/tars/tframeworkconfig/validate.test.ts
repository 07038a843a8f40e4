import { describe, expect, it } from 'vitest'
import { TFRAMEWORKCONFIG } from '../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { reviewsOf } from '../../../support/reviews.ts'

const { creationOf } = reviewsOf(TFRAMEWORKCONFIG)

describe('TF-W1 only tars-framework is read', () => {
  const IGNORED = 'allowed\nwarning: metadata.name: ignored, for only tars-framework is read; give it that name (TF-W1)'

  it.each([
    { name: 'tars-framework', user: 'ann', answer: 'allowed' },
    { name: 'tard-framework', user: 'ann', answer: IGNORED },
    { name: 'tard-framework', user: CTRL, answer: IGNORED },
  ])('$name, created by $user', async ({ name, user, answer }) => {
    for (const dryRun of [false, true]) {
      const body = creationOf(aTFrameworkConfig({ name }), { user, dryRun })
      expect(wordsOf(await answered(VALIDATING, body))).toBe(answer)
    }
  })
})
