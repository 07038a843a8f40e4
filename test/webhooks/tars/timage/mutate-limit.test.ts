import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../src/faults.ts'
import { ENFORCE_RELEASE_LIMIT } from '../../../../webhooks/tars/timage/settings.ts'
import { patchIn, withSetting } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aRelease, aTImage, MADE } from '../../../support/builders/images.ts'
import { at } from '../../../support/builders/trees.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { creationOf, mutated, named, type Parts, releasesOf, updateOf } from './mutated.ts'

describe('TI-M6 an image keeps as many releases as the framework says', () => {
  const framework = (timageRelease: number) => readersOf(aTFrameworkConfig({ recordLimit: { timageRelease } }))
  const idsOf = async (object: unknown, parts?: Parts) => {
    const releases = await releasesOf(object, parts)
    return Array.isArray(releases) ? releases.map((release) => at(release, 'id')) : releases
  }
  const first = (count: number) => named(count).map(({ id }) => id)

  it.each([
    { name: 'as many as may be all stay', count: 12, limit: 12, kept: first(12) },
    { name: 'one more than the least limit goes', count: 11, limit: 10, kept: first(10) },
    { name: 'the first ones stay', count: 14, limit: 12, kept: first(12) },
    { name: 'a default one among them is one of them', count: 14, limit: 12, usual: 'v3', kept: first(12) },
    {
      name: 'a default one beyond takes the last place',
      count: 14,
      limit: 12,
      usual: 'v14',
      kept: [...first(11), 'v14'],
    },
    { name: 'a default one that is not there changes nothing', count: 14, limit: 12, usual: 'x', kept: first(12) },
  ])('$name', async ({ count, limit, usual, kept }) => {
    const object = aTImage({ releases: named(count), ...(usual && { usual }) })
    expect(await idsOf(object, { readers: framework(limit) })).toEqual(kept)
  })

  it('duplicates take no place', async () => {
    const releases = [aRelease('v1'), ...named(12)]
    expect(await idsOf(aTImage({ releases }), { readers: framework(12) })).toEqual(first(12))
  })

  it('says which ones went, in a dry run too, and twice is once', async () => {
    for (const dryRun of [false, true]) {
      const parts = { readers: framework(10) }
      const body = creationOf(aTImage({ releases: named(12) }), { dryRun })
      const { response, object } = await mutated(body, parts)
      expect(response.warnings).toEqual([
        'releases: 2 too many, for recordLimit.timageRelease of tars-framework is 10 (TI-M6)',
        'releases: dropped v11, v12 (TI-M6)',
      ])
      const again = await mutated(creationOf(object), parts)
      expect(patchIn(again)).toBeUndefined()
      expect(again.response.warnings).toBeUndefined()
    }
  })

  it('without a TFrameworkConfig 32 stay', async () => {
    const { response, object } = await mutated(creationOf(aTImage({ releases: named(40) })))
    expect(at(object, 'releases')).toEqual(named(32))
    expect(response.warnings).toEqual([
      'releases: 8 too many, for 32 are kept where no TFrameworkConfig says otherwise (TI-M6)',
      'releases: dropped v33, v34, v35, v36, v37, v38, v39, v40 (TI-M6)',
    ])
  })

  const long = (letter: string) => letter.repeat(64)
  it.each([
    {
      name: '50 releases',
      releases: named(50),
      lost: [
        'v11, v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23, v24, v25, v26, v27, v28, v29',
        'v30, v31, v32, v33, v34, v35, v36, v37, v38, v39, v40, v41, v42, v43, v44, v45, v46, v47, v48',
        'v49, v50',
      ],
    },
    {
      name: 'two with ids of 64 characters',
      releases: [...named(10), aRelease(long('a')), aRelease(long('b'))],
      lost: [long('a'), long('b')],
    },
    {
      name: 'one without an id, which the schema refuses',
      releases: [...named(10), { createTime: MADE }],
      lost: [],
    },
  ])('all that went are named, however many warnings that takes: $name', async ({ releases, lost }) => {
    const { response } = await mutated(creationOf(aTImage({ releases })), { readers: framework(10) })
    expect(response.warnings?.slice(1)).toEqual(lost.map((ids) => `releases: dropped ${ids} (TI-M6)`))
  })

  it.each([
    { name: 'one of another name', config: aTFrameworkConfig({ name: 'x', recordLimit: { timageRelease: 10 } }) },
    {
      name: 'one of another namespace',
      config: aTFrameworkConfig({ namespace: 'x', recordLimit: { timageRelease: 10 } }),
    },
  ])('$name counts for nothing', async ({ config }) => {
    expect(await idsOf(aTImage({ releases: named(20) }), { readers: readersOf(config) })).toEqual(first(20))
  })

  it('on update too', async () => {
    const body = updateOf(aTImage({ releases: named(12) }), aTImage({ releases: [aRelease('new'), ...named(12)] }))
    const { object } = await mutated(body, { readers: framework(12) })
    expect(at(object, 'releases')).toEqual([aRelease('new'), ...named(11)])
  })

  it('a setting lets all of them stay', async () => {
    const settings = withSetting(ENFORCE_RELEASE_LIMIT, false)
    expect(await idsOf(aTImage({ releases: named(40) }), { readers: framework(10), settings })).toEqual(first(40))
  })

  it('nobody is asked for ten, which every limit allows', async () => {
    const cached = readerOf()
    await mutated(creationOf(aTImage({ releases: named(10) })), { readers: { cached, live: readerOf() } })
    expect(cached.reads).toEqual([])
  })

  it('waits when the limit cannot be looked up (SV-6)', async () => {
    const readers = { cached: UNREACHABLE, live: UNREACHABLE }
    const { verdict } = await mutated(creationOf(aTImage({ releases: named(40) })), { readers })
    expect(verdict.unanswered).toBeInstanceOf(Fault)
  })
})
