import { describe, expect, it } from 'vitest'
import { addressOf } from '../../../src/admission/door.ts'
import { GADGET } from '../../support/builders/gadget.ts'

const review = { path: '/validating', resource: GADGET, subresource: undefined, operation: 'CREATE' }

describe('where a review belongs', () => {
  it('is one place for a door and for whoever comes to it', () => {
    const { group, version, plural } = GADGET
    expect(addressOf(review)).toBe(addressOf({ ...review, resource: { group, version, plural }, subresource: '' }))
  })

  it.each([
    { what: 'another path', other: { path: '/mutating' } },
    { what: 'another operation', other: { operation: 'UPDATE' } },
    { what: 'a subresource', other: { subresource: 'scale' } },
    { what: 'another group', other: { resource: { ...GADGET, group: 'other.io' } } },
    { what: 'the core group', other: { resource: { ...GADGET, group: '' } } },
    { what: 'another version (W-2)', other: { resource: { ...GADGET, version: 'v2' } } },
    { what: 'another resource', other: { resource: { ...GADGET, plural: 'gizmos' } } },
  ])('$what is another place', ({ other }) => {
    expect(addressOf({ ...review, ...other })).not.toBe(addressOf(review))
  })
})
