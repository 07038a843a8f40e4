import { describe, expect, it } from 'vitest'
import { Fault } from '../../../../../src/faults.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { settingsOf } from '../../../../../src/setting.ts'
import { CONFIG_MAP, NACOS_STATEFULSET } from '../../../../../webhooks/nacos/kubernetes.ts'
import { decisionFor } from '../../../../../webhooks/nacos/nacos/reconcile/decision.ts'
import { observe } from '../../../../../webhooks/nacos/nacos/reconcile/observe.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { KEY, nacosOf, nacosWorld, sourceOf } from '../../../../support/nacos-world.ts'

const SOURCES = [sourceOf('internal', 'a=1'), sourceOf('user', 'b=2')]
const DIGEST = '15952a176aa40df0'
const big = `b=${'x'.repeat(1_000_000)}`

interface HeldCase {
  /** The reason, and the rules. */
  readonly name: string
  readonly words: string
  readonly internal?: Tree
  readonly user?: Tree
}
const CASES: readonly HeldCase[] = [
  {
    name: 'SourceMissing NC-MRG-40',
    user: { metadata: { namespace: 'demo', name: 'other' } },
    words: 'ConfigMap "user" does not exist',
  },
  {
    name: 'SourceMissing NC-MRG-03',
    user: { metadata: { namespace: 'other', name: 'user' } },
    words: 'ConfigMap "user" does not exist',
  },
  {
    name: 'KeyMissing NC-MRG-41',
    user: { data: { b: '', a: '' } },
    words: 'ConfigMap "user" has no key "user.properties"; it has a, b',
  },
  {
    name: 'KeyMissing NC-MRG-05',
    user: { data: undefined },
    words: 'ConfigMap "user" has no key "user.properties"; it has none',
  },
  {
    name: 'KeyMissing',
    user: { data: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${String(i).padStart(2, '0')}`, ''])) },
    words: 'ConfigMap "user" has no key "user.properties"; it has k00, k01, k02, k03, k04, k05, k06, k07, k08, k09, …',
  },
  {
    name: 'KeyIsBinary NC-MRG-42',
    user: { data: undefined, binaryData: { 'user.properties': '/w==' } },
    words:
      'ConfigMap "user" key "user.properties" is in binaryData, since its file is no UTF-8; save it as UTF-8 or ASCII',
  },
  {
    name: 'MalformedProperties NC-MRG-46',
    user: { data: { 'user.properties': 'a=1\nb=\\u12' } },
    words: 'ConfigMap "user" key "user.properties" line 2: malformed \\uxxxx escape',
  },
  {
    name: 'ProtectedKey NC-MRG-47 NC-PRO-05',
    internal: { metadata: { namespace: 'demo', name: 'internal', annotations: { 'nacos.io/protected-keys': 'b' } } },
    words:
      'ConfigMap "user" key "user.properties" line 1: key "b" is protected by ConfigMap "internal" and cannot be set here',
  },
  {
    name: 'EmptyConfig NC-MRG-45',
    internal: { data: { 'internal.properties': '# a\n' } },
    user: { data: { 'user.properties': '' } },
    words: 'the sources set no property at all',
  },
  {
    name: 'TooLarge NC-MRG-48',
    user: { data: { 'user.properties': big } },
    words: 'the merged configuration has 1000078 bytes, at most 1000000 are allowed',
  },
]

describe.each(CASES)('$name', ({ name, words, internal = {}, user = {} }) => {
  const broken = [sourceOf('internal', 'a=1', internal), sourceOf('user', 'b=2', user)]
  const [why = ''] = name.split(' ')

  it('keeps a new Nacos from having pods', async () => {
    const world = nacosWorld(...broken, nacosOf())
    const { writes, notices, reasons, messages, measured } = await world.turn()
    expect(writes).toEqual(['merge Nacos', 'apply Service', 'apply Service', 'merge Nacos'])
    expect(reasons).toMatchObject({ ConfigReady: why, RolloutComplete: 'InProgress', Ready: 'Creating' })
    expect(messages.ConfigReady).toBe(words)
    expect(notices).toEqual([`ConfigHeld: ${why}: ${words}`])
    expect(measured).toContainEqual(expect.objectContaining({ labels: { reason: why }, value: 1 }))
    expect((await world.turn()).notices).toEqual([])
  })

  it('keeps one that runs as it is, while it scales, and the next change mends it', async () => {
    const world = nacosWorld(...SOURCES, nacosOf())
    await world.turn()
    await world.rolledOut()
    for (const name of ['internal', 'user']) await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name })
    for (const each of broken) await world.cluster.create(CONFIG_MAP, each)
    await world.patch(NACOS, 'n', { spec: { replicas: 5 } })
    const held = await world.turn()
    expect(held.writes).toEqual(['apply StatefulSet', 'merge Nacos'])
    expect(held.reasons).toMatchObject({ ConfigReady: why })
    expect(await world.set()).toMatchObject({ spec: { replicas: 5 } })
    expect(JSON.stringify(await world.set())).toContain(`"nacos.io/config-digest":"${DIGEST}"`)
    expect(await world.final()).toMatchObject({ metadata: { annotations: { 'nacos.io/config-digest': DIGEST } } })
  })
})

describe('a source', () => {
  it('NC-MRG-50 that cannot be read is not missing', async () => {
    const { cluster } = nacosWorld(...SOURCES, nacosOf())
    const away = async () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no answer'))
    const seen = await observe(KEY, {
      cached: cluster,
      live: {
        ...cluster,
        get: (of, ref) => (ref.name === 'user' ? away() : cluster.get(of, ref)),
        list: away,
        dryRun: away,
      },
      gone: () => [],
    })
    expect(seen && decisionFor(seen, { at: new Date(0), settings: settingsOf({}) }).state).toEqual({
      reason: 'SourceUnreadable',
      message: 'ConfigMap "user" cannot be read: no answer',
    })
    const wrong = () => Promise.reject(new TypeError('a mistake'))
    const sight = { cached: cluster, live: { get: wrong, list: wrong, dryRun: wrong }, gone: () => [] }
    await expect(observe(KEY, sight)).rejects.toThrow('a mistake')
  })

  it('NC-MRG-04 is read as it is now, whatever a cache has', async () => {
    const [{ cluster: cached }, { cluster: live }] = [
      nacosWorld(...SOURCES, nacosOf()),
      nacosWorld(sourceOf('internal', 'a=1'), sourceOf('user', 'b=newer'), nacosOf()),
    ]
    const seen = await observe(KEY, { cached, live, gone: () => [] })
    expect(seen && decisionFor(seen, { at: new Date(0), settings: settingsOf({}) }).text).toContain('b=newer')
  })

  it('NC-MRG-49 that is terminating is there until it is gone', async () => {
    const going = { namespace: 'demo', name: 'user', deletionTimestamp: '2026-11-18T12:00:00Z', finalizers: ['a/b'] }
    const world = nacosWorld(sourceOf('internal', 'a=1'), sourceOf('user', 'b=2', { metadata: going }), nacosOf())
    expect((await world.turn()).reasons).toMatchObject({ ConfigReady: 'Merged' })
  })

  it('NC-PRO-01, NC-PRO-02 a pattern that is none is told', async () => {
    const annotations = { 'nacos.io/protected-keys': 'a*b, c' }
    const internal = sourceOf('internal', 'a=1', { metadata: { namespace: 'demo', name: 'internal', annotations } })
    const { notices } = await nacosWorld(internal, sourceOf('user', 'b=2'), nacosOf()).turn()
    expect(notices).toContain('InvalidPattern: protected keys: "a*b" is no key and no beginning of keys with a *')
  })
})

describe('the final ConfigMap', () => {
  const owner = (uid: string, name: string) => [
    { apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name, uid, controller: true },
  ]
  const standing = (rest: Tree, data: Tree = {}) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'demo', name: 'n-final-config', ...rest }, data },
  })

  it.each([
    {
      name: 'NC-DIG-40, NC-DIG-42 of another Nacos',
      rest: { ownerReferences: owner('o-1', 'other') },
      words: 'belongs to another object',
    },
    {
      name: 'NC-DIG-40 of an earlier Nacos of that name',
      rest: { ownerReferences: owner('n-0', 'n') },
      words: 'belongs to an earlier Nacos',
    },
    { name: 'NC-DIG-40 of nobody', rest: {}, words: 'was not made for this Nacos' },
  ])('$name is never touched', async ({ rest, words }) => {
    const world = nacosWorld(...SOURCES, nacosOf(), standing(rest, { own: 'x' }))
    const { writes, reasons, messages, notices } = await world.turn()
    expect(writes).not.toContain('apply ConfigMap')
    expect(writes).not.toContain('apply StatefulSet')
    expect(reasons).toMatchObject({ ConfigReady: 'FinalConfigConflict' })
    expect(messages.ConfigReady).toContain(words)
    expect(notices[0]).toContain('FinalConfigConflict: ')
  })

  it('NC-DIG-40 of nobody is adopted on request, and its other keys stay', async () => {
    const annotations = { 'nacos.io/adopt-final-config': 'true' }
    const world = nacosWorld(...SOURCES, nacosOf({}, { annotations }), standing({}, { own: 'x' }))
    expect((await world.turn()).reasons).toMatchObject({ ConfigReady: 'Merged' })
    expect(await world.final()).toMatchObject({
      metadata: { ownerReferences: [{ uid: 'n-1' }] },
      data: { own: 'x', 'application.properties': expect.stringContaining('a=1') },
    })
  })

  it('NC-DIG-41 that is a source is held', async () => {
    const world = nacosWorld(...SOURCES, nacosOf({ finalConfigName: 'user' }))
    const { reasons, writes } = await world.turn()
    expect(reasons).toMatchObject({ ConfigReady: 'FinalConfigIsSource' })
    expect(writes).not.toContain('apply ConfigMap')
  })

  async function running() {
    const world = nacosWorld(...SOURCES, nacosOf())
    await world.turn()
    await world.rolledOut()
    await world.turn()
    return world
  }

  it('NC-DIG-34 that was edited is restored, and nothing restarts', async () => {
    const world = await running()
    await world.patch(CONFIG_MAP, 'n-final-config', { data: { 'application.properties': 'edited=1' } })
    const { writes, notices } = await world.turn()
    expect(writes).toEqual(['apply ConfigMap'])
    expect(notices).toEqual([expect.stringMatching(/^FinalConfigDrift: .*kubectl rollout restart statefulset n$/)])
    expect(await world.final()).toMatchObject({ data: { 'application.properties': expect.stringContaining('a=1') } })
  })

  it('NC-DIG-35 that was deleted is made again, and nothing restarts', async () => {
    const world = await running()
    await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'n-final-config' })
    expect((await world.turn()).writes).toEqual(['apply ConfigMap'])
  })

  it('NC-DIG-36 that was made immutable is neither written nor made again', async () => {
    const world = await running()
    await world.patch(CONFIG_MAP, 'n-final-config', { immutable: true })
    expect((await world.turn()).writes).toEqual([])
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    const { writes, messages } = await world.turn()
    expect(writes).toEqual(['merge Nacos'])
    expect(messages.ConfigReady).toBe('ConfigMap "n-final-config" is immutable: set another finalConfigName')
  })

  it('NC-REC-32, NC-DIG-31 that was written before a crash is rolled out, though its source is gone', async () => {
    const world = await running()
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    const set = await world.set()
    await world.turn()
    const digest = (await world.final())?.metadata.annotations?.['nacos.io/config-digest']
    await world.patch(NACOS_STATEFULSET, 'n', { spec: set.spec })
    await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'user' })
    await world.turn()
    expect(JSON.stringify(await world.set())).toContain(`"nacos.io/config-digest":"${digest}"`)
  })

  it('NC-REC-32 that was edited while the configuration is held does not count', async () => {
    const world = await running()
    await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'user' })
    await world.patch(CONFIG_MAP, 'n-final-config', { data: { 'application.properties': 'edited=1' } })
    const { writes } = await world.turn()
    expect(writes).toEqual(['merge Nacos'])
    expect(JSON.stringify(await world.set())).toContain(DIGEST)
  })
})
