import { describe, expect, it } from 'vitest'
import { labelsIn, patchIn } from '../../../support/answerer-parts.ts'
import { aRelease, aTImage, MADE } from '../../../support/builders/images.ts'
import { at } from '../../../support/builders/trees.ts'
import { creationOf, mutated, named, releasesOf, updateOf } from './mutated.ts'

const NOW = '2026-11-18T12:00:00Z'
const labelsOf = async (object: unknown) => labelsIn((await mutated(creationOf(object))).object)

describe('TI-M1 an image carries its type as a label', () => {
  const LABEL = { 'tars.io/ImageType': 'node' }
  it.each([
    { name: 'labels are absent', labels: undefined, after: LABEL },
    { name: 'labels are null, which is absent (W-4)', labels: null, after: LABEL },
    { name: 'other labels stay', labels: { team: 'a' }, after: { ...LABEL, team: 'a' } },
    { name: 'a wrong label is overwritten', labels: { 'tars.io/ImageType': 'base' }, after: LABEL },
  ])('$name', async ({ labels, after }) => {
    expect(await labelsOf({ metadata: { name: 'a', labels }, imageType: 'node' })).toEqual(after)
  })

  it('on update a label removed by hand comes back, and a new type takes it along', async () => {
    const body = updateOf(aTImage(), aTImage({ labels: {} }))
    expect(labelsIn((await mutated(body)).object)).toEqual({ 'tars.io/ImageType': 'server' })
    const moved = aTImage({ imageType: 'base', labels: { 'tars.io/ImageType': 'server' } })
    expect(labelsIn((await mutated(updateOf(aTImage(), moved))).object)).toEqual({ 'tars.io/ImageType': 'base' })
  })

  it('the right label needs no patch', async () => {
    expect(patchIn(await mutated(creationOf(aTImage())))).toBeUndefined()
  })
})

const BASE = { 'tars.io/ImageType': 'base' }
const baseImage = (supportedType: readonly string[], labels: Readonly<Record<string, string>> = {}) =>
  aTImage({ imageType: 'base', supportedType, labels: { ...BASE, ...labels } })

describe('TI-M2 a base image carries what it supports as labels', () => {
  it.each([
    { name: 'each type', types: ['cpp', 'java-war'], before: {}, after: { cpp: 'cpp', 'java-war': 'java-war' } },
    { name: 'a value that is there stays', types: ['cpp', 'go'], before: { cpp: '' }, after: { cpp: '', go: 'go' } },
    { name: 'twice the same is once', types: ['go', 'go'], before: {}, after: { go: 'go' } },
    {
      name: 'what the schema does not know becomes none',
      types: ['rust', 'a b', 'go'],
      before: {},
      after: { go: 'go' },
    },
  ])('$name', async ({ types, before, after }) => {
    expect(await labelsOf(baseImage(types, supported(before)))).toEqual({ ...BASE, ...supported(after) })
  })

  it('an image of another type carries none (D-13)', async () => {
    expect(await labelsOf(aTImage({ supportedType: ['cpp'] }))).toEqual({ 'tars.io/ImageType': 'server' })
  })
})

function supported(labels: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(labels).map(([type, value]) => [`tars.io/Supported.${type}`, value]))
}

describe('TI-M3 an image carries nothing that it does not support', () => {
  it('a base image loses what is not supported any more', async () => {
    const before = supported({ php: 'php', cpp: '' })
    expect(await labelsOf(baseImage(['cpp', 'go'], before))).toEqual({ ...BASE, ...supported({ cpp: '', go: 'go' }) })
  })
  it('one that is not base loses all, whatever they are called', async () => {
    const labels = { 'tars.io/ImageType': 'server', ...supported({ cpp: 'cpp', 'x~y': '' }), 'tars.io/SupportedX': '' }
    const kept = { 'tars.io/ImageType': 'server', 'tars.io/SupportedX': '' }
    expect(await labelsOf(aTImage({ supportedType: ['cpp'], labels }))).toEqual(kept)
  })
  it('without such labels there is nothing to do', async () => {
    expect(patchIn(await mutated(creationOf(baseImage(['go'], supported({ go: 'go' })))))).toBeUndefined()
  })
})

describe('TI-M4 of releases with one id the first stays', () => {
  it.each([
    { name: 'a, a, b, b, c, b', ids: ['a', 'a', 'b', 'b', 'c', 'b'], kept: [0, 2, 4] },
    { name: 'a, a', ids: ['a', 'a'], kept: [0] },
    { name: 'a, b, a: the order stays', ids: ['a', 'b', 'a'], kept: [0, 1] },
    { name: 'a, A are two', ids: ['a', 'A'], kept: [0, 1] },
    { name: 'one alone', ids: ['a'], kept: [0] },
  ])('$name', async ({ ids, kept }) => {
    const releases = ids.map((id, i) => ({ ...aRelease(id), mark: String(i) }))
    expect(await releasesOf(aTImage({ releases }))).toEqual(kept.map((i) => releases[i]))
  })
  it('releases without an id are the schema’s business', async () => {
    const releases = [{ createTime: MADE }, { createTime: MADE }]
    expect(await releasesOf(aTImage({ releases }))).toEqual(releases)
  })
})

describe('TI-M5 a release knows when it was made', () => {
  it.each([
    { name: 'a missing time is now', createTime: undefined, after: NOW },
    { name: 'an empty one as well', createTime: '', after: NOW },
    { name: 'one that is there stays', createTime: MADE, after: MADE },
  ])('$name', async ({ createTime, after }) => {
    const releases = [aRelease('a'), { ...aRelease('b'), createTime }]
    expect(await releasesOf(aTImage({ releases }))).toEqual([aRelease('a'), { ...aRelease('b'), createTime: after }])
  })
  it('the release that stays gets it, where duplicates go before it', async () => {
    const [a, b] = [
      { id: 'a', image: 'i' },
      { id: 'b', image: 'j' },
    ]
    const answer = await mutated(creationOf(aTImage({ releases: [a, a, b] })))
    const after = [
      { ...a, createTime: NOW },
      { ...b, createTime: NOW },
    ]
    expect(at(answer.object, 'releases')).toEqual(after)
    expect(patchIn(answer)).toContainEqual({ op: 'add', path: '/releases', value: after })
  })
})

describe('TI-M5 a release that is written again without its time', () => {
  const timeless = (id: string) => ({ id, image: `registry.example/echo:${id}` })
  const NEW = { ...timeless('new'), createTime: NOW }
  const LATER = '2023-05-01T00:00:00Z'

  it.each([
    { name: 'keeps it', stored: [aRelease('a')], next: [timeless('a')], after: [aRelease('a')] },
    {
      name: 'keeps it behind a new one, wherever they stand',
      stored: [aRelease('a'), { ...aRelease('b'), createTime: LATER }],
      next: [timeless('new'), timeless('b'), timeless('a')],
      after: [NEW, { ...aRelease('b'), createTime: LATER }, aRelease('a')],
    },
    {
      name: 'keeps it under another image and an empty time',
      stored: [aRelease('a')],
      next: [{ id: 'a', image: 'other', createTime: '' }],
      after: [{ id: 'a', image: 'other', createTime: MADE }],
    },
    {
      name: 'has the one that its author says now',
      stored: [aRelease('a')],
      next: [{ ...aRelease('a'), createTime: LATER }],
      after: [{ ...aRelease('a'), createTime: LATER }],
    },
    { name: 'has none to keep', stored: [timeless('new')], next: [timeless('new')], after: [NEW] },
    { name: 'is another one in capitals', stored: [aRelease('NEW')], next: [timeless('new')], after: [NEW] },
    {
      name: 'has the first of several, as of several releases the first stays',
      stored: [timeless('a'), aRelease('a'), { ...aRelease('a'), createTime: LATER }],
      next: [timeless('a'), timeless('a')],
      after: [aRelease('a')],
    },
    { name: 'of an image without releases is new', stored: undefined, next: [timeless('new')], after: [NEW] },
  ])('$name', async ({ stored, next, after }) => {
    const old = aTImage(stored && { releases: stored })
    const { object } = await mutated(updateOf(old, aTImage({ releases: next })))
    expect(at(object, 'releases')).toEqual(after)
    expect(patchIn(await mutated(updateOf(old, object)))).toBeUndefined()
  })

  it('is brought back as a whole, by one patch', async () => {
    const old = aTImage({ releases: [aRelease('a'), aRelease('b')] })
    const answer = await mutated(updateOf(old, aTImage({ releases: [timeless('a'), timeless('b')] })))
    expect(patchIn(answer)).toEqual([{ op: 'add', path: '/releases', value: [aRelease('a'), aRelease('b')] }])
  })
  it('is new where what is stored fits no schema', async () => {
    const old = { ...aTImage({ releases: [aRelease('new')] }), default: 7 }
    const { object } = await mutated(updateOf(old, aTImage({ releases: [timeless('new')] })))
    expect(at(object, 'releases')).toEqual([NEW])
  })
})

describe('TI-M7 for which servers an image is, its user says', () => {
  it.each([{}, { 'tars.io/ServerApp': 'demo', 'tars.io/ServerName': 'x' }])(
    'labels %o stay as they are',
    async (labels) => {
      const type = { 'tars.io/ImageType': 'server' }
      expect(await labelsOf(aTImage({ labels }))).toEqual({ ...type, ...labels })
    },
  )
})

describe('TI-M1…6 and what may arrive', () => {
  it.each([
    ['an object of nothing', {}],
    ['releases of another type (W-4)', { metadata: { name: 'a' }, imageType: 'base', releases: 'x' }],
    ['a release of another type', { metadata: { name: 'a' }, releases: [7] }],
    ['a type of another type', { metadata: { name: 'a' }, imageType: 7 }],
    ['types that are no list', { metadata: { name: 'a' }, imageType: 'base', supportedType: 'go' }],
  ])('%s goes on unchanged, for the schema to refuse', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response).toMatchObject({ allowed: true })
    expect(answer.object).toEqual(object)
  })

  it('an image being deleted that loses its finalizers goes on unchanged (W-7)', async () => {
    const old = aTImage({ going: true, labels: {}, releases: named(40) })
    expect(patchIn(await mutated(updateOf(old, old)))).toBeUndefined()
    expect(patchIn(await mutated(updateOf(aTImage({ going: true }), old)))).toBeDefined()
  })
})
