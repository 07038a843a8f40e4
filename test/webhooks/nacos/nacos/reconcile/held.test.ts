import { describe, expect, it } from 'vitest'
import type { Built, ClusterReader } from '../../../../../src/cluster/port.ts'
import { Fault } from '../../../../../src/faults.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { settingsOf } from '../../../../../src/setting.ts'
import { CONFIG_MAP } from '../../../../../webhooks/nacos/kubernetes.ts'
import { decisionFor } from '../../../../../webhooks/nacos/nacos/reconcile/decision.ts'
import { merged } from '../../../../../webhooks/nacos/nacos/reconcile/merged.ts'
import { observe } from '../../../../../webhooks/nacos/nacos/reconcile/observe.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { DIGEST, KEY, nacosOf, nacosWorld, SOURCES, sourceOf } from '../../../../support/nacos-world.ts'

const idOf = ({ metadata: { namespace = '', name } }: Built) => ({ namespace, name })
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
  ...[
    { text: 'a=1\n=v', line: '2: empty key' },
    { text: 'a=\0', line: '1: control character' },
    { text: 'a=1\n#---\nb=2', line: '2: starts another document, and the loaders of the server differ about it' },
    { text: '# \\\na=1', line: '1: comment whose backslash swallows the next line' },
  ].map(({ text, line }) => ({
    name: `MalformedProperties ${line}`,
    user: { data: { 'user.properties': text } },
    words: `ConfigMap "user" key "user.properties" line ${line}`,
  })),
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
    const { writes, notices, reasons, messages } = await world.turn()
    expect(writes).toEqual(['merge Nacos', 'apply Service', 'apply Service', 'merge Nacos'])
    expect(reasons).toMatchObject({ ConfigReady: why, RolloutComplete: 'InProgress', Ready: 'Creating' })
    expect(messages.ConfigReady).toBe(words)
    expect(notices).toEqual([`ConfigHeld: ${why}: ${words}`])
    expect(await world.counted()).toContainEqual(expect.objectContaining({ labels: { reason: why }, value: 1 }))
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
    for (const each of broken)
      if (each.metadata.namespace === 'demo') await world.cluster.remove(CONFIG_MAP, idOf(each))
    for (const each of SOURCES) await world.cluster.create(CONFIG_MAP, each)
    const mended = await world.turn()
    expect([mended.writes, mended.reasons.ConfigReady]).toEqual([['merge Nacos'], 'Merged'])
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
    const ofSources: ClusterReader['get'] = (of, ref) => (ref.name === 'user' ? wrong() : cluster.get(of, ref))
    const sight = { cached: cluster, live: { ...cluster, get: ofSources, list: wrong, dryRun: wrong }, gone: () => [] }
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

  it('is merged once for the plan and the end of a turn', async () => {
    const { cluster } = nacosWorld(...SOURCES, nacosOf())
    const seen = await observe(KEY, { cached: cluster, live: cluster, gone: () => [] })
    const settings = settingsOf({})
    const first = seen && merged(seen, 'f', settings)
    expect(seen && merged(seen, 'f', settings)).toBe(first)
    expect(seen && merged(seen, 'f', settingsOf({ nacosProtectedKeys: ['b'] }))).toMatchObject({
      reason: 'ProtectedKey',
    })
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
