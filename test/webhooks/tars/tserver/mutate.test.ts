import { describe, expect, it } from 'vitest'
import type { Profile } from '../../../../src/admission/change.ts'
import type { Built } from '../../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { answered, CTRL, labelsIn, MUTATING, patchIn, wordsOf } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aPort, aRelease, aServant, aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate, GOING } from '../../../support/builders/templates.ts'
import { admittingCluster } from '../../../support/clusters.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TSERVER)
const mutated = (body: unknown, ...there: readonly Built[]) =>
  answered(MUTATING, body, { readers: readersOf(...there) })

/** What becomes of an object on its way in, which must not change on another round. */
async function made(object: unknown, ...there: readonly Built[]): Promise<Tree> {
  const { object: once } = await mutated(creationOf(object), ...there)
  const again = await mutated(creationOf(once), ...there)
  expect(patchIn(again)).toBeUndefined()
  return isTree(once) ? once : {}
}
const partOf = (tree: Tree, ...steps: readonly string[]) =>
  steps.reduce<unknown>((part, step) => (isTree(part) ? part[step] : undefined), tree)
const k8sMade = async (object: unknown) => partOf(await made(object), 'spec', 'k8s')
const releaseMade = async (object: unknown, ...there: readonly Built[]) =>
  partOf(await made(object, ...there), 'spec', 'release')

/** As an author writes it. */
const aDraft = (spec: Tree = {}, metadata: Tree = {}): Tree => ({
  metadata: { name: 'demo-echo', ...metadata },
  spec: { app: 'Demo', server: 'Echo', subType: 'tars', tars: { template: 'base', servants: [] }, k8s: {}, ...spec },
})
const aNormalDraft = (spec: Tree = {}, metadata: Tree = {}): Tree => ({
  metadata: { name: 'demo-echo', ...metadata },
  spec: { app: 'Demo', server: 'Echo', subType: 'normal', normal: { ports: [] }, k8s: {}, ...spec },
})

const LABELS = {
  'tars.io/ServerApp': 'Demo',
  'tars.io/ServerName': 'Echo',
  'tars.io/SubType': 'tars',
  'tars.io/Template': 'base',
}
const NORMAL = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo', 'tars.io/SubType': 'normal' }

describe('TS-M1, TS-M2, TS-M3, TS-M4 a server carries what it is as labels', () => {
  it.each([
    { name: 'labels are absent', metadata: {} },
    { name: 'labels are null, which is absent (W-4)', metadata: { labels: null } },
    { name: 'labels are wrong', metadata: { labels: { ...LABELS, 'tars.io/ServerApp': 'x', 'tars.io/SubType': 'x' } } },
    { name: 'labels were removed by hand', metadata: { labels: { 'tars.io/ServerName': 'Echo' } } },
    { name: 'labels are right', metadata: { labels: LABELS } },
  ])('$name', async ({ metadata }) => {
    expect(labelsIn(await made(aDraft({}, metadata)))).toEqual(LABELS)
  })

  it('TS-M1 the map comes as one object (W-6)', async () => {
    const patch = patchIn(await mutated(creationOf(aDraft({ k8s: { replicas: 0, readinessGate: 'tars.io/active' } }))))
    expect(patch).toEqual([{ op: 'add', path: '/metadata/labels', value: LABELS }])
  })

  it.each([
    { id: 'TS-M1', key: 'tars.io~1ServerApp', spec: { app: 'Other' }, value: 'Other' },
    { id: 'TS-M2', key: 'tars.io~1ServerName', spec: { server: 'Other' }, value: 'Other' },
    { id: 'TS-M4', key: 'tars.io~1Template', spec: { tars: { template: 'other', servants: [] } }, value: 'other' },
  ])('$id a wrong one is overwritten alone', async ({ key, spec, value }) => {
    const k8s = { replicas: 0, readinessGate: 'tars.io/active' }
    const patch = patchIn(await mutated(creationOf(aDraft({ k8s, ...spec }, { labels: LABELS }))))
    expect(patch).toEqual([{ op: 'add', path: `/metadata/labels/${key}`, value }])
  })

  it('TS-M4 a server that is none of tars loses the label of a template', async () => {
    expect(labelsIn(await made(aNormalDraft({}, { labels: { 'tars.io/Template': 'base', team: 'a' } })))).toEqual({
      ...NORMAL,
      team: 'a',
    })
  })

  it.each([
    { name: 'there is none', labels: {} },
    { name: 'one was set by hand', labels: { ...LABELS, 'tars.io/Template': 'evil' } },
  ])('TS-M4 a template that fits into no label is left out, TS-V24 speaks of it: $name', async ({ labels }) => {
    const long = aDraft({ tars: { template: 't'.repeat(64), servants: [] } }, { labels })
    const { 'tars.io/Template': _, ...others } = LABELS
    expect(labelsIn(await made(long))).toEqual(others)
    expect(labelsIn((await mutated(updateOf(long, long))).object)).toEqual(others)
  })

  it('TS-M4 where subType and blocks do not agree, the block that is there decides', async () => {
    expect(labelsIn(await made(aNormalDraft({ subType: 'tars' })))).not.toHaveProperty('tars.io/Template')
    expect(labelsIn(await made(aDraft({ subType: 'normal' })))).toHaveProperty('tars.io/Template')
  })
})

describe('TS-M5 a tars server is ready when its node agent says so', () => {
  it.each([undefined, '', 'example.io/mine', 'tars.io/active'])('a gate of %s', async (readinessGate) => {
    const k8s = readinessGate === undefined ? {} : { readinessGate }
    expect(await k8sMade(aDraft({ k8s }))).toMatchObject({ readinessGate: 'tars.io/active' })
  })

  it('any other server keeps its own', async () => {
    expect(await k8sMade(aNormalDraft({ k8s: { readinessGate: 'a.io/b' } }))).toMatchObject({ readinessGate: 'a.io/b' })
    expect(await k8sMade(aNormalDraft())).not.toHaveProperty('readinessGate')
  })
})

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

describe('TS-M7 what would collide on one node is not stacked', () => {
  it.each([
    { name: 'hostPorts', k8s: { hostPorts: [{ nameRef: 'EchoObj', port: 9990 }] }, notStacked: true },
    { name: 'hostIPC', k8s: { hostIPC: true, notStacked: false }, notStacked: true },
    { name: 'an empty list of hostPorts', k8s: { hostPorts: [], notStacked: false }, notStacked: false },
    { name: 'hostNetwork alone', k8s: { hostNetwork: true, notStacked: false }, notStacked: false },
    { name: 'nothing of it', k8s: { notStacked: true }, notStacked: true },
  ])('$name', async ({ k8s, notStacked }) => {
    expect(await k8sMade(aDraft({ k8s }))).toMatchObject({ notStacked })
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

describe('TS-M14 any other server has a list of ports', () => {
  it.each([
    { name: 'an empty one where there is none', normal: {}, ports: [] },
    { name: 'its own where there is one', normal: { ports: [aPort()] }, ports: [aPort()] },
  ])('$name', async ({ normal, ports }) => {
    expect(partOf(await made(aNormalDraft({ normal })), 'spec', 'normal', 'ports')).toEqual(ports)
  })

  it('a tars server gets none', async () => {
    expect(partOf(await made(aDraft()), 'spec', 'normal')).toBeUndefined()
  })
})

describe('TS-M1…14 and what may arrive', () => {
  it('a server that is complete goes on unchanged', async () => {
    for (const server of [aTServer(), aTServer({ release: aRelease() }), aTServer({ normal: [aPort()] })]) {
      expect(patchIn(await mutated(creationOf(server)))).toBeUndefined()
      expect(patchIn(await mutated(updateOf(server, server)))).toBeUndefined()
    }
  })

  it.each([
    ['an object of nothing', {}],
    ['a spec of another type (W-4)', { metadata: { name: 'a' }, spec: 'x' }],
    ['tars of null', aDraft({ tars: null })],
    ['servants that are no list', aDraft({ tars: { template: 'a', servants: {} } })],
    ['a servant that is a text', aDraft({ tars: { template: 'a', servants: ['x'] } })],
    ['replicas in words', aDraft({ k8s: { replicas: 'three' } })],
    ['a release that is a text', aDraft({ release: 'r1' })],
  ])('%s goes on unchanged, for the schema to refuse', async (_, object) => {
    const answer = await mutated(creationOf(object))
    expect(answer.response).toMatchObject({ allowed: true })
    expect(answer.object).toEqual(object)
  })

  it.each([
    ['no spec.k8s', { app: 'Demo', server: 'Echo', subType: 'tars', tars: {} }],
    ['no blocks at all', { subType: 'tars', release: aRelease() }],
    ['a servant too many', { ...(aDraft().spec as object), tars: { servants: Array(65).fill(aServant()) } }],
  ])('%s is no trouble', async (_, spec) => {
    await made({ metadata: { name: 'a' }, spec })
  })

  describe('a status of another type, which the API server drops before its schema could refuse it (W-4)', () => {
    const status = { replicas: 'x', selector: {} }

    it('does not keep a new server from being completed', async () => {
      const wanted = { ...aDraft({ k8s: { replicas: 5 } }), status }
      expect(await made(wanted)).toEqual({ ...(await made(aDraft({ k8s: { replicas: 5 } }))), status })
      expect(labelsIn(await made(wanted))).toEqual(LABELS)
    })
    it('nor an update, whichever of the two has it', async () => {
      const bounds = { annotations: { 'tars.io/MaxReplicas': '4' } }
      const old = aTServer({ release: aRelease(), k8s: { replicas: 4 }, ...bounds })
      const wanted = aTServer({ release: aRelease(), k8s: { replicas: 50 }, ...bounds })
      for (const body of [updateOf(old, { ...wanted, status }), updateOf({ ...old, status }, wanted)])
        expect((await mutated(body)).object).toMatchObject({ spec: { k8s: { replicas: 4 } } })
    })
  })

  it('a server being deleted that loses its finalizers goes on unchanged (W-7)', async () => {
    const bare = { going: true, labels: {}, k8s: { replicas: 9 } } as const
    const body = updateOf(aTServer({ ...bare, finalizers: ['x'] }), aTServer(bare))
    expect(patchIn(await mutated(body))).toBeUndefined()
    expect(labelsIn((await mutated(updateOf(aTServer({ going: true }), aTServer(bare)))).object)).toEqual(LABELS)
  })

  it('an author who writes a deletionTimestamp does not stop the mutations (W-7)', async () => {
    const body = updateOf(aTServer(), aDraft({}, GOING))
    expect(labelsIn((await mutated(body)).object)).toEqual(LABELS)
  })

  it('a delete has no patch', async () => {
    expect(patchIn(await mutated(deletionOf(aTServer({ labels: {} }))))).toBeUndefined()
  })

  it('a dry run makes the same (W-9)', async () => {
    const { nodeImage: _, time: __, ...release } = aRelease()
    const object = aDraft({ release, k8s: { hostIPC: true } }, { annotations: { 'tars.io/MinReplicas': '2' } })
    const answer = (sent: Sent) => mutated(creationOf(object, sent), aTFrameworkConfig())
    expect(patchIn(await answer({ dryRun: true }))).toEqual(patchIn(await answer({})))
  })

  it.each(['seed', 'upstream'] satisfies Profile[])('the profile %s makes the same', async (profile) => {
    const { object } = await answered(MUTATING, creationOf(aDraft()), { profile })
    expect(object).toEqual(await made(aDraft()))
  })

  it('other keys stand in any order', async () => {
    const turned = Object.fromEntries(Object.entries(aDraft()).reverse())
    expect(await made(turned)).toEqual(await made(aDraft()))
  })
})
