import { expect, it } from 'vitest'
import { TFRAMEWORKCONFIG } from '../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'

const of = (nodeImage: object) => aTFrameworkConfig({ nodeImage })

it.each([
  { name: 'a whole one', object: aTFrameworkConfig(), fits: true },
  { name: 'an image by its digest', object: of({ image: 'R_1/n@sha256:AB' }), fits: true },
  { name: 'an image with a space', object: of({ image: 'a b' }), fits: false },
  { name: 'an empty image', object: of({ image: '' }), fits: false },
  { name: 'a secret that is no name', object: of({ image: 'i', secret: 'S' }), fits: false },
])('a TFrameworkConfig with $name: $fits', ({ object, fits }) => {
  expect(TFRAMEWORKCONFIG.is(object)).toBe(fits)
})
