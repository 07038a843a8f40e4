import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { DELETION_GUARD_SECONDS } from '../../../../webhooks/tars/tconfig/settings.ts'
import {
  answered,
  DEPUTIES,
  NAMESPACE_CONTROLLER,
  VALIDATING,
  withSetting,
  wordsOf,
} from '../../../support/answerer-parts.ts'
import { aTConfig, type ConfigWishes, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import type { Sent } from '../../../support/reviews.ts'
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
