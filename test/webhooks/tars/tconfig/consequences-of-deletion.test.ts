import { describe, expect, it } from 'vitest'
import type { ClusterReader } from '../../../../src/cluster/port.ts'
import { answered, CTRL, NAMESPACE_CONTROLLER, VALIDATING, WEBHOOK, wordsOf } from '../../../support/answerer-parts.ts'
import { aTConfig, DEACTIVATING, DELETING } from '../../../support/builders/configs.ts'
import { readerOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { another, deletionOf, judged, NOW, named, off, other } from './judged.ts'

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
    const gets = live.reads.filter((read) => read.startsWith('get'))
    expect(gets).toEqual(['v1', 'a', 'b'].map((each) => `get TConfig demo/${each}`))
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
    { name: 'was deactivated since, and carries no mark any more (RL-9)', there: [off] },
    { name: 'is gone since', there: [] },
    { name: 'is gone since, and another one has its name', there: [another(aTConfig())] },
  ])('one that $name, goes alone: what came into force meanwhile stays', async ({ there }) => {
    const answer = await judged(deletionOf(aTConfig()), ...there, ...history, other())
    expect(wordsOf(answer)).toBe('allowed')
    expect(named(answer)).toEqual([])
  })

  it('what was activated since the list is not marked in its new version, but decided again', async () => {
    const stored = other({ activated: false })
    const activated = { ...other(), metadata: { ...other().metadata, resourceVersion: '8' } }
    const live: ClusterReader = { ...readerOf(aTConfig(), stored), get: readerOf(aTConfig(), activated).get }
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
