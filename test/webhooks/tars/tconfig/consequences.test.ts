import { describe, expect, it } from 'vitest'
import type { Intent } from '../../../../src/admission/consequence.ts'
import type { MemoryCluster } from '../../../../src/cluster/memory/memory-cluster.ts'
import type { Built, ClusterReader, Readers } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import { carryOutWith } from '../../../../src/reconcile/apply.ts'
import { isTree } from '../../../../src/schema.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { answered, CTRL, NAMESPACE_CONTROLLER, VALIDATING, WEBHOOK, wordsOf } from '../../../support/answerer-parts.ts'
import {
  aDraftOfTConfig,
  aTConfig,
  type ConfigWishes,
  DEACTIVATING,
  DELETING,
} from '../../../support/builders/configs.ts'
import { admittingCluster } from '../../../support/clusters.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
const NOW = '2026-11-18T12:00:00.000Z'

const judged = (body: unknown, ...there: readonly Built[]) =>
  answered(VALIDATING, body, { readers: readersOf(...there) })
const named = ({ verdict: { intents } }: { verdict: { intents: readonly Intent[] } }) =>
  intents.map(({ action }) => action.ref.name)
const other = (wishes: ConfigWishes = {}) => aTConfig({ name: 'old', ...wishes })
const off = aTConfig({ activated: false })

describe('TC-S1 an activation marks what was in force', () => {
  const DEACTIVATES = 'allowed\nwarning: deactivates TConfig old'

  it.each([
    { name: 'a new version in force', body: creationOf(aTConfig()) },
    { name: 'a return to an old one', body: updateOf(off, aTConfig()) },
    { name: 'a return by our controller', body: updateOf(off, aTConfig(), { user: CTRL }) },
  ])('$name', async ({ body }) => {
    const answer = await judged(body, other())
    expect(wordsOf(answer)).toBe(DEACTIVATES)
    expect(answer.verdict.intents).toEqual([
      {
        action: {
          do: 'merge',
          of: TCONFIG,
          ref: { namespace: 'demo', name: 'old' },
          expects: { uid: 'uid-of-old', resourceVersion: '7' },
          patch: {
            metadata: {
              labels: { 'tars.io/Deactivate': 'Deactivating', 'tars.io/Deactivating': '' },
              annotations: { 'tars.io/MarkedAt': NOW, 'tars.io/MarkedBy': 'v1' },
            },
          },
          because: 'TC-S1',
        },
        again: expect.any(Function),
        rule: 'TC-S1',
      },
    ])
  })

  it.each([
    { name: 'a new version out of force', body: creationOf(off) },
    { name: 'an edit of what is in force', body: updateOf(aTConfig(), aTConfig({ annotations: { note: 'x' } })) },
    { name: 'an edit of what is out of force', body: updateOf(off, off) },
    { name: 'a deactivation', body: updateOf(aTConfig(), off, { user: CTRL }) },
    { name: 'what is refused', body: updateOf(off, aTConfig({ content: 'b=2' })) },
    {
      name: 'one being deleted',
      body: updateOf(aTConfig({ going: true, activated: false }), aTConfig({ going: true })),
    },
  ])('$name marks nothing, and asks nobody', async ({ body }) => {
    const readers = readersOf(other())
    const answer = await answered(VALIDATING, body, { readers })
    expect(named(answer)).toEqual([])
    expect(readers).toMatchObject({ cached: { reads: [] }, live: { reads: [] } })
  })

  it('an edit marks nothing where the old object is of another shape, since it is unknown whether it activates (CV-8)', async () => {
    const answer = await judged(updateOf({ ...aTConfig(), activated: 'yes' }, aTConfig()), other())
    expect(answer.verdict).toMatchObject({ violations: [], unfit: 'oldObject', intents: [] })
  })

  it.each([
    { name: 'out of force', there: other({ activated: false }) },
    { name: 'marked already', there: other({ labels: DEACTIVATING }) },
    { name: 'marked by hand, with one label', there: other({ labels: { 'tars.io/Deactivating': '' } }) },
    { name: 'marked to be deleted', there: other({ labels: DELETING }) },
    { name: 'waiting for its finalizers', there: other({ going: true }) },
    { name: 'in another namespace', there: other({ namespace: 'prod' }) },
    { name: 'of another app', there: other({ app: 'Shop' }) },
    { name: 'of another server', there: other({ server: 'Cart' }) },
    { name: 'of the whole application', there: other({ server: '' }) },
    { name: 'of another file', there: other({ configName: 'x' }) },
    { name: 'for one pod', there: other({ podSeq: '3' }) },
    { name: 'of other fields than its labels', there: { ...other(), app: 'Shop' } },
    { name: 'of another podSeq than its label', there: { ...other(), podSeq: '3' } },
    { name: 'the very same object', there: aTConfig() },
  ])('one that is $name is left alone', async ({ there }) => {
    const answer = await judged(creationOf(aTConfig()), there)
    expect(wordsOf(answer)).toBe('allowed')
    expect(named(answer)).toEqual([])
  })

  it('for single pods it is their ordinal that counts, for whole applications the empty server', async () => {
    const node = (name: string, podSeq: string) => aTConfig({ name, podSeq })
    const nodes = [aTConfig({ name: 'master' }), node('three', '3'), node('four', '4')]
    expect(named(await judged(creationOf(node('new', '3')), ...nodes))).toEqual(['three'])
    const wide = (name: string) => aTConfig({ name, server: '' })
    expect(named(await judged(creationOf(wide('new')), wide('old'), other({ name: 'echo' })))).toEqual(['old'])
  })
})

it('TC-S1 under --enforce warn marks for what would be refused, too (UX-3): it comes into force', async () => {
  const readers = readersOf(other({ podSeq: '3' }))
  const answer = await answered(VALIDATING, creationOf(aTConfig({ podSeq: '3' })), { readers, enforce: 'warn' })
  const [decision, ...warnings] = wordsOf(answer).split('\n')
  expect(decision).toBe('allowed')
  expect(warnings).toEqual([
    expect.stringMatching(/^warning: would be refused: podSeq: .* \(TC-V12\)$/),
    'warning: deactivates TConfig old',
  ])
  expect(named(answer)).toEqual(['old'])
})

describe('TC-S5 whatever number of versions is in force, an activation goes on', () => {
  it.each([
    { names: [], warning: '' },
    { names: ['a'], warning: 'a' },
    { names: ['a', 'b', 'c'], warning: 'a, b, c' },
    { names: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], warning: 'a, b, c, d, e and 2 more' },
  ])('$names', async ({ names, warning }) => {
    const answer = await judged(creationOf(aTConfig()), ...names.map((name) => other({ name })).reverse())
    expect(named(answer).sort()).toEqual(names)
    expect(wordsOf(answer)).toBe(warning === '' ? 'allowed' : `allowed\nwarning: deactivates TConfig ${warning}`)
  })
})

describe('TC-S2 the deletion of what is in force marks its history', () => {
  const history = [other({ name: 'a', activated: false }), other({ name: 'b', activated: false })]
  const removes = (count: number) =>
    `allowed\nwarning: removes ${count} versions, this one with its whole history, and there is no way back: Demo.Echo/echo.conf`

  it('and says how many versions go, this one among them, and that nothing is left to return to', async () => {
    const answer = await judged(deletionOf(aTConfig()), aTConfig(), ...history)
    expect(wordsOf(answer)).toBe(removes(3))
    expect(named(answer)).toEqual(['a', 'b'])
    expect(answer.verdict.intents[0]?.action).toMatchObject({
      expects: { uid: 'uid-of-a', resourceVersion: '7' },
      patch: {
        metadata: {
          labels: { 'tars.io/Deleting': '' },
          annotations: { 'tars.io/MarkedAt': NOW, 'tars.io/MarkedBy': 'v1', 'tars.io/MarkedByUid': 'uid-of-v1' },
        },
      },
      because: 'TC-S2',
    })
  })

  it('of a version without history it says so too', async () => {
    const wide = aTConfig({ server: '' })
    expect(wordsOf(await judged(deletionOf(wide), wide))).toBe(
      'allowed\nwarning: removes 1 version, the only one, and there is no way back: Demo/echo.conf',
    )
  })

  it.each([
    { name: 'others in force among them (TC-S5)', there: [...history, other({ name: 'c' })], marked: ['a', 'b', 'c'] },
    { name: 'and what is about to be deactivated', there: [other({ labels: DEACTIVATING })], marked: ['old'] },
  ])('all of them: $name', async ({ there, marked }) => {
    const answer = await judged(deletionOf(aTConfig()), aTConfig(), ...there)
    expect(named(answer)).toEqual(marked)
    expect(wordsOf(answer)).toBe(removes(marked.length + 1))
  })

  it('what is marked already goes too, but is neither read nor marked again', async () => {
    const live = readerOf(aTConfig(), ...history, other({ labels: DELETING }))
    const answer = await answered(VALIDATING, deletionOf(aTConfig()), { readers: { cached: UNREACHABLE, live } })
    expect(named(answer)).toEqual(['a', 'b'])
    expect(wordsOf(answer)).toBe(removes(4))
    expect(live.reads.filter((read) => read.startsWith('get'))).toEqual(['get TConfig demo/a', 'get TConfig demo/b'])
  })

  it.each([
    { name: 'waiting for its finalizers', there: other({ going: true }) },
    { name: 'in another namespace', there: other({ namespace: 'prod' }) },
    { name: 'of another server', there: other({ server: 'Cart' }) },
    { name: 'of another file', there: other({ configName: 'x' }) },
    { name: 'of another app than its label', there: { ...other(), app: 'Shop' } },
    { name: 'of another podSeq than its label', there: { ...other(), podSeq: '3' } },
  ])('one that is $name is left alone, and not counted', async ({ there }) => {
    const answer = await judged(deletionOf(aTConfig()), aTConfig(), there)
    expect(named(answer)).toEqual([])
    expect(wordsOf(answer)).toMatch('removes 1 version')
  })

  it('of however large versions: they are listed by their metadata, and few are read at once', async () => {
    const large = Array.from({ length: 100 }, (_, i) => aTConfig({ name: `old-${i}`, activated: false }))
    const live = readerOf(aTConfig(), ...large)
    let [underWay, most] = [0, 0]
    const counting: ClusterReader = {
      ...live,
      async get(of, ref) {
        most = Math.max(most, ++underWay)
        return live.get(of, ref).finally(() => --underWay)
      },
    }
    const answer = await answered(VALIDATING, deletionOf(aTConfig()), {
      readers: { cached: UNREACHABLE, live: counting },
    })
    expect(named(answer)).toHaveLength(100)
    expect(most).toBe(8)
    const lists = live.reads.filter((read) => read.startsWith('list'))
    expect(lists).toEqual(lists.map(() => expect.stringMatching(/^list TConfig .* metadata$/)))
  })

  it('for single pods: only the versions of that very ordinal (D-8)', async () => {
    const node = (name: string, podSeq: string, activated = false) => aTConfig({ name, podSeq, activated })
    const there = [aTConfig({ name: 'master' }), node('a', '3'), node('b', '4')]
    expect(named(await judged(deletionOf(node('c', '3', true)), node('c', '3', true), ...there))).toEqual(['a'])
  })

  it.each([
    { name: 'out of force', old: off },
    { name: 'about to be deactivated', old: aTConfig({ labels: DEACTIVATING }) },
    { name: 'marked to be deleted', old: aTConfig({ labels: DELETING }) },
    { name: 'waiting for its finalizers: what was created since is not of it', old: aTConfig({ going: true }) },
  ])('one that is $name goes alone', async ({ old }) => {
    const answer = await judged(deletionOf(old), old, ...history)
    expect(wordsOf(answer)).toBe('allowed')
    expect(named(answer)).toEqual([])
  })

  it.each([
    { name: 'is out of force since, for a newer one was activated', there: [aTConfig({ labels: DEACTIVATING })] },
    { name: 'is gone since', there: [] },
  ])('one that $name, goes alone: what came into force meanwhile stays', async ({ there }) => {
    const answer = await judged(deletionOf(aTConfig()), ...there, ...history, other())
    expect(wordsOf(answer)).toBe('allowed')
    expect(named(answer)).toEqual([])
  })

  it('what was activated since the list is not marked in its new version, but decided again', async () => {
    const stored = other({ activated: false })
    const activated = { ...other(), metadata: { ...other().metadata, resourceVersion: '8' } }
    const live: ClusterReader = { ...readerOf(aTConfig(), stored), get: readerOf(activated).get }
    const answer = await answered(VALIDATING, deletionOf(aTConfig()), { readers: { cached: UNREACHABLE, live } })
    const { expects } = answer.verdict.intents[0]?.action ?? {}
    expect(expects).toEqual({ uid: 'uid-of-old', resourceVersion: '7' })
  })

  it.each([CTRL, WEBHOOK, NAMESPACE_CONTROLLER])('%s deletes one at a time', async (user) => {
    const answer = await judged(deletionOf(aTConfig(), { user }), aTConfig(), ...history)
    expect(wordsOf(answer)).toBe('allowed')
    expect(named(answer)).toEqual([])
  })

  it.each(['ann', 'system:serviceaccount:demo:namespace-controller'])('%s is warned', async (user) => {
    expect(wordsOf(await judged(deletionOf(aTConfig(), { user }), aTConfig(), ...history))).toBe(removes(3))
  })

  it('what is refused marks nothing', async () => {
    const answer = await judged(deletionOf(aTConfig()), aTConfig(), ...history, other({ podSeq: '3' }))
    expect(wordsOf(answer)).toMatch(/^403 .*\(TC-V13\)$/)
    expect(named(answer)).toEqual([])
  })
})

describe('TC-S1, TC-S2 in a dry run (W-9)', () => {
  const meta = ({ apiVersion, kind, metadata }: Built): Built => ({ apiVersion, kind, metadata })
  const cached = readerOf(
    ...[aTConfig(), aTConfig({ server: '' }), other(), other({ name: 'a', activated: false })].map(meta),
  )
  const dry = (body: unknown, readers: Readers) => answered(VALIDATING, body, { readers, carryOut: fail })
  const fail = () => Promise.reject(new Error('something was written'))

  it('warn by what the cache knows, which is metadata, and write nothing', async () => {
    const readers = { cached, live: UNREACHABLE }
    const activation = await dry(creationOf(aTConfig(), { dryRun: true }), readers)
    expect(wordsOf(activation)).toBe('allowed\nwarning: deactivates TConfig old')
    const rollback = await dry(updateOf(off, aTConfig(), { dryRun: true }), readers)
    expect(wordsOf(rollback)).toBe('allowed\nwarning: deactivates TConfig old')
    expect([named(activation), named(rollback)]).toEqual([[], []])
    const deletion = await dry(deletionOf(aTConfig({ server: '' }), { dryRun: true }), { cached, live: readerOf() })
    expect(wordsOf(deletion)).toMatch('removes 1 version')
    const whole = await dry(deletionOf(aTConfig(), { dryRun: true }), { cached, live: readerOf() })
    expect(wordsOf(whole)).toMatch('removes 3 versions')
    expect(named(whole)).toEqual([])
  })

  it('go without the warning where it cannot be looked up', async () => {
    const answer = await dry(creationOf(aTConfig(), { dryRun: true }), { cached: UNREACHABLE, live: UNREACHABLE })
    expect(wordsOf(answer)).toBe('allowed')
  })

  it('for real ask the live cluster, and wait when it does not answer', async () => {
    const seen = await answered(VALIDATING, creationOf(aTConfig()), { readers: { cached, live: readerOf() } })
    expect(wordsOf(seen)).toBe('allowed')
    const waits = await answered(VALIDATING, creationOf(aTConfig()), { readers: { cached, live: UNREACHABLE } })
    expect(wordsOf(waits)).toMatch(/^503 ServiceUnavailable: cannot decide now: the cluster is out of reach; /)
  })
})

describe('TC-S3 a mark that cannot be set', () => {
  it('leaves the request without an answer, and the author reads which one', async () => {
    const carryOut = carryOutWith({ merge: () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'it is away')) })
    const answer = await answered(VALIDATING, creationOf(aTConfig()), { readers: readersOf(other()), carryOut })
    expect(answer.response.status).toMatchObject({
      code: 503,
      reason: 'ServiceUnavailable',
      message:
        'cannot decide now: cannot mark old: it is away; nothing is wrong with the object, try again. [ref 29d991ef]',
      details: { retryAfterSeconds: 1 },
    })
  })
})

describe('TC-S3 a mark in conflict is decided anew', () => {
  const again = async (body: unknown, before: Built, ...now: readonly Built[]) => {
    const { verdict } = await judged(body, aTConfig(), before)
    return verdict.intents[0]?.again(readerOf(...now))
  }
  const rewritten = (wishes: ConfigWishes = {}) => {
    const { metadata, ...rest } = other(wishes)
    return { ...rest, metadata: { ...metadata, resourceVersion: '8' } }
  }
  const another = (stored: Built) => ({ ...stored, metadata: { ...stored.metadata, uid: 'another' } })
  const activation = creationOf(aTConfig())

  it('with the version that is stored now', async () => {
    const anew = await again(activation, other(), rewritten())
    expect(anew?.action).toMatchObject({
      ref: { namespace: 'demo', name: 'old' },
      expects: { uid: 'uid-of-old', resourceVersion: '8' },
      patch: { metadata: { labels: DEACTIVATING } },
    })
  })

  it.each([
    { name: 'gone', now: [] },
    { name: 'another one of the same name', now: [another(rewritten())] },
    { name: 'out of force', now: [rewritten({ activated: false })] },
    { name: 'marked by somebody else', now: [rewritten({ labels: DEACTIVATING })] },
    { name: 'waiting for its finalizers', now: [rewritten({ going: true })] },
    { name: 'of another server now', now: [rewritten({ server: 'Cart' })] },
  ])('TC-S1: $name, it needs none', async ({ now }) => {
    expect(await again(activation, other(), ...now)).toBeUndefined()
  })

  const deletion = deletionOf(aTConfig())
  const old = other({ activated: false })
  it.each([
    { name: 'still there', now: [aTConfig(), rewritten({ activated: false })], marked: true },
    { name: 'gone', now: [aTConfig()], marked: false },
    { name: 'another one of the same name', now: [aTConfig(), another(rewritten())], marked: false },
    { name: 'marked by somebody else', now: [aTConfig(), rewritten({ labels: DELETING })], marked: false },
    { name: 'waiting for its finalizers', now: [aTConfig(), rewritten({ going: true })], marked: false },
    {
      name: 'of another server now',
      now: [aTConfig(), rewritten({ server: 'Cart', activated: false })],
      marked: false,
    },
    {
      name: 'in force again, which puts the one that is deleted out of force: its history stays',
      now: [aTConfig({ labels: DEACTIVATING }), rewritten()],
      marked: false,
    },
    { name: 'still there, and the one that is deleted is gone', now: [rewritten({ activated: false })], marked: false },
  ])('TC-S2: $name', async ({ now, marked }) => {
    const anew = await again(deletion, old, ...now)
    expect(anew?.action.expects.resourceVersion).toBe(marked ? '8' : undefined)
  })
})

describe('TC-S4 what the webhook writes itself', () => {
  const marked = other({ labels: DEACTIVATING, annotations: { 'tars.io/MarkedBy': 'v1' } })
  it.each([
    { name: 'a mark', body: updateOf(other(), marked, { user: WEBHOOK }) },
    { name: 'a mark on one that is marked', body: updateOf(other({ labels: DELETING }), marked, { user: WEBHOOK }) },
  ])('passes where it comes by: $name', async ({ body }) => {
    const answer = await judged(body, aTConfig(), other({ name: 'third' }))
    expect(wordsOf(answer)).toBe('allowed')
    expect(named(answer)).toEqual([])
  })
})

describe('on a cluster with its webhooks in place', () => {
  const at = (name: string) => ({ namespace: 'demo', name })
  const bring = async (cluster: MemoryCluster, name: string, more: Readonly<Record<string, string>> = {}) =>
    cluster.create(TCONFIG, aDraftOfTConfig({ name, ...more }), { user: 'ann' })
  const marksOf = async (cluster: MemoryCluster, name: string) => {
    const { labels, annotations } = (await cluster.get(TCONFIG, at(name)))?.metadata ?? {}
    const marks = Object.entries(labels ?? {}).filter(([key]) => /Deactivat(e|ing)$|Deleting$/.test(key))
    return { ...Object.fromEntries(marks), by: annotations?.['tars.io/MarkedBy'] }
  }
  const back = (cluster: MemoryCluster, name: string, options: object = {}) =>
    cluster.merge(TCONFIG, at(name), { activated: true }, { user: 'ann', ...options })
  const deactivated = (cluster: MemoryCluster, name: string) => {
    const metadata = {
      labels: { 'tars.io/Deactivate': null, 'tars.io/Deactivating': null },
      annotations: { 'tars.io/MarkedAt': null, 'tars.io/MarkedBy': null },
    }
    return cluster.merge(TCONFIG, at(name), { activated: false, metadata }, { user: CTRL })
  }
  const refusal = (write: Promise<unknown>) =>
    write.then(
      () => 'taken',
      (cause: unknown) => (cause instanceof Error ? cause.message : cause),
    )

  it('TC-S1 the second version marks the first, which keeps what it has (TC-S6)', async () => {
    const cluster = admittingCluster()
    const before = await bring(cluster, 'v1')
    await bring(cluster, 'v2', { configContent: 'a=2' })
    expect(await marksOf(cluster, 'v1')).toEqual({ ...DEACTIVATING, by: 'v2' })
    expect(await marksOf(cluster, 'v2')).toEqual({ by: undefined })
    const after = await cluster.get(TCONFIG, at('v1'))
    const { metadata: _, ...rest } = before
    expect(after).toMatchObject({ ...rest, activated: true, configContent: 'a=1' })
    expect(after?.metadata.labels).toMatchObject({ 'tars.io/Activated': 'true' })
    expect(after?.metadata.annotations).toMatchObject({ 'tars.io/MarkedAt': NOW, 'tars.io/ActivatedBy': 'ann' })
  })

  it('TC-S1 a request that is refused later has lost nothing (TC-S6)', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    expect(await refusal(bring(cluster, 'v2'))).toMatch('already exists')
    expect(await cluster.get(TCONFIG, at('v1'))).toMatchObject({ activated: true, configContent: 'a=1' })
  })

  it('TC-S1 a rollback: the old version comes back, and the newer one is marked', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await deactivated(cluster, 'v1')
    expect(await marksOf(cluster, 'v1')).toEqual({ by: undefined })
    const warnings: string[] = []
    await back(cluster, 'v1', { warn: (warning: string) => warnings.push(warning), user: 'bob' })
    expect(warnings).toEqual(['deactivates TConfig v2'])
    expect(await marksOf(cluster, 'v2')).toEqual({ ...DEACTIVATING, by: 'v1' })
    const { metadata } = (await cluster.get(TCONFIG, at('v1'))) ?? {}
    expect(metadata?.labels).toMatchObject({ 'tars.io/Activated': 'true' })
    expect(metadata?.annotations).toMatchObject({ 'tars.io/ActivatedBy': 'bob' })
  })

  it('TC-S2 the deletion of the version in force marks the others, and they keep what they have (TC-S6)', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await deactivated(cluster, 'v1')
    const warnings: string[] = []
    await cluster.remove(TCONFIG, at('v2'), { user: 'ann', warn: (warning) => warnings.push(warning) })
    expect(warnings).toEqual([expect.stringMatching(/^removes 2 versions/)])
    expect(await marksOf(cluster, 'v1')).toEqual({ ...DELETING, by: 'v2' })
    expect(await cluster.get(TCONFIG, at('v1'))).toMatchObject({ activated: false, configContent: 'a=1' })
    expect(await refusal(back(cluster, 'v1'))).toMatch('this TConfig is being deleted; create a new one (TC-V9)')
  })

  it('TC-S1 a version that comes after such a deletion is not of that history', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await cluster.remove(TCONFIG, at('v1'), { user: 'ann' })
    await bring(cluster, 'v2')
    expect(await marksOf(cluster, 'v2')).toEqual({ by: undefined })
  })

  it('TC-V13 a master with variants stays, and nothing is marked', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await bring(cluster, 'pod', { podSeq: '0' })
    const before = await marksOf(cluster, 'v1')
    expect(await refusal(cluster.remove(TCONFIG, at('v2'), { user: 'ann' }))).toMatch(
      'metadata.name: TConfig demo/v2: in use by node-level configuration pod; delete what is for single pods first, then repeat (TC-V13)',
    )
    expect(await marksOf(cluster, 'v1')).toEqual(before)
    await cluster.remove(TCONFIG, at('pod'), { user: 'ann' })
    await cluster.remove(TCONFIG, at('v2'), { user: 'ann' })
    expect(await marksOf(cluster, 'v1')).toMatchObject({ ...DELETING, by: 'v2' })
  })

  it('W-9 dry runs say what would follow, and write nothing', async () => {
    const cluster = admittingCluster()
    await bring(cluster, 'v1')
    await bring(cluster, 'v2')
    await deactivated(cluster, 'v1')
    const stored = async () => JSON.stringify(await cluster.list(TCONFIG, { namespace: 'demo' }))
    const before = await stored()
    const warnings: string[] = []
    const dry = { user: 'ann', dryRun: true, warn: (warning: string) => warnings.push(warning) }
    await cluster.create(TCONFIG, aDraftOfTConfig({ name: 'v3' }), dry)
    await back(cluster, 'v1', dry)
    await cluster.remove(TCONFIG, at('v2'), dry)
    expect(warnings).toEqual([
      'deactivates TConfig v2',
      'deactivates TConfig v2',
      expect.stringMatching(/^removes 2 versions/),
    ])
    expect(await stored()).toBe(before)
  })

  it.each([{ user: 'ann' } satisfies Sent, { user: CTRL } satisfies Sent])(
    'TC-M10 what is marked cannot be unmarked by $user unless it is ours',
    async ({ user }) => {
      const cluster = admittingCluster()
      await bring(cluster, 'v1')
      await bring(cluster, 'v2')
      const labels = { 'tars.io/Deactivate': null, 'tars.io/Deactivating': null }
      await cluster.merge(TCONFIG, at('v1'), { metadata: { labels } }, { user })
      const marks = await marksOf(cluster, 'v1')
      expect(isTree(marks) && 'tars.io/Deactivating' in marks).toBe(user === 'ann')
    },
  )

  it('versions that are generated one after the other differ in name and in version', async () => {
    const cluster = admittingCluster()
    const { metadata: _, ...draft } = aDraftOfTConfig()
    const generated = { ...draft, metadata: { generateName: 'v-', namespace: 'demo' } }
    const one = await cluster.create(TCONFIG, generated, { user: 'ann' })
    const two = await cluster.create(TCONFIG, generated, { user: 'ann' })
    expect(one.version).not.toBe(two.version)
    expect(await marksOf(cluster, one.metadata.name)).toEqual({ ...DEACTIVATING, by: two.metadata.name })
  })
})
