import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { DELETION_GUARD_SECONDS } from '../../../../webhooks/tars/tconfig/settings.ts'
import { answered, DEPUTIES, NAMESPACE_CONTROLLER, VALIDATING, withSetting } from '../../../support/answerer-parts.ts'
import { aTConfig, type ConfigWishes, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import {
  answerTo,
  asUser,
  CONTROLLERS,
  creationOf,
  deletionOf,
  OTHERS,
  onCreate,
  onDelete,
  onUpdate,
  updateOf,
} from './validating.ts'

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

describe('TC-V13 with TC-V15', () => {
  it('are told in one answer', async () => {
    const old = master({ created: '2026-11-18T12:00:00Z' })
    const wishes = { readers: readersOf(node()), settings: withSetting(DELETION_GUARD_SECONDS, 9) }
    const { response } = await answered(VALIDATING, deletionOf(old), wishes)
    expect(response.status).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(response.status?.message.match(/TC-V\d+/g)).toEqual(['TC-V13', 'TC-V15'])
  })
})
