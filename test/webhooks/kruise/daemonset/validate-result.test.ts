import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { KRUISE_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { findingsIn, wordsTo } from './reviewed.ts'

const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
const spec = (fields: Tree) => ({ spec: fields })
const agent = (fields: Tree) => spec({ containers: [{ name: 'agent', ...fields }] })
const labels = (fields: Tree) => ({ metadata: { labels: fields } })
const onDisk = (disk: string, patch: unknown) => anEntry(patch, { selector: { matchLabels: { disk } } })
const where = (key: string, patch: unknown) =>
  anEntry(patch, { selector: { matchExpressions: [{ key, operator: 'Exists' }] } })
const aNode = (name: string, labels: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { namespace: '', name, labels },
})

describe('the result of a patch', () => {
  it('PATCH-V-14 a directive that works nowhere is told once', async () => {
    const inert = anEntry(spec({ tolerations: [{ key: 'a', $patch: 'delete' }] }))
    const found = await findingsIn(aDaemonSet({ annotation: [inert] }))
    expect(found.filter((each) => each.startsWith('PATCH-V-14'))).toHaveLength(1)
  })
  it('PATCH-V-10 may not touch a label that an expression of the selector names', async () => {
    const { spec: before, ...rest } = aDaemonSet({ annotation: [anEntry(labels({ tier: 'x' }))] })
    const matchExpressions = [{ key: 'tier', operator: 'DoesNotExist' }, 'no expression']
    const found = await findingsIn({ ...rest, spec: { ...before, selector: { ...before.selector, matchExpressions } } })
    expect(found.filter((each) => each.startsWith('PATCH-V-10'))).toHaveLength(1)
  })
  it.each([
    {
      name: 'PATCH-V-14 has no directive left',
      bad: spec({ affinity: { podAffinity: { $retainKeys: [] } } }),
      good: spec({ containers: [{ name: 'agent', env: [{ name: 'a', $patch: 'delete' }] }] }),
      path: '.spec.affinity.podAffinity.$retainKeys',
      text: 'directive $retainKeys has no effect here: nothing there to apply it to',
    },
    {
      name: 'PATCH-V-17 can be merged',
      bad: agent({ image: 'x', $retainKeys: ['name'] }),
      good: agent({ image: 'x' }),
      path: '',
      text: 'cannot be applied: ',
    },
    {
      name: 'PATCH-V-18 is a valid pod',
      bad: agent({ ports: [{ containerPort: 0 }] }),
      good: agent({ ports: [{ containerPort: 1 }] }),
      path: '.spec.containers[0].ports[0].containerPort',
      text: 'must be between 1 and 65535',
    },
    {
      name: 'PATCH-V-18 keeps its image',
      bad: agent({ image: '' }),
      good: agent({ image: 'b' }),
      path: '.spec.containers[0].image',
      text: 'a container needs an image',
    },
    {
      name: 'PATCH-V-21 has an image in a new container',
      bad: spec({ containers: [{ name: 'sidecar', env: [] }] }),
      good: spec({ containers: [{ name: 'sidecar', image: 'b' }] }),
      path: '.spec.containers[0]',
      text: 'container "sidecar" is not in the template; a new container needs an image',
    },
  ])('$name', async ({ name, bad, good, path, text }) => {
    const [id = ''] = name.split(' ')
    const [decision = ''] = await wordsTo(aDaemonSet({ annotation: [anEntry(bad)] }))
    expect(decision).toContain(`422 Invalid: ${AT}[0].patch${path}: ${text}`)
    expect(decision).toMatch(new RegExp(`\\(${id}\\)$`))
    expect((await findingsIn(aDaemonSet({ annotation: [anEntry(good)] }))).filter((each) => each.includes(id))).toEqual(
      [],
    )
  })

  it('PATCH-V-11 still matches a selector that has changed', async () => {
    const annotation = [anEntry(labels({ v: 'x' }))]
    const selecting = (matchLabels: Tree, template: Tree) => {
      const made = aDaemonSet({
        annotation,
        template: { ...labels(template), spec: { containers: [{ name: 'agent', image: 'b' }] } },
      })
      return { ...made, spec: { ...made.spec, selector: { matchLabels } } }
    }
    const prev = selecting({ app: 'agent' }, { app: 'agent' })
    const next = selecting({ app: 'agent', v: 'y' }, { app: 'agent', v: 'y' })
    const [decision = ''] = await wordsTo(next, { prev })
    expect(decision).toBe(
      `422 Invalid: ${AT}[0].patch.metadata.labels: patched labels no longer match spec.selector; leave the labels of the selector as they are (PATCH-V-11)`,
    )
    expect(await findingsIn(selecting({ app: 'agent' }, { app: 'agent', v: 'y' }), { prev })).toEqual([])
  })

  it('what is wrong with the template is not laid on the patch', async () => {
    const template = { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'agent' }] } }
    expect(await findingsIn(aDaemonSet({ annotation: [anEntry(agent({ env: [] }))], template }))).toEqual([])
  })
})

describe('PATCH-V-18 samples', () => {
  const requests = onDisk('large', agent({ resources: { requests: { cpu: '2' } } }))
  const limits = (entry: typeof onDisk | typeof where, key: string) =>
    entry(key, agent({ resources: { limits: { cpu: '1' } } }))
  const path = `${AT}[0].patch.spec.containers[0].resources.requests.cpu`
  const large = aNode('n1', { disk: 'large' })
  const both = aNode('n2', { disk: 'large', gpu: '' })

  it.each([
    {
      name: 'entries that exclude each other warn',
      list: [requests, limits(onDisk, 'small')],
      nodes: [large],
      found: [`-PATCH-V-18 ${path}`],
    },
    {
      name: 'entries that meet on no Node warn',
      list: [requests, limits(where, 'gpu')],
      nodes: [large],
      found: [`-PATCH-V-18 ${path}`],
    },
    {
      name: 'entries that meet on a Node are refused',
      list: [requests, limits(where, 'gpu')],
      nodes: [large, both],
      found: [`PATCH-V-18 ${path}`],
    },
    { name: 'one alone is fine', list: [requests], nodes: [large, both], found: [] },
  ])('$name', async ({ list, nodes, found }) => {
    const given = { readers: readersOf(...nodes) }
    const results = await findingsIn(aDaemonSet({ annotation: list }), given)
    expect(results.filter((each) => each.includes('PATCH-V-18'))).toEqual(found)
  })

  it('the Nodes come from the cache alone', async () => {
    const cached = readersOf(both)
    const readers = { ...cached, live: { ...cached.live, list: () => Promise.reject(new Error('live')) } }
    const results = await findingsIn(aDaemonSet({ annotation: [requests, limits(where, 'gpu')] }), { readers })
    expect(results).toContain(`PATCH-V-18 ${path}`)
  })
})

describe('PATCH-RAT-3 ratcheting of results', () => {
  const bad = anEntry(agent({ ports: [{ containerPort: 0 }] }))
  const sidecar = { ...anEntry(), patch: spec({ containers: [{ name: 'sidecar', env: [] }] }) }
  const template = (...names: readonly string[]) => ({
    metadata: { labels: { app: 'agent' } },
    spec: { containers: names.map((name) => ({ name, image: 'b' })) },
  })
  it.each([
    {
      name: 'what the old template brought too warns',
      list: [bad],
      old: template('agent'),
      now: template('agent', 'other'),
      found: [`-PATCH-V-18 ${AT}[0].patch.spec.containers[0].ports[0].containerPort`],
    },
    {
      name: 'what the new template breaks is refused',
      list: [sidecar],
      old: template('agent', 'sidecar'),
      now: template('agent'),
      found: [`PATCH-V-21 ${AT}[0].patch.spec.containers[0]`],
    },
    {
      name: 'what a new entry brings is refused',
      before: [],
      list: [bad],
      old: template('agent'),
      now: template('agent'),
      found: [`PATCH-V-18 ${AT}[0].patch.spec.containers[0].ports[0].containerPort`],
    },
    {
      name: 'what the new template breaks is refused of an entry that is too large, too',
      list: [{ ...sidecar, patch: { ...sidecar.patch, metadata: { annotations: { a: 'b'.repeat(1_024) } } } }],
      old: template('agent', 'sidecar'),
      now: template('agent'),
      found: [`PATCH-V-21 ${AT}[0].patch.spec.containers[0]`],
    },
    {
      name: 'but not of one that applies nowhere',
      list: [{ ...sidecar, selector: {} }],
      old: template('agent', 'sidecar'),
      now: template('agent'),
      found: [],
    },
    {
      name: 'a new entry beside it does not bring it back',
      list: [bad, anEntry({ spec: { hostNetwork: false } })],
      old: template('agent'),
      now: template('agent'),
      found: [`-PATCH-V-18 ${AT}[0].patch.spec.containers[0].ports[0].containerPort`],
    },
  ])('$name', async ({ list, before = list.slice(0, 1), old, now, found }) => {
    const prev = aDaemonSet({ annotation: before, template: old })
    const readers = readersOf(aNode('n', { disk: 'large' }))
    const results = await findingsIn(aDaemonSet({ annotation: list, template: now }), { prev, readers })
    expect(results.filter((each) => /V-(18|21)/.test(each))).toEqual(found)
  })
})

describe('SMP-SEED-1 the two cases of the proposal are accepted', () => {
  const template = (name: string) => ({
    metadata: { labels: { app: 'agent' } },
    spec: { containers: [{ name, image: `${name}:latest`, env: [{ name: 'LOCAL_CACHE_SIZE', value: '500Gi' }] }] },
  })
  const nydus = {
    selector: { matchLabels: { 'node-role/nydus-storage': 'large' } },
    patch: {
      spec: {
        containers: [
          {
            name: 'nydusd',
            env: [
              { name: 'LOCAL_CACHE_SIZE', value: '2Ti' },
              { name: 'FEATURE_GATE_LARGE_DISK', value: 'true' },
            ],
          },
        ],
      },
    },
  }
  const gpu = {
    selector: { matchLabels: { accelerator: 'nvidia-tesla-v100' } },
    patch: {
      spec: {
        containers: [
          {
            name: 'monitor',
            resources: { requests: { 'nvidia.com/gpu': 1, memory: '2Gi' } },
            env: [{ name: 'GPU_MONITORING', value: 'enabled' }],
          },
        ],
      },
    },
  }
  it.each([
    { name: 'nydusd', entry: nydus },
    { name: 'monitor', entry: gpu },
  ])('$name', async ({ name, entry }) => {
    const daemonSet = aDaemonSet({ field: [entry], template: template(name) })
    const [decision] = await wordsTo({ ...daemonSet, apiVersion: 'apps.kruise.io/v1beta1' }, { of: KRUISE_DAEMONSET })
    expect(decision).toBe('allowed')
  })
})
