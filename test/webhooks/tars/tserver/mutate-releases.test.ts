import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { answered, CTRL, labelsIn, MUTATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aRelease, aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { admittingCluster } from '../../../support/clusters.ts'
import { readerOf } from '../../../support/fakes/readers.ts'
import { aDraft, aNormalDraft, creationOf, k8sMade, LABELS, made, mutated, partOf, updateOf } from './mutated.ts'

const releaseMade = async (object: unknown, ...there: readonly Built[]) =>
  partOf(await made(object, ...there), 'spec', 'release')

describe('TS-M6 what is not released does not run', () => {
  it.each([
    { name: 'a number of its own', k8s: { replicas: 3 }, annotations: {} },
    { name: 'no number', k8s: {}, annotations: {} },
    { name: 'a lower bound', k8s: { replicas: 3 }, annotations: { 'tars.io/MinReplicas': '2' } },
  ])('with $name', async ({ k8s, annotations }) => {
    expect(await k8sMade(aDraft({ k8s }, { annotations }))).toMatchObject({ replicas: 0 })
  })

  it('a release of null is none: the API server takes it away before', async () => {
    const cluster = admittingCluster(aTTemplate())
    const { metadata, ...rest } = aTServer()
    const server = {
      ...rest,
      metadata,
      spec: { ...(isTree(rest.spec) ? rest.spec : {}), release: null, k8s: { replicas: 4 } },
    }
    expect(partOf(await cluster.create(TSERVER, server), 'spec', 'k8s', 'replicas')).toBe(0)
  })

  it('what is released keeps its number', async () => {
    expect(await k8sMade(aDraft({ k8s: { replicas: 3 }, release: aRelease() }))).toMatchObject({ replicas: 3 })
  })

  it.each([
    { name: 'unreleased', release: {} },
    { name: 'released', release: { release: aRelease() } },
  ])('the label of a release goes from a server that is $name', async ({ release }) => {
    const labels = { ...LABELS, 'tars.io/ServerID': 'r0' }
    expect(labelsIn(await made(aDraft(release, { labels })))).toEqual(LABELS)
  })

  it('a release that is taken back stops the server', async () => {
    const old = aTServer({ release: aRelease(), k8s: { replicas: 3 } })
    const { object } = await mutated(updateOf(old, aTServer({ k8s: { replicas: 3 } })))
    expect(isTree(object) && partOf(object, 'spec', 'k8s', 'replicas')).toBe(0)
  })
})

const bounded = (replicas: number | undefined, Min?: string, Max?: string, wishes: Tree = { release: aRelease() }) =>
  aDraft(
    { k8s: replicas === undefined ? {} : { replicas }, ...wishes },
    {
      annotations: {
        ...(Min !== undefined && { 'tars.io/MinReplicas': Min }),
        ...(Max !== undefined && { 'tars.io/MaxReplicas': Max }),
      },
    },
  )

describe('TS-M8, TS-M9 replicas keep within their bounds', () => {
  it.each([
    { id: 'TS-M9', requested: 1, min: '2', max: '4', replicas: 2 },
    { id: 'TS-M9', requested: 1, min: '2', max: undefined, replicas: 2 },
    { id: 'TS-M8', requested: 9, min: '2', max: '4', replicas: 4 },
    { id: 'TS-M8', requested: 9, min: undefined, max: '4', replicas: 4 },
    { id: 'TS-M8', requested: 9, min: undefined, max: '0', replicas: 0 },
    { id: 'TS-M9', requested: 0, min: '10', max: '99', replicas: 10 },
    { id: 'TS-M8 and TS-M9', requested: 3, min: undefined, max: undefined, replicas: 3 },
    { id: 'TS-M8 and TS-M9', requested: 3, min: '3', max: '3', replicas: 3 },
    { id: 'TS-M8', requested: 9, min: '3', max: '3', replicas: 3 },
    { id: 'TS-M8 and TS-M9', requested: 0, min: '0', max: '4', replicas: 0 },
    { id: 'TS-M9, which leaves it to the schema,', requested: -1, min: undefined, max: '4', replicas: -1 },
  ])('$id: $requested within $min and $max are $replicas', async ({ requested, min, max, replicas }) => {
    expect(await k8sMade(bounded(requested, min, max))).toMatchObject({ replicas })
  })

  it('a number that nobody gave is the API server’s business', async () => {
    expect(await k8sMade(bounded(undefined, '2', '4'))).not.toHaveProperty('replicas')
  })

  it('what is not released stays at 0', async () => {
    expect(await k8sMade(bounded(3, '2', '4', {}))).toMatchObject({ replicas: 0 })
  })
})

describe('TS-M10 bounds that are new must be legal', () => {
  const MIN = 'metadata.annotations[tars.io/MinReplicas]'
  const MAX = 'metadata.annotations[tars.io/MaxReplicas]'
  const remedy = 'correct or remove the annotation (TS-V20)'
  const order = `422 Invalid: ${MIN}: must not be greater than tars.io/MaxReplicas, but 5 > 4; ${remedy}`
  const no = (path: string, value: string) => `${path}: must be an integer 0..99, not "${value}"; ${remedy}`

  it.each([
    { min: '5', max: '4', answer: order },
    { min: undefined, max: '007', answer: `422 Invalid: ${no(MAX, '007')}` },
    { min: undefined, max: '07', answer: `422 Invalid: ${no(MAX, '07')}` },
    { min: undefined, max: '100', answer: `422 Invalid: ${no(MAX, '100')}` },
    { min: '', max: undefined, answer: `422 Invalid: ${no(MIN, '')}` },
    { min: '-1', max: '1.5', answer: `422 Invalid: ${no(MIN, '-1')}; ${no(MAX, '1.5')}` },
    { min: '1\n', max: undefined, answer: `422 Invalid: ${no(MIN, '1\n')}` },
    { min: '0', max: '99', answer: 'allowed' },
    { min: '4', max: '4', answer: 'allowed' },
  ])('$min and $max: $answer', async ({ min, max, answer }) => {
    const answerTo = async (draft: Tree) => wordsOf(await mutated(creationOf(draft))).replace(/\nwarning: .*$/, '')
    expect(await answerTo(bounded(3, min, max))).toBe(answer)
    expect(await answerTo(bounded(3, min, max, {}))).toBe(answer) // without a release too
  })

  it.each([
    {
      name: 'one that stood there before is ignored',
      old: ['007', '4'],
      now: ['007', '4'],
      replicas: 4,
      answer: `allowed\nwarning: ${MIN}: must be an integer 0..99, not "007"; ignored (TS-M10)`,
    },
    {
      name: 'both that stood there before are ignored when they contradict each other',
      old: ['5', '4'],
      now: ['5', '4'],
      replicas: 9,
      answer: `allowed\nwarning: ${MIN}: must not be greater than tars.io/MaxReplicas, but 5 > 4; ignored (TS-M10)`,
    },
    { name: 'another one is refused', old: ['6', '4'], now: ['5', '4'], replicas: undefined, answer: order },
    {
      name: 'one beside an old one is refused',
      old: ['x', '4'],
      now: ['x', 'y'],
      replicas: undefined,
      answer: `422 Invalid: ${no(MAX, 'y')}`,
    },
    { name: 'one that is mended counts', old: ['x', '4'], now: ['1', '4'], replicas: 4, answer: 'allowed' },
  ])('$name', async ({ old, now, replicas, answer }) => {
    const answerTo = await mutated(updateOf(bounded(9, ...old), bounded(9, ...now)))
    expect(wordsOf(answerTo)).toBe(answer)
    if (replicas !== undefined) expect(answerTo.object).toMatchObject({ spec: { k8s: { replicas } } })
  })

  it.each([CTRL, 'system:kube-controller-manager'])('binds %s too', async (user) => {
    expect(wordsOf(await mutated(creationOf(bounded(1, '5', '4'), { user })))).toBe(order)
  })
})

describe('TS-M11 a release has its time', () => {
  it('in UTC and seconds, of the moment of admission', async () => {
    const { time: _, ...release } = aRelease()
    expect(await releaseMade(aDraft({ release }))).toMatchObject({ time: '2026-11-18T12:00:00Z' })
  })

  it('one that is there stays', async () => {
    expect(await releaseMade(aDraft({ release: aRelease() }))).toEqual(aRelease())
  })

  it('without a release there is none', async () => {
    expect(await releaseMade(aDraft())).toBeUndefined()
  })
})

describe('TS-M12 a release of a tars server names its node image', () => {
  const { nodeImage: _, ...release } = aRelease()
  const image = 'tarscloud/tars.tarsnode:v1'
  const config = aTFrameworkConfig({ nodeImage: { image, secret: 'pull' } })
  const refused =
    '422 Invalid: spec.release.nodeImage: not set and TFrameworkConfig demo/tars-framework has no nodeImage.image; ' +
    'set it, or create that TFrameworkConfig first (TS-V21)'

  it.each([
    { name: 'that of the framework, with its secret', given: {}, made: { nodeImage: image, nodeSecret: 'pull' } },
    { name: 'also for an empty one', given: { nodeImage: '' }, made: { nodeImage: image, nodeSecret: 'pull' } },
    { name: 'a secret of its own stays', given: { nodeSecret: 'own' }, made: { nodeImage: image, nodeSecret: 'own' } },
    { name: 'an empty secret is none', given: { nodeSecret: '' }, made: { nodeImage: image, nodeSecret: 'pull' } },
    { name: 'an image of its own stays, and brings no secret', given: { nodeImage: 'a' }, made: { nodeImage: 'a' } },
  ])('$name', async ({ given, made }) => {
    expect(await releaseMade(aDraft({ release: { ...release, ...given } }), config)).toEqual({ ...release, ...made })
  })

  it('a framework without a secret gives none', async () => {
    expect(await releaseMade(aDraft({ release }), aTFrameworkConfig())).toEqual({ ...release, nodeImage: image })
  })

  it.each([
    { name: 'no framework', there: [] },
    { name: 'a framework in another namespace', there: [aTFrameworkConfig({ namespace: 'prod' })] },
    { name: 'a framework of another name', there: [aTFrameworkConfig({ name: 'other' })] },
    { name: 'a framework without an image', there: [aTFrameworkConfig({ nodeImage: {} })] },
  ])('$name: refused in the words of TS-V21', async ({ there }) => {
    expect(wordsOf(await mutated(creationOf(aDraft({ release })), ...there))).toBe(refused)
  })

  const without = aTFrameworkConfig({ nodeImage: {} })
  it.each([
    { name: 'an image in the cache is enough', cached: [config], live: [], answer: 'allowed', reads: 0 },
    { name: 'a framework that the cache has not seen yet', cached: [], live: [config], answer: 'allowed', reads: 1 },
    { name: 'one that the cache knows as it was', cached: [without], live: [config], answer: 'allowed', reads: 1 },
    { name: 'one that is nowhere', cached: [], live: [], answer: refused, reads: 1 },
    { name: 'one that has no image', cached: [without], live: [without], answer: refused, reads: 1 },
    { name: 'one that is gone', cached: [without], live: [], answer: refused, reads: 1 },
  ])('what the cache does not have counts as the live cluster says (SV-7): $name', async ({ answer, ...there }) => {
    const [cached, live] = [readerOf(...there.cached), readerOf(...there.live)]
    const answerTo = await answered(MUTATING, creationOf(aDraft({ release })), { readers: { cached, live } })
    expect(wordsOf(answerTo)).toBe(answer)
    expect(live.reads).toHaveLength(there.reads)
    if (answer === 'allowed') expect(answerTo.object).toMatchObject({ spec: { release: { nodeImage: image } } })
  })

  it('an old server that has none may be edited otherwise (CV-8)', async () => {
    const old = aTServer({ release })
    expect(wordsOf(await mutated(updateOf(old, aTServer({ release, k8s: { replicas: 2 } }))))).toBe('allowed')
    expect(wordsOf(await mutated(updateOf(aTServer(), aTServer({ release }))))).toBe(refused)
  })

  it('nobody is asked where there is one, no release, or no tars', async () => {
    const cached = readerOf()
    for (const object of [aDraft({ release: aRelease() }), aDraft(), aNormalDraft({ release })])
      await answered(MUTATING, creationOf(object), { readers: { cached, live: cached } })
    expect(cached.reads).toEqual([])
  })
})

describe('TS-M13 any other server has no node image', () => {
  it('what an author gives is taken away', async () => {
    const { nodeImage: _, ...release } = aRelease()
    expect(await releaseMade(aNormalDraft({ release: aRelease({ nodeSecret: 'a' }) }))).toEqual(release)
  })

  it('a tars server keeps them', async () => {
    const release = aRelease({ nodeSecret: 'a' })
    expect(await releaseMade(aDraft({ release }))).toEqual(release)
  })
})
