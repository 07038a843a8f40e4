import { describe, expect, it } from 'vitest'
import type { Built, Readers } from '../../../../src/cluster/port.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { DELETION_GUARD_SECONDS } from '../../../../webhooks/tars/tconfig/settings.ts'
import {
  answered,
  CTRL,
  DEPUTIES,
  NAMESPACE_CONTROLLER,
  VALIDATING,
  WEBHOOK,
  withSetting,
  wordsOf,
} from '../../../support/answerer-parts.ts'
import { aTConfig, type ConfigWishes, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
const answerTo = async (body: unknown, readers: Readers) => wordsOf(await answered(VALIDATING, body, { readers }))
const onCreate = (object: unknown, ...there: readonly Built[]) => answerTo(creationOf(object), readersOf(...there))
const onUpdate = (old: Built, object: unknown, ...there: readonly Built[]) =>
  answerTo(updateOf(old, object), readersOf(old, ...there))
const onDelete = (old: Built, ...there: readonly Built[]) => answerTo(deletionOf(old), readersOf(old, ...there))
const asUser = (user: string) => ({ user }) satisfies Sent

const CONTROLLERS = [CTRL, WEBHOOK]
const OTHERS = ['ann', 'system:admin', 'system:serviceaccount:demo:namespace-controller']

const ANOTHER = 'create a new TConfig instead'
/** What was generated is in no file of the author's. */
const again = (stored: string) => `write ${stored}, which was generated; a file for a new TConfig leaves it out`
const FIXED = [
  { rule: 'TC-V1', field: 'app', change: { app: 'Shop' }, remedy: ANOTHER },
  { rule: 'TC-V2', field: 'server', change: { server: 'Cart' }, remedy: ANOTHER },
  { rule: 'TC-V3', field: 'configName', change: { configName: 'cart.conf' }, remedy: ANOTHER },
  { rule: 'TC-V4', field: 'podSeq', change: { podSeq: '3' }, remedy: ANOTHER },
  { rule: 'TC-V5', field: 'version', change: { version: '20260101000001-1' }, remedy: again('20260101000000-1') },
  { rule: 'TC-V5', field: 'version', change: { version: undefined }, remedy: again('20260101000000-1') },
  {
    rule: 'TC-V6',
    field: 'configContent',
    change: { configContent: 'b=2' },
    remedy: 'create a new TConfig with the new content',
  },
  {
    rule: 'TC-V7',
    field: 'updateTime',
    change: { updateTime: '2026-01-01T00:00:01Z' },
    remedy: again('2026-01-01T00:00:00Z'),
  },
  { rule: 'TC-V7', field: 'updatePerson', change: { updatePerson: 'bob' }, remedy: ANOTHER },
  { rule: 'TC-V7', field: 'updateReason', change: { updateReason: 'why not' }, remedy: ANOTHER },
] as const

describe.each(FIXED)('$rule $field is never changed', ({ rule, field, change, remedy }) => {
  const old = aTConfig({ updatePerson: 'ann', updateReason: 'first' })

  it('is refused', async () => {
    expect(await onUpdate(old, { ...old, ...change })).toBe(
      `422 Invalid: ${field}: field is immutable; ${remedy} (${rule})`,
    )
  })

  it('an update of something else passes', async () => {
    expect(await onUpdate(old, { ...old, metadata: { ...old.metadata, annotations: { note: 'x' } } })).toBe('allowed')
  })

  it.each([...OTHERS, NAMESPACE_CONTROLLER, ...DEPUTIES])('holds for %s', async (user) => {
    expect(await answerTo(updateOf(old, { ...old, ...change }, asUser(user)), readersOf(old))).toMatch(`(${rule})`)
  })
  it.each(CONTROLLERS)('does not bind %s', async (user) => {
    expect(await answerTo(updateOf(old, { ...old, ...change }, asUser(user)), readersOf(old))).toBe('allowed')
  })
  it('a dry run says the same (W-9)', async () => {
    expect(await answerTo(updateOf(old, { ...old, ...change }, { dryRun: true }), readersOf(old))).toMatch(`(${rule})`)
  })
})

describe('TC-V2, TC-V5, TC-V7 what need not be there is', () => {
  const full = aTConfig({ updatePerson: 'ann', updateReason: 'first' })

  it.each([
    ['TC-V2', 'server'],
    ['TC-V5', 'version'],
    ['TC-V7', 'updateTime'],
    ['TC-V7', 'updatePerson'],
    ['TC-V7', 'updateReason'],
  ])('%s %s not taken away, nor given to one that had none', async (rule, field) => {
    const without = { ...full, [field]: undefined }
    expect(await onUpdate(full, without)).toMatch(`(${rule})`)
    expect(await onUpdate(without, full)).toMatch(`(${rule})`)
  })
  it.each([
    ['TC-V5', 'version'],
    ['TC-V7', 'updateTime'],
  ])('%s %s, where none was generated, is left out', async (rule, field) => {
    expect(await onUpdate({ ...full, [field]: undefined }, full)).toBe(
      `422 Invalid: ${field}: field is immutable; leave it out (${rule})`,
    )
  })
})

describe('TC-V1…7 what is the same in other words is no change', () => {
  it.each([
    { name: 'no podSeq is m (TC-V4)', old: { podSeq: undefined }, next: { podSeq: 'm' } },
    { name: 'no server is an empty one (TC-V2)', old: { server: undefined }, next: { server: '' } },
    {
      name: 'an instant in another zone (TC-V7)',
      old: { updateTime: '2026-01-01T00:00:00Z' },
      next: { updateTime: '2026-01-01T08:00:00.000+08:00' },
    },
  ])('$name', async ({ old, next }) => {
    expect(await onUpdate({ ...aTConfig(), ...old }, { ...aTConfig(), ...next })).toBe('allowed')
  })

  it('all that is changed is told at once (W-13)', async () => {
    const next = aTConfig({ app: 'Shop', content: 'b=2', updatePerson: 'bob', updateReason: 'x', activated: false })
    expect((await onUpdate(aTConfig(), next)).match(/TC-V\d+/g)).toEqual([
      ...['TC-V1', 'TC-V6', 'TC-V7', 'TC-V7', 'TC-V8'],
    ])
  })
})

describe('TC-V8 nobody deactivates by hand', () => {
  const REFUSED =
    '403 Forbidden: activated: a configuration is deactivated by activating another version; ' +
    'create that version, or set its activated to true (TC-V8)'
  const off = aTConfig({ activated: false })

  it('is refused', async () => {
    expect(await onUpdate(aTConfig(), off)).toBe(REFUSED)
  })
  it('of one that is marked too', async () => {
    const marked = aTConfig({ labels: DEACTIVATING })
    expect(await onUpdate(marked, aTConfig({ activated: false, labels: DEACTIVATING }))).toBe(REFUSED)
  })
  it.each([...OTHERS, NAMESPACE_CONTROLLER, ...DEPUTIES])('holds for %s', async (user) => {
    expect(await answerTo(updateOf(aTConfig(), off, asUser(user)), readersOf())).toBe(REFUSED)
  })
  it.each(CONTROLLERS)('does not bind %s', async (user) => {
    expect(await answerTo(updateOf(aTConfig(), off, asUser(user)), readersOf())).toBe('allowed')
  })
  it('what is out of force may stay so, or come into force', async () => {
    expect(await onUpdate(off, off)).toBe('allowed')
    expect(await onUpdate(off, aTConfig())).toBe('allowed')
  })
})

describe('TC-V9 what is marked as being deleted is not updated', () => {
  const REFUSED =
    '403 Forbidden: metadata.labels[tars.io/Deleting]: this TConfig is being deleted; create a new one (TC-V9)'
  const marked = aTConfig({ activated: false, labels: DELETING })
  const noted = aTConfig({ activated: false, labels: DELETING, annotations: { note: 'x' } })

  it.each([
    { name: 'for an edit', next: noted },
    { name: 'for no edit at all: the rule is not ratcheted (CV-8)', next: marked },
    { name: 'for a return to it', next: aTConfig({ labels: DELETING }) },
  ])('is refused $name', async ({ next }) => {
    expect(await onUpdate(marked, next)).toBe(REFUSED)
  })
  it('whatever the value of the mark', async () => {
    expect(await onUpdate(aTConfig({ labels: { 'tars.io/Deleting': 'Deleting' } }), aTConfig())).toBe(REFUSED)
  })
  it.each([...OTHERS, NAMESPACE_CONTROLLER, ...DEPUTIES])('holds for %s', async (user) => {
    expect(await answerTo(updateOf(marked, noted, asUser(user)), readersOf())).toBe(REFUSED)
  })
  it.each(CONTROLLERS)('does not bind %s', async (user) => {
    expect(await answerTo(updateOf(marked, noted, asUser(user)), readersOf())).toBe('allowed')
  })
  it('the mark itself may be added by hand', async () => {
    expect(await onUpdate(aTConfig({ activated: false }), marked)).toBe('allowed')
  })
  it('one that waits for its finalizers may lose them (W-7)', async () => {
    const held = (finalizers: readonly string[], wishes: ConfigWishes = {}) => {
      const config = aTConfig({ labels: DELETING, going: true, ...wishes })
      return { ...config, metadata: { ...config.metadata, finalizers } }
    }
    expect(await onUpdate(held(['x']), held([]))).toBe('allowed')
    expect(await onUpdate(held(['x']), held([], { app: 'Shop', content: 'b=2' }))).toMatch(/TC-V1.*TC-V6.*TC-V9/)
  })
})

describe('TC-V10 nobody is born with a mark', () => {
  it.each(['tars.io/Deactivate', 'tars.io/Deactivating', 'tars.io/Deleting'])('%s is refused', async (mark) => {
    for (const value of ['', 'x'])
      expect(await onCreate(aTConfig({ labels: { [mark]: value } }))).toBe(
        `422 Invalid: metadata.labels[${mark}]: reserved; leave the label out (TC-V10)`,
      )
  })
  it('each is told', async () => {
    const words = await onCreate(aTConfig({ labels: { ...DEACTIVATING, ...DELETING } }))
    expect(words.match(/tars\.io\/\w+/g)).toEqual(['tars.io/Deactivate', 'tars.io/Deactivating', 'tars.io/Deleting'])
  })
  it.each([...CONTROLLERS, NAMESPACE_CONTROLLER, ...DEPUTIES])('holds for %s too', async (user) => {
    expect(await answerTo(creationOf(aTConfig({ labels: DELETING }), asUser(user)), readersOf())).toMatch('(TC-V10)')
  })
  it('without marks passes', async () => {
    expect(await onCreate(aTConfig())).toBe('allowed')
  })
})

const master = (wishes: ConfigWishes = {}) => aTConfig({ name: 'master', ...wishes })
const node = (wishes: ConfigWishes = {}) => aTConfig({ name: 'node', podSeq: '3', ...wishes })

describe('TC-V11 a configuration of a whole application has no variants for single pods', () => {
  const REFUSED =
    '422 Invalid: podSeq: application-level configuration has no node-level variant; ' +
    'name a server, or set podSeq to m (TC-V11)'

  it.each([
    { name: 'in force', activated: true },
    { name: 'out of force', activated: false },
  ])('is refused $name, even where there is a master', async ({ activated }) => {
    expect(await onCreate(node({ server: '', activated }), master({ server: '' }))).toBe(REFUSED)
    expect(await onCreate({ ...node({ server: '', activated }), server: undefined })).toBe(REFUSED)
  })
  it.each(CONTROLLERS)('holds for %s too', async (user) => {
    expect(await answerTo(creationOf(node({ server: '' }), asUser(user)), readersOf())).toBe(REFUSED)
  })
  it.each([
    { name: 'for all pods', object: master({ server: '' }) },
    { name: 'of a server', object: node() },
  ])('one $name passes', async ({ object }) => {
    expect(await onCreate(object, master())).toBe('allowed')
  })
})

const masters: readonly { name: string; there: readonly Built[]; isThere: boolean }[] = [
  { name: 'is in force', there: [master()], isThere: true },
  { name: 'is in force among old versions', there: [master(), master({ name: 'o', activated: false })], isThere: true },
  { name: 'does not exist', there: [], isThere: false },
  { name: 'is out of force', there: [master({ activated: false })], isThere: false },
  { name: 'is marked to be deactivated', there: [master({ labels: DEACTIVATING })], isThere: false },
  { name: 'is so by one mark', there: [master({ labels: { 'tars.io/Deactivating': '' } })], isThere: false },
  { name: 'is so by the other', there: [master({ labels: { 'tars.io/Deactivate': 'x' } })], isThere: false },
  { name: 'is marked to be deleted', there: [master({ labels: DELETING })], isThere: false },
  { name: 'waits for its finalizers', there: [master({ going: true })], isThere: false },
  { name: 'is in another namespace', there: [master({ namespace: 'prod' })], isThere: false },
  { name: 'is of another app', there: [master({ app: 'Shop' })], isThere: false },
  { name: 'is of another server', there: [master({ server: 'Cart' })], isThere: false },
  { name: 'is of the whole application', there: [master({ server: '' })], isThere: false },
  { name: 'has another name', there: [master({ configName: 'x' })], isThere: false },
  { name: 'is no master', there: [node({ name: 'n' })], isThere: false },
  { name: 'says another app than its label', there: [{ ...master(), app: 'Shop' }], isThere: false },
  { name: 'says another server than its label', there: [{ ...master(), server: 'Cart' }], isThere: false },
  { name: 'says another name than its label', there: [{ ...master(), configName: 'x' }], isThere: false },
  { name: 'says another podSeq than its label', there: [{ ...master(), podSeq: '4' }], isThere: false },
  { name: 'says another state than its label', there: [{ ...master(), activated: false }], isThere: false },
]
const noMaster = (rule: string, hint = '') =>
  `422 Invalid: podSeq: no active master configuration Demo.Echo/echo.conf; ` +
  `create or activate that one first, with podSeq m${hint} (${rule})`

describe('TC-V12 what is for one pod has a master that is in force', () => {
  it.each(masters)('whose master $name: $isThere', async ({ there, isThere }) => {
    expect(await onCreate(node(), ...there)).toBe(isThere ? 'allowed' : noMaster('TC-V12'))
  })
  it('whether it is in force itself or not', async () => {
    expect(await onCreate(node({ activated: false }))).toBe(noMaster('TC-V12'))
  })
  it('a master needs none', async () => {
    expect(await onCreate(master())).toBe('allowed')
  })
  it.each(CONTROLLERS)('holds for %s too', async (user) => {
    expect(await answerTo(creationOf(node(), asUser(user)), readersOf())).toBe(noMaster('TC-V12'))
  })
  it('is never answered from the cache, not even in a dry run (SV-7)', async () => {
    const stale = { cached: readerOf(master()), live: readerOf() }
    expect(await answerTo(creationOf(node()), stale)).toBe(noMaster('TC-V12'))
    const hint = '; in a dry run, as of kubectl diff, what the same file creates is not there'
    expect(await answerTo(creationOf(node(), { dryRun: true }), stale)).toBe(noMaster('TC-V12', hint))
  })
  it('asks for what is in force alone: of versions there may be many', async () => {
    const live = readerOf(master())
    await answerTo(creationOf(node({ activated: false })), { cached: readerOf(), live })
    expect(live.reads).toEqual([
      'list TConfig demo {"tars.io/ServerApp":"Demo","tars.io/ServerName":"Echo","tars.io/ConfigName":"echo.conf",' +
        '"tars.io/PodSeq":"m","tars.io/Activated":"true"}',
    ])
  })
})

describe('TC-V14 nor does what is for one pod come back without its master', () => {
  const off = node({ activated: false })

  it.each(masters)('whose master $name: $isThere', async ({ there, isThere }) => {
    expect(await onUpdate(off, node(), ...there)).toBe(isThere ? 'allowed' : noMaster('TC-V14'))
  })
  it('what is in force already may be edited without one', async () => {
    expect(await onUpdate(node(), node({ annotations: { note: 'x' } }))).toBe('allowed')
  })
  it('as may what stays out of force', async () => {
    expect(await onUpdate(off, node({ activated: false, annotations: { note: 'x' } }))).toBe('allowed')
  })
  it('a master comes back as it likes', async () => {
    expect(await onUpdate(master({ activated: false }), master())).toBe('allowed')
  })
  it.each([...OTHERS, NAMESPACE_CONTROLLER, ...DEPUTIES])('holds for %s', async (user) => {
    expect(await answerTo(updateOf(off, node(), asUser(user)), readersOf())).toBe(noMaster('TC-V14'))
  })
  it.each(CONTROLLERS)('does not bind %s', async (user) => {
    expect(await answerTo(updateOf(off, node(), asUser(user)), readersOf())).toBe('allowed')
  })
  it('is never answered from the cache (SV-7)', async () => {
    expect(await answerTo(updateOf(off, node()), { cached: readerOf(master()), live: readerOf() })).toBe(
      noMaster('TC-V14'),
    )
  })
})

describe('TC-V13 a master in force stays while there is something for single pods', () => {
  const refused = (names: string) =>
    `403 Forbidden: metadata.name: TConfig demo/master: in use by node-level configuration ${names}; ` +
    'delete what is for single pods first, then repeat (TC-V13)'

  it.each([
    { name: 'a variant is named', there: [node()], answer: refused('node') },
    {
      name: 'old versions of variants count: they could not be returned to',
      there: [node({ activated: false })],
      answer: refused('node'),
    },
    {
      name: 'variants are named in their order',
      there: [node({ name: 'b' }), node({ name: 'a', podSeq: '0' })],
      answer: refused('a, b'),
    },
    {
      name: 'one that says so of itself is enough, and what says another thing is not named before it',
      there: [{ ...node({ name: 'a' }), configName: 'x' }, node({ name: 'b' })],
      answer: refused('b'),
    },
    {
      name: 'of many, five are named and the rest counted',
      there: ['f', 'e', 'd', 'c', 'b', 'a'].map((name) => node({ name })),
      answer: refused('a, b, c, d, e and 1 more'),
    },
    {
      name: 'one that is about to be deactivated is still there',
      there: [node({ labels: DEACTIVATING })],
      answer: refused('node'),
    },
  ])('$name', async ({ there, answer }) => {
    expect(await onDelete(master(), ...there)).toBe(answer)
  })

  it.each([
    { name: 'one being deleted uses nothing', there: [node({ going: true })] },
    { name: 'nor one marked to be', there: [node({ labels: DELETING })] },
    { name: 'nor one of another namespace', there: [node({ namespace: 'prod' })] },
    { name: 'nor one of another app', there: [node({ app: 'Shop' })] },
    { name: 'nor one of another server', there: [node({ server: 'Cart' })] },
    { name: 'nor one of another file', there: [node({ configName: 'x' })] },
    { name: 'nor one whose label its fields do not confirm', there: [{ ...node(), configName: 'x' }] },
    { name: 'nor one whose label of its place they do not', there: [{ ...node(), podSeq: 'm' }] },
    { name: 'another version for all pods is no variant', there: [master({ name: 'old', activated: false })] },
  ])('$name', async ({ there }) => {
    expect(await onDelete(master(), ...there)).toMatch(/^allowed/)
  })

  it.each([
    { name: 'one out of force', old: master({ activated: false }) },
    { name: 'one about to be deactivated', old: master({ labels: DEACTIVATING }) },
    { name: 'a variant', old: node({ name: 'other' }) },
  ])('$name may go', async ({ old }) => {
    expect(await onDelete(old, node())).toMatch(/^allowed/)
  })

  it.each(OTHERS)('holds for %s', async (user) => {
    expect(await answerTo(deletionOf(master(), asUser(user)), readersOf(node()))).toBe(refused('node'))
  })
  it.each([...CONTROLLERS, NAMESPACE_CONTROLLER])('does not bind %s', async (user) => {
    expect(await answerTo(deletionOf(master(), asUser(user)), readersOf(node()))).toBe('allowed')
  })
  it('a dry run says the same, and of the live cluster (W-9, SV-7)', async () => {
    const readers = { cached: readerOf(), live: readerOf(node()) }
    expect(await answerTo(deletionOf(master(), { dryRun: true }), readers)).toBe(refused('node'))
  })
})

describe('TC-V15 what was created just now is not deleted, where the operator says so', () => {
  const createdAt = (created: string, wishes: ConfigWishes = {}) => aTConfig({ created, ...wishes })
  const guarded = async (old: Built, seconds: number, sent?: Sent) => {
    const wishes = { readers: readersOf(old), settings: withSetting(DELETION_GUARD_SECONDS, seconds) }
    return wordsOf(await answered(VALIDATING, deletionOf(old, sent), wishes))
  }
  const REFUSED =
    '403 Forbidden: metadata.name: TConfig demo/v1: created less than 48 s ago; delete it later, if it is no mistake (TC-V15)'

  it.each([
    { name: 'a moment old', created: '2026-11-18T12:00:00Z', answer: REFUSED },
    { name: '47 s old', created: '2026-11-18T11:59:13Z', answer: REFUSED },
    { name: '48 s old', created: '2026-11-18T11:59:12Z', answer: /^allowed/ },
    { name: 'of an age that is not told', created: '', answer: /^allowed/ },
    { name: 'created by a clock ahead of ours', created: '2026-11-18T12:00:03Z', answer: REFUSED },
  ])('$name', async ({ created, answer }) => {
    expect(await guarded(createdAt(created), 48)).toMatch(answer)
  })
  it.each([
    { name: 'a moment old', created: '2026-11-18T12:00:00Z' },
    { name: 'created by a clock ahead of ours', created: '2026-11-18T12:00:03Z' },
  ])('nothing is said of it by default: $name', async ({ created }) => {
    expect(await onDelete(createdAt(created))).toMatch(/^allowed/)
  })
  it('what is out of force may go at any age', async () => {
    expect(await guarded(createdAt('2026-11-18T12:00:00Z', { activated: false }), 48)).toBe('allowed')
  })
  it.each(OTHERS)('holds for %s', async (user) => {
    expect(await guarded(createdAt('2026-11-18T12:00:00Z'), 48, { user })).toBe(REFUSED)
  })
  it.each([...CONTROLLERS, NAMESPACE_CONTROLLER])('does not bind %s', async (user) => {
    expect(await guarded(createdAt('2026-11-18T12:00:00Z'), 48, { user })).toBe('allowed')
  })
})

describe('TC-V13 with TC-V15', () => {
  it('are told in one answer', async () => {
    const old = master({ created: '2026-11-18T12:00:00Z' })
    const wishes = { readers: readersOf(node()), settings: withSetting(DELETION_GUARD_SECONDS, 9) }
    const { response } = await answered(VALIDATING, deletionOf(old), wishes)
    expect(response.status).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(response.status?.message.match(/TC-V\d+/g)).toEqual(['TC-V13', 'TC-V15'])
  })
})
