import { describe, expect, it } from 'vitest'
import { FEATURE_GATES } from '../../../../webhooks/kruise/settings.ts'
import { CTRL, withSetting } from '../../../support/answerer-parts.ts'
import {
  admitted,
  type DaemonSetChange,
  diskIn,
  inEnv as env,
  NODE_OBJECT,
  ownedBy,
  type PodCase,
  type PodChange,
  recorded,
  withAnnotations,
} from '../../../support/daemonset-pods.ts'
import { readerOf, UNREACHABLE } from '../../../support/fakes/readers.ts'

const stampOf = (result: unknown) => JSON.parse(JSON.stringify(result)).metadata.annotations ?? {}

describe('PATCH-POD-15 a pod is patched for the labels of its Node', () => {
  it.each(['native', 'native-host', 'kruise', 'kruise-host'] as const)('of %s, and stamped', async (of) => {
    const { spec, result, words } = await admitted([env('large'), { ...env('huge') }], { of })
    expect(words).toBe('allowed')
    expect(diskIn(spec)).toBe('huge')
    const { 'daemonset.kruise.io/patch-combined-hash': stamp, ...stamps } = stampOf(result)
    expect(stamp).toMatch(/^[0-9a-z]+-[0-9a-f]{32}$/)
    expect(stamps).toMatchObject({
      'daemonset.kruise.io/applied-patches': '0,1',
      'daemonset.kruise.io/patched-template-hash': expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it('PATCH-HASH-4 the stamp begins with the revision of the controller, and lists what applied, in order', async () => {
    const selector = { matchLabels: { disk: 'large' } }
    const { result } = await admitted([
      { selector, patch: env('a'), priority: 1 },
      { selector: { matchLabels: { disk: 'small' } }, patch: {} },
      { selector, patch: { spec: { hostNetwork: true } } },
    ])
    const revision = Object(recorded('native').pod.metadata.labels)['controller-revision-hash']
    expect(stampOf(result)['daemonset.kruise.io/applied-patches']).toBe('2,0')
    expect(stampOf(result)['daemonset.kruise.io/patch-combined-hash']).toMatch(
      new RegExp(`^${revision}-5b46b87ec121e778[0-9a-f]{16}$`),
    )
  })

  it('PATCH-POD-14 where none applies nothing changes, and nothing is stamped', async () => {
    const node = { ...NODE_OBJECT, metadata: { name: 'large-1' } }
    const { patch, words, response } = await admitted([env('large')], { node })
    expect([patch, words, response.auditAnnotations]).toEqual([undefined, 'allowed', undefined])
  })

  it('what applied is in the audit log, without a warning that nobody reads', async () => {
    const { response } = await admitted([env('large')])
    expect(response).toMatchObject({ auditAnnotations: { applied: '0' } })
    expect(response).not.toHaveProperty('warnings')
  })

  it('PATCH-ORD-3 a list that cannot be read leaves the pod as the template says', async () => {
    const { patch, response } = await admitted('[{]')
    expect([patch, response.allowed, response.auditAnnotations]).toEqual([undefined, true, { unpatched: 'parse' }])
  })

  it('PATCH-POD-18 a dry run gets the same answer', async () => {
    const [wet, dry] = [await admitted([env('large')]), await admitted([env('large')], { dryRun: true })]
    expect(dry.patch).toEqual(wet.patch)
  })
})

describe('PATCH-POD-4 what has no patches is let through at once', () => {
  const off = { settings: withSetting(FEATURE_GATES, ['AdvancedDaemonSetNodeLabelPatches=false']) }
  it.each<{ name: string; given: PodCase; patches?: string; reads: number }>([
    { name: 'a DaemonSet without a list', given: {}, patches: '', reads: 1 },
    { name: 'the gate off', given: { parts: off }, reads: 0 },
    {
      name: 'a pod without an owner',
      given: { pod: (each) => ({ ...each, metadata: { ...each.metadata, ownerReferences: null } }) },
      reads: 0,
    },
    ...[
      { kind: 'ReplicaSet' },
      { apiVersion: 'extensions/v1beta1' },
      { controller: false },
      { apiVersion: 'apps.example/v1' },
    ].map((part) => ({
      name: `an owner with ${JSON.stringify(part)}`,
      given: { pod: ownedBy(part) },
      reads: 0,
    })),
  ])(
    '$name',
    async ({
      given,
      patches = JSON.stringify([{ selector: { matchLabels: { disk: 'large' } }, patch: env('a') }]),
      reads,
    }) => {
      const { stored } = await admitted(patches)
      const cached = readerOf(NODE_OBJECT, ...(stored ? [stored] : []))
      const { patch, words } = await admitted(patches, {
        ...given,
        parts: { ...given.parts, readers: { cached, live: UNREACHABLE } },
      })
      expect([patch, words, cached.reads.length]).toEqual([undefined, 'allowed', reads])
    },
  )
})

describe('PATCH-POD-17 a pod is not merged twice', () => {
  const again = async (pod: unknown, given: PodCase = {}) => admitted([env('large')], { ...given, pod: () => pod })
  it('a second call changes nothing', async () => {
    const { result } = await admitted([env('large')])
    expect((await again(result)).patch).toBeUndefined()
  })
  it('a stamp that came with copied YAML is replaced, and taken away where none applies', async () => {
    const stamped = withAnnotations(
      { metadata: { name: 'x' } },
      { 'daemonset.kruise.io/patch-combined-hash': '1-2', 'daemonset.kruise.io/applied-patches': '9' },
    )
    const pod: PodChange = (each) => ({
      ...each,
      metadata: { ...each.metadata, annotations: stamped.metadata.annotations },
    })
    const { result, spec } = await admitted([env('large')], { pod })
    expect(diskIn(spec)).toBe('large')
    expect(stampOf(result)).toMatchObject({ 'daemonset.kruise.io/applied-patches': '0' })
    for (const none of ['', JSON.stringify([{ selector: { matchLabels: { disk: 'x' } }, patch: {} }])])
      expect(stampOf((await admitted(none, { pod })).result)).toEqual({})
  })
  it('the expected stamp proves nothing where the template carries it', async () => {
    const { result } = await admitted([env('large')])
    const { annotations } = JSON.parse(JSON.stringify(result)).metadata
    const bare = withAnnotations({ metadata: { name: 'x' } }, annotations).metadata
    const daemonSet: DaemonSetChange = ({ spec, ...each }) => ({
      ...each,
      spec: { ...spec, template: { ...spec.template, metadata: { annotations } } },
    })
    const pod: PodChange = (each) => ({ ...each, metadata: { ...each.metadata, annotations: bare.annotations } })
    expect(diskIn((await admitted([env('large')], { pod, daemonSet })).spec)).toBe('large')
  })
  it('what the built-in controller has stamped stays', async () => {
    const { result } = await admitted([env('other')])
    expect((await again(result, { user: CTRL })).patch).toBeUndefined()
    expect((await admitted('', { pod: () => result, user: CTRL })).patch).toBeUndefined()
    expect((await again(result)).patch).toBeDefined()
  })
})
