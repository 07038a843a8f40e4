import { expect, it } from 'vitest'
import { TIMAGE } from '../../../../webhooks/tars/timage/schema.ts'
import { aRelease, aTImage } from '../../../support/builders/images.ts'

const build = { id: 'v1', baseImage: 'b', image: 'i' }
const whole = { running: { ...build, phase: 'x' }, last: build }

it.each([
  { name: 'releases', object: aTImage({ releases: [aRelease('v1.2_b-3')], usual: 'v1' }), fits: true },
  { name: 'two releases of one id', object: aTImage({ releases: [aRelease('a'), aRelease('a')] }), fits: true },
  { name: 'builds', object: { ...aTImage(), build: whole }, fits: true },
  { name: 'an id that ends with a dot', object: aTImage({ releases: [aRelease('v1.')] }), fits: false },
  { name: 'a time that is none', object: aTImage({ releases: [{ ...aRelease('a'), createTime: 'x' }] }), fits: false },
])('a TImage with $name: $fits', ({ object, fits }) => {
  expect(TIMAGE.is(object)).toBe(fits)
})
