import { describe, expect, it } from 'vitest'
import { MUTATING } from '../../../../webhooks/tars/doors.ts'
import { timage } from '../../../../webhooks/tars/timage/kind.ts'
import { TIMAGE } from '../../../../webhooks/tars/timage/schema.ts'
import { aRelease, aTImage } from '../../../support/builders/images.ts'

describe('TImage meets the API server as tars.md 2.1 says', () => {
  it('when it is written, to be completed alone', () => {
    expect(timage.doors).toEqual([MUTATING])
  })
})

describe('what is a TImage the schema says', () => {
  const build = { id: 'v1', baseImage: 'b', image: 'i' }
  const head = { metadata: { name: 'a' }, imageType: 'server' }
  it.each([
    { name: 'a type', object: head, fits: true },
    { name: 'releases', object: aTImage({ releases: [aRelease('v1.2_b-3')], usual: 'v1' }), fits: true },
    { name: 'two releases of one id', object: aTImage({ releases: [aRelease('a'), aRelease('a')] }), fits: true },
    { name: '120 releases', object: aTImage({ releases: Array(120).fill(aRelease('a')) }), fits: true },
    { name: '121 releases', object: aTImage({ releases: Array(121).fill(aRelease('a')) }), fits: false },
    { name: 'builds', object: { ...head, build: { running: { ...build, phase: 'x' }, last: build } }, fits: true },
    { name: 'a build of nothing', object: { ...head, build: { running: {} } }, fits: false },
    { name: 'no type', object: { metadata: { name: 'a' } }, fits: false },
    { name: 'another type', object: aTImage({ imageType: 'other' }), fits: false },
    { name: 'no supported type', object: aTImage({ supportedType: [] }), fits: false },
    { name: 'another supported type', object: aTImage({ supportedType: ['rust'] }), fits: false },
    { name: 'an id that ends with a dot', object: aTImage({ releases: [aRelease('v1.')] }), fits: false },
    { name: 'a release without an image', object: aTImage({ releases: [{ id: 'a' }] }), fits: false },
    {
      name: 'a time that is none',
      object: aTImage({ releases: [{ ...aRelease('a'), createTime: 'x' }] }),
      fits: false,
    },
  ])('with $name: $fits', ({ object, fits }) => {
    expect(TIMAGE.is(object)).toBe(fits)
  })

  const inRelease = (words: object) => aTImage({ releases: [{ ...aRelease('a'), ...words }] })
  const inBuild = (words: object) => ({ ...head, build: { running: { ...build, ...words } } })
  it.each([
    { name: 'its mark', longest: 1_600, having: (mark: string) => ({ ...head, mark }) },
    { name: 'the mark of a release', longest: 1_600, having: (mark: string) => inRelease({ mark }) },
    { name: 'the mark of a build', longest: 1_600, having: (mark: string) => inBuild({ mark }) },
    { name: 'who made a release', longest: 100, having: (createPerson: string) => inRelease({ createPerson }) },
    { name: 'who made a build', longest: 100, having: (createPerson: string) => inBuild({ createPerson }) },
  ])('$name is of $longest characters at most', ({ longest, having }) => {
    const fits = (length: number) => TIMAGE.is(having('x'.repeat(length)))
    expect([fits(longest), fits(longest + 1)]).toEqual([true, false])
  })
})
