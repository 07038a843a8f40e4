import { describe, expect, it } from 'vitest'
import { lost } from './caller.ts'

describe('whose write is lost', () => {
  it.each([
    { name: 'not one that is let in', outcome: {}, why: undefined },
    { name: 'not one that is refused', outcome: { refused: refusal(422) }, why: undefined },
    { name: 'one on which we failed', outcome: { refused: refusal(500) }, why: 'said 500' },
    { name: 'one that we cannot decide now', outcome: { refused: refusal(503) }, why: 'said 503' },
    { name: 'one that went on without us', outcome: { passedOver: 'EOF' }, why: 'EOF' },
  ])('$name', ({ outcome, why }) => {
    expect(lost(outcome)).toBe(why)
  })
})

function refusal(code: number) {
  return { code, reason: '', message: `said ${code}` }
}
