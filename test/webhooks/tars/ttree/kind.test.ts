import { describe, expect, it } from 'vitest'
import { MUTATING, VALIDATING_DELETE } from '../../../../webhooks/tars/doors.ts'
import { ttree } from '../../../../webhooks/tars/ttree/kind.ts'

describe('TTree meets the API server as tars.md 2.1 says', () => {
  it('when it is written, and when it is deleted', () => {
    expect(ttree.doors).toEqual([MUTATING, VALIDATING_DELETE])
  })
})
