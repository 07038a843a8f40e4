import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cachedReader } from '../../../../src/cluster/cached-reader.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { APPS_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { NODE } from '../../../../webhooks/kruise/kubernetes.ts'
import { podOfDaemonSet } from '../../../../webhooks/kruise/pod/kind.ts'
import { POD_FAILURE_POLICY } from '../../../../webhooks/kruise/settings.ts'
import { withSetting } from '../../../support/answerer-parts.ts'
import {
  admitted,
  diskIn,
  inEnv as env,
  NODE_OBJECT,
  ofContainer,
  ownedBy,
  type PodCase,
  type PodChange,
  recorded,
  withAnnotations,
} from '../../../support/daemonset-pods.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'

const affinityTo = (...terms: readonly object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
})
const fields = (...values: readonly string[]) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values }] })
const withSpec =
  (spec: object): PodChange =>
  (each) => ({ ...each, spec: { ...each.spec, ...spec } })

describe('PATCH-POD-10 the owner is looked up', () => {
  const patches = JSON.stringify([{ selector: { matchLabels: { disk: 'large' } }, patch: env('large') }])
  const daemonSet = (of: 'native' | 'kruise', more: object = {}, annotations = {}) => {
    const { daemonSet: made } = recorded(of)
    const metadata = { ...made.metadata, ...more }
    return withAnnotations({ ...made, metadata }, { 'daemonset.kruise.io/patches': patches, ...annotations })
  }
  const generation = (value: string) => ({ 'deprecated.daemonset.template.generation': value })
  it.each([
    { name: 'in the cache', cached: daemonSet('native'), live: undefined, disk: 'large', asks: 0 },
    { name: 'missing there, live', cached: undefined, live: daemonSet('native'), disk: 'large', asks: 2 },
    { name: 'gone, it has no patches', cached: undefined, live: undefined, disk: undefined, asks: 1 },
    {
      name: 'with another uid, live',
      cached: daemonSet('native', { uid: 'x' }),
      live: daemonSet('native'),
      disk: 'large',
      asks: 2,
    },
    {
      name: 'with another uid there too, it is gone',
      cached: daemonSet('native', { uid: 'x' }),
      live: daemonSet('native', { uid: 'x' }),
      disk: undefined,
      asks: 1,
    },
    {
      name: 'of an older template, live',
      cached: daemonSet('native', {}, generation('0')),
      live: daemonSet('native'),
      disk: 'large',
      asks: 2,
    },
    {
      name: 'of an older template without patches, live',
      cached: daemonSet('native', {}, { ...generation('0'), 'daemonset.kruise.io/patches': '' }),
      live: daemonSet('native'),
      disk: 'large',
      asks: 2,
    },
    {
      name: 'of an older template there too',
      cached: daemonSet('native', {}, generation('0')),
      live: daemonSet('native', {}, generation('0')),
      disk: 'large',
      asks: 2,
    },
  ])('$name', async ({ cached, live, disk, asks }) => {
    const reader = readerOf(NODE_OBJECT, ...(live ? [live] : []))
    const readers = { cached: readerOf(NODE_OBJECT, ...(cached ? [cached] : [])), live: reader }
    const { spec, words } = await admitted('', { parts: { readers } })
    expect([diskIn(spec), words, reader.reads.length]).toEqual([disk, 'allowed', asks])
  })

  it.each(['v1alpha1', 'v1beta1'])(
    'of OpenKruise in version %s, whichever its owner reference names',
    async (version) => {
      const stored = { ...daemonSet('kruise'), apiVersion: `apps.kruise.io/${version}` }
      for (const apiVersion of ['apps.kruise.io/v1alpha1', 'apps.kruise.io/v1beta1']) {
        const given: PodCase = {
          of: 'kruise',
          pod: ownedBy({ apiVersion }),
          parts: { readers: readersOf(NODE_OBJECT, stored) },
        }
        expect(diskIn((await admitted('', given)).spec)).toBe('large')
      }
    },
  )
})

describe('PATCH-POD-10, PATCH-POD-12 a live read takes half a second at most', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it.each([
    { of: 'DaemonSet', says: 'daemonset recorded/native: daemonsets could not be read in time' },
    { of: 'Node', says: 'daemonset recorded/native: node large-1: nodes could not be read in time' },
  ])('of the $of', async ({ of, says }) => {
    const { stored } = await admitted([env('large')])
    const there = readerOf(stored, NODE_OBJECT)
    const get: (typeof there)['get'] = (resource, ref) =>
      resource.kind === of ? new Promise(() => {}) : there.get(resource, ref)
    const readers = { cached: readerOf(of === 'Node' ? stored : NODE_OBJECT), live: { ...there, get } }
    const answer = vi.fn()
    void admitted('', { parts: { readers } }).then(({ words }) => answer(words))
    await vi.advanceTimersByTimeAsync(499)
    expect(answer).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(answer).toHaveBeenCalledWith(expect.stringContaining(`503 ServiceUnavailable: ${says}; `))
  })
})

describe('PATCH-POD-11 the Node of a pod', () => {
  const other = { ...NODE_OBJECT, metadata: { name: 'other', labels: { disk: 'large' } } }
  it.each([
    { name: 'by a field of its affinity', spec: affinityTo(fields('other')), disk: 'large' },
    {
      name: 'by the first of several terms that names one',
      spec: affinityTo({ matchExpressions: [] }, fields('other'), fields('large-1')),
      disk: 'large',
    },
    {
      name: 'by its name, whatever the affinity says',
      spec: { nodeName: 'other', ...affinityTo(fields('x')) },
      disk: 'large',
    },
    { name: 'an empty name is none', spec: { nodeName: '', ...affinityTo(fields('other')) }, disk: 'large' },
    { name: 'two values are none', spec: affinityTo(fields('other', 'large-1')), disk: undefined },
    {
      name: 'another operator is none',
      spec: affinityTo({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['other'] }] }),
      disk: undefined,
    },
    { name: 'no affinity is none', spec: { affinity: null }, disk: undefined },
  ])('$name', async ({ spec, disk }) => {
    const { spec: patched, words } = await admitted([env('large')], { node: other, pod: withSpec(spec) })
    expect(diskIn(patched)).toBe(disk)
    expect(words).toMatch(
      disk ? /^allowed$/ : /^503 .*daemonset recorded\/native: the pod names no Node; .* \(PATCH-POD-30\)$/,
    )
  })
})

describe('PATCH-POD-12 the labels of its Node', () => {
  it('come from a cache of metadata, and from one live read where it has none', async () => {
    const { stored } = await admitted([env('large')])
    const readers = { cached: readerOf(stored), live: readerOf(stored, NODE_OBJECT) }
    expect(diskIn((await admitted('', { parts: { readers } })).spec)).toBe('large')
    expect(readers.live.reads).toEqual(['get DaemonSet recorded/native', 'get Node /large-1'])
    const needs = podOfDaemonSet(settingsOf({})).reads.filter(({ resource }) => resource.kind === 'Node')
    expect(needs).toEqual([{ resource: NODE, keeps: { fields: ['metadata.labels'] }, asks: ['get'] }])
  })

  it('PATCH-POD-13 are read live until the caches are filled', async () => {
    const { stored } = await admitted([env('large')])
    const live = readerOf(stored, NODE_OBJECT)
    const empty = [APPS_DAEMONSET, NODE].map((resource) => ({ resource, carrying: [], inMemory: () => undefined }))
    const { spec } = await admitted('', { parts: { readers: { cached: cachedReader(empty, live), live } } })
    expect([diskIn(spec), live.reads.length]).toEqual(['large', 2])
  })

  it('an error of ours is none of theirs', async () => {
    const get = () => Promise.reject(new TypeError('broken'))
    const readers = { cached: { ...readerOf(), get }, live: { ...readerOf(), get } }
    await expect(admitted('', { parts: { readers } })).rejects.toThrow('broken')
  })
})

describe('PATCH-POD-30 a pod whose patches cannot be applied is refused', () => {
  const broken = ofContainer('agent', { env: [{ value: 'x' }] })
  const unknown = { ...NODE_OBJECT, metadata: { name: 'other' } }
  const cases = [
    {
      name: 'merge',
      patches: [env('a'), broken],
      says: /^422 Invalid: daemonset recorded\/native: node large-1: patch 1: spec\.containers\[0\]\.env.*merge key name.* \(PATCH-POD-30\)$/,
    },
    {
      name: 'node_not_found',
      node: unknown,
      says: /^503 ServiceUnavailable: daemonset recorded\/native: node large-1: does not exist; .* \(PATCH-POD-30\)$/,
    },
    {
      name: 'owner_lookup',
      away: ['DaemonSet', 'Node'],
      says: /^503 ServiceUnavailable: daemonset recorded\/native: the cluster is out of reach; .* \(PATCH-POD-30\)$/,
    },
    {
      name: 'node_lookup',
      away: ['Node'],
      says: /^503 ServiceUnavailable: daemonset recorded\/native: node large-1: the cluster is out of reach; .* \(PATCH-POD-30\)$/,
    },
  ]
  it.each(cases)('$name', async ({ patches = [env('a')], says, name: _, ...given }) => {
    const { words, response } = await admitted(patches, given)
    expect([words, response.allowed]).toEqual([expect.stringMatching(says), false])
  })

  it.each(cases)(
    'PATCH-POD-32 unless the operator or its DaemonSet prefers one without: $name',
    async ({ name, patches = [env('a')], says: _, ...given }) => {
      const parts = { settings: withSetting(POD_FAILURE_POLICY, 'Open') }
      const { patch, response } = await admitted(patches, { ...given, parts })
      expect([patch, response.allowed, response.warnings?.length]).toEqual([undefined, true, 1])
      expect(response.auditAnnotations).toEqual({ unpatched: name })
      const policy = (value: string) => ({ 'daemonset.kruise.io/patches-failure-policy': value })
      const isKnown = name !== 'owner_lookup'
      const open = await admitted(patches, { ...given, annotations: policy('Open') })
      expect(open.response.allowed).toBe(isKnown)
      const closed = await admitted(patches, { ...given, parts, annotations: policy('Closed') })
      expect(closed.response.allowed).toBe(!isKnown)
    },
  )
})
