import { describe, expect, it } from 'vitest'
import { keptFor } from '../../../../src/cluster/kept.ts'
import { needsOf } from '../../../../src/cluster/needs.ts'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Index } from '../../../../src/reconcile/controller.ts'
import { tconfigController } from '../../../../webhooks/tars/tconfig/reconcile.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig, type ConfigWishes, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { admittingCluster, NOW } from '../../../support/clusters.ts'
import { turnsOf } from '../../../support/turns.ts'

const AT = new Date(NOW)
const LATER = new Date(AT.getTime() + 30_000)
const KEY = { namespace: 'demo', name: 'echo.conf', group: ['Demo', 'Echo', 'm'] }
const NODE_KEY = { ...KEY, group: ['Demo', 'Echo', '3'] }
const MARKED_AT = { 'tars.io/MarkedAt': NOW }

/** Turns of one key on what is there, with admission in place, and what is there then: `v1`, `-v1` out of force, `*v1` marked. */
async function settled(there: readonly Built[], { key = KEY, at = AT } = {}) {
  const cluster = admittingCluster(...there)
  const turn = turnsOf('tconfig', cluster)
  const first = await turn(key, at)
  const second = await turn(key, at)
  const third = await turn(key, at)
  expect([third?.actions ?? [], third?.results ?? []]).toEqual([[], []])
  const turns = [first, second].filter((each) => each !== undefined)
  return {
    configs: (await cluster.list(TCONFIG, { namespace: 'demo' })).map(shortly).sort(),
    outcomes: turns.flatMap(({ results }) => results.map(({ outcome }) => outcome)),
    reasons: turns.flatMap(({ notices }) => notices.map(({ reason }) => reason)),
    againInMs: third?.againInMs,
  }
}
function shortly({ metadata: { name, labels }, activated }: Built): string {
  const isMarked = Object.keys(labels ?? {}).some((label) => /Deactivat(e|ing)$|Deleting$/.test(label))
  expect(labels?.['tars.io/Activated']).toBe(String(activated))
  return `${activated ? '' : '-'}${isMarked ? '*' : ''}${name}`
}
const marked = (name: string, labels: object, annotations = {}, more: ConfigWishes = {}) =>
  aTConfig({ name, labels: { ...labels }, annotations, ...more })
const history = (count: number, more: ConfigWishes = {}) =>
  Array.from({ length: count }, (_, i) =>
    aTConfig({ name: `h${i}`, activated: false, version: `2026010100000${i % 10}-1`, ...more }),
  )

describe('admission lets the controller do', () => {
  const since = (by: string) => ({ ...MARKED_AT, 'tars.io/MarkedBy': by })
  it.each([
    {
      rule: 'TC-R1 a deactivation',
      there: [marked('v1', DEACTIVATING, since('v2')), aTConfig({ name: 'v2' })],
      at: AT,
      configs: ['-v1', 'v2'],
      reasons: [],
    },
    {
      rule: 'TC-R1 what waits',
      there: [marked('v1', DEACTIVATING, since('v2'))],
      at: AT,
      configs: ['*v1'],
      reasons: [],
      againInMs: 30_000,
    },
    {
      rule: 'TC-R1 its cancellation',
      there: [marked('v1', DEACTIVATING, since('v2'))],
      at: LATER,
      configs: ['v1'],
      reasons: ['DeactivateCancelled'],
    },
    {
      rule: 'TC-R2 a deletion',
      there: [marked('v1', DELETING, since('gone')), aTConfig({ name: 'v2' })],
      at: AT,
      configs: ['v2'],
      reasons: [],
    },
    {
      rule: 'TC-R2 a master with versions for single pods',
      there: [marked('v1', DELETING), aTConfig({ name: 'p', podSeq: '3' })],
      at: AT,
      configs: ['p'],
      reasons: [],
    },
    {
      rule: 'TC-R2 what waits',
      there: [marked('v1', DELETING, since('v2')), aTConfig({ name: 'v2' })],
      at: AT,
      configs: ['*v1', 'v2'],
      reasons: [],
      againInMs: 30_000,
    },
    {
      rule: 'TC-R2 its cancellation',
      there: [marked('v1', DELETING, since('v2'), { activated: false }), aTConfig({ name: 'v2' })],
      at: LATER,
      configs: ['-v1', 'v2'],
      reasons: ['DeleteCancelled'],
    },
    {
      rule: 'TC-R3 to end all but one',
      there: [aTConfig({ name: 'a' }), aTConfig({ name: 'b' }), aTConfig({ name: 'c' })],
      at: AT,
      configs: ['-a', '-b', 'c'],
      reasons: [],
    },
    {
      rule: 'U-5 to end both of two that are marked, but one',
      there: [marked('a', DEACTIVATING, MARKED_AT), marked('b', DEACTIVATING, MARKED_AT)],
      at: LATER,
      configs: ['-a', 'b'],
      reasons: ['DeactivateCancelled'],
    },
  ])('$rule', async ({ there, at, configs, reasons, againInMs }) => {
    const found = await settled(there, { at })
    expect(found).toMatchObject({ configs, reasons })
    expect(found.againInMs).toBe(againInMs)
    expect(new Set(found.outcomes)).toEqual(new Set(found.outcomes.length === 0 ? [] : ['done']))
  })
})

describe('TC-R4 the history is as long as TFrameworkConfig says (U-6)', () => {
  const limited = (tconfigHistory: number) => aTFrameworkConfig({ recordLimit: { tconfigHistory } })
  it.each([
    { name: '10 where there is none', there: history(12), stays: 10 },
    { name: '48 where it does not say', there: [...history(50), aTFrameworkConfig({ recordLimit: {} })], stays: 48 },
    { name: 'as many as it says', there: [...history(50), limited(20)], stays: 20 },
    { name: 'never below 10, whatever is stored', there: [...history(12), limited(-1)], stays: 10 },
    { name: 'never above 100, whatever is stored', there: [...history(110), limited(1e9)], stays: 100 },
    { name: 'of that namespace', there: [...history(12), aTFrameworkConfig({ namespace: 'other' })], stays: 10 },
  ])('$name', async ({ there, stays }) => {
    const { configs } = await settled([aTConfig({ name: 'now', version: '20250101000000-1' }), ...there])
    expect(configs).toHaveLength(stays + 1)
    expect(configs).toContain('now')
  })
})

describe('TC-R5 a version for single pods', () => {
  const node = aTConfig({ name: 'p', podSeq: '3' })
  it.each([
    { name: 'without any master is an orphan', there: [node], reasons: ['OrphanNodeConfig'] },
    {
      name: 'out of force too',
      there: [aTConfig({ name: 'p', podSeq: '3', activated: false })],
      reasons: ['OrphanNodeConfig'],
    },
    {
      name: 'whose master is out of force is an orphan',
      there: [node, aTConfig({ activated: false })],
      reasons: ['OrphanNodeConfig'],
    },
    {
      name: 'whose master is terminating is an orphan',
      there: [node, aTConfig({ going: true })],
      reasons: ['OrphanNodeConfig'],
    },
    {
      name: 'whose master is one by its labels alone is an orphan',
      there: [node, aTConfig({ name: 'p2', podSeq: '3' }), { ...aTConfig(), app: 'Shop', labels: {} }],
      reasons: ['OrphanNodeConfig'],
    },
    { name: 'with a master is none', there: [node, aTConfig()], reasons: [] },
    {
      name: 'is none while a mark on its master is settled',
      there: [node, marked('v1', DEACTIVATING, MARKED_AT)],
      reasons: [],
    },
    { name: 'by its labels alone is none', there: [{ ...node, app: 'Shop' }], reasons: [] },
    { name: 'that is terminating is none', there: [aTConfig({ name: 'p', podSeq: '3', going: true })], reasons: [] },
  ])('$name', async ({ there, reasons }) => {
    const found = await settled(there, { key: NODE_KEY })
    expect([...new Set(found.reasons)]).toEqual(reasons)
    expect(found.configs).toContain(found.configs.find((each) => each.endsWith('p')))
  })
})

describe('labels that lie', () => {
  const lying = (name: string, labels: object = {}, more: ConfigWishes = {}): Built => ({
    ...aTConfig({ name, labels: { ...labels }, ...more }),
    app: 'Shop',
  })
  it.each([
    { name: 'TC-R1 a mark', there: [lying('x', DEACTIVATING), aTConfig()], stays: '*x' },
    { name: 'TC-R2 a mark', there: [lying('x', DELETING), aTConfig()], stays: '*x' },
    {
      name: 'TC-R2 a mark on what has no such fields',
      there: [{ ...marked('x', DELETING), app: undefined }, aTConfig()],
      stays: '*x',
    },
    { name: 'TC-R3 a second one in force', there: [aTConfig(), lying('x')], stays: 'x' },
    {
      name: 'TC-R4 the oldest of the history',
      there: [...history(10), lying('x', {}, { activated: false, version: '20200101000000-1' })],
      stays: '-x',
    },
    {
      name: 'TC-R4 the newest of the history, for which none goes',
      there: [...history(10), lying('x', {}, { activated: false, version: '20300101000000-1' })],
      stays: '-h0',
    },
  ])('$name: nothing is written', async ({ there, stays }) => {
    const { configs, outcomes } = await settled(there)
    expect(outcomes).toEqual([])
    expect(configs).toContain(stays)
  })
  it('TC-R2 a mark whose version is no name of an object names none', async () => {
    const annotations = { ...MARKED_AT, 'tars.io/MarkedBy': `../${'a'.repeat(100_000)}` }
    expect(await settled([marked('x', DELETING, annotations)])).toMatchObject({ configs: [] })
  })
})

it('WK-2 of TConfigs, which may have a megabyte each, the cache keeps metadata alone', () => {
  const kept = keptFor(needsOf({ controllers: [tconfigController] }, 'worker').reads)
  const { fields } = kept.find(({ resource }) => resource === TCONFIG) ?? {}
  expect(fields).toEqual(['metadata.deletionTimestamp'])
})

describe('TC-R6 the key of a group', () => {
  const [watch, masters, limits] = tconfigController.watches
  const none: Index = { referring: () => [], all: () => [] }
  const keyOf = (object: Built) => watch?.wakes(object, none)

  it('is its fields, so groups whose names would join to one are two', async () => {
    const one = aTConfig({ name: 'one', app: 'Demo', server: 'Echo', configName: 'x' })
    const other = aTConfig({ name: 'other', app: 'Demo', server: '', configName: 'Echo.x' })
    expect([one, other].map(keyOf)).toEqual([
      [{ namespace: 'demo', name: 'x', group: ['Demo', 'Echo', 'm'] }],
      [{ namespace: 'demo', name: 'Echo.x', group: ['Demo', '', 'm'] }],
    ])
    expect(await settled([one, other], { key: { ...KEY, name: 'x' } })).toMatchObject({ configs: ['one', 'other'] })
  })
  it('is none of an object without labels', () => {
    const { labels: _, ...metadata } = aTConfig().metadata
    expect(keyOf({ ...aTConfig(), metadata })).toEqual([])
  })
  it('TC-R5 a master wakes the groups for single pods, which refer to it', () => {
    const node = aTConfig({ podSeq: '3' })
    expect(tconfigController.refersTo(node)).toEqual([{ of: TCONFIG, key: KEY }])
    expect(tconfigController.refersTo(aTConfig())).toEqual([])
    const among: Index = { ...none, referring: ({ key }) => (key.group?.[2] === 'm' ? [NODE_KEY] : []) }
    expect(masters?.wakes(aTConfig(), among)).toEqual([NODE_KEY])
    expect(masters?.wakes(node, { ...none, referring: () => [KEY] })).toEqual([])
    expect(masters?.wakes({ metadata: { name: 'bare' } }, among)).toEqual([])
  })
  it('TF-R2 a new limit wakes all groups of its namespace, another TFrameworkConfig none', () => {
    const among: Index = { ...none, all: (namespace) => (namespace === 'demo' ? [KEY, NODE_KEY] : []) }
    expect(limits?.wakes(aTFrameworkConfig(), among)).toEqual([KEY, NODE_KEY])
    expect(limits?.wakes(aTFrameworkConfig({ name: 'mine' }), among)).toEqual([])
  })
})
