import { describe, expect, it } from 'vitest'
import type { Built, Readers } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import { carryOutWith } from '../../../../src/reconcile/apply.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { answered, CTRL, VALIDATING, WEBHOOK, wordsOf } from '../../../support/answerer-parts.ts'
import { aTConfig, type ConfigWishes, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { another, creationOf, deletionOf, judged, NOW, named, off, other, updateOf } from './judged.ts'

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
    {
      name: 'still there, and the one that is deleted is out of force',
      now: [off, rewritten({ activated: false })],
      marked: false,
    },
    {
      name: 'still there, and another one has the name of the one that is deleted',
      now: [another(aTConfig()), rewritten({ activated: false })],
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
