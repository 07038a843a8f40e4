import { describe, expect, it } from 'vitest'
import { readingOf } from '../../../../webhooks/kruise/list/reading.ts'
import { anExplanation, patchFor, toExplain } from '../../../support/builders/explanations.ts'
import { aDaemonPod, entryFor, LARGE, marked } from '../../../support/builders/rollouts.ts'

const LABELS = { disk: 'large', gpu: 'yes' }

describe('PATCH-DBG-1 groups of Nodes for which the same patches apply', () => {
  it('most patches first, each with its entries in order and with the labels that decide', () => {
    const list = [patchFor('disk', 'large', { image: 'a:2' }, 5), patchFor('gpu', 'yes', { tty: true })]
    const nodes = { a: { disk: 'large', other: 'x' }, b: LABELS, c: {}, d: { disk: 'large', other: 'y' } }
    const { groups, patches } = anExplanation({ list, nodes })
    expect(groups.map(({ nodes, applied, labels }) => ({ nodes, applied, labels }))).toEqual([
      { nodes: ['b'], applied: [1, 0], labels: ['disk=large,gpu=yes'] },
      { nodes: ['a', 'd'], applied: [0], labels: ['disk=large,!gpu'] },
      { nodes: ['c'], applied: [], labels: ['!disk,!gpu'] },
    ])
    expect(patches.map(({ selector, priority, nodes }) => ({ selector, priority, nodes }))).toEqual([
      { selector: 'disk=large', priority: 5, nodes: 3 },
      { selector: 'gpu=yes', priority: 0, nodes: 1 },
    ])
  })

  it('different patches that come to the same are not one group', () => {
    const list = [patchFor('disk', 'large', { tty: true }), patchFor('disk', 'small', { tty: true })]
    const { groups } = anExplanation({ list, nodes: { a: { disk: 'large' }, b: { disk: 'small' } } })
    expect(groups.map(({ applied }) => applied)).toEqual([[0], [1]])
  })

  it('with the stamp that a pod made now gets, and none where nothing applies', () => {
    const { daemonSet } = toExplain()
    const choice = readingOf(daemonSet).choiceFor({ disk: 'large' })
    const [large, plain] = anExplanation().groups
    expect(large?.stamp).toEqual({ component: choice.component, applied: '0', templateHash: choice.templateHash() })
    expect(plain).toMatchObject({ applied: [], changes: [] })
    expect(plain?.stamp).toBeUndefined()
  })

  it('with the whole template that its pods are made of', () => {
    const list = [patchFor('disk', 'large', { image: 'a:2' })]
    const [large, plain] = anExplanation({ list, nodes: { a: { disk: 'large' }, b: {} } }).groups
    const { template } = readingOf(toExplain({ list }).daemonSet)
    expect(plain?.template).toEqual(template)
    expect(large?.template).toEqual({
      ...template,
      spec: { containers: [expect.objectContaining({ name: 'agent', image: 'a:2' })] },
    })
  })

  it('what cannot be merged says so, and the other groups are explained', () => {
    const list = [patchFor('disk', 'large', { $patch: 'merge' })]
    const [broken, plain] = anExplanation({ list }).groups
    expect(broken).toMatchObject({ problem: expect.stringContaining('patch 0: '), changes: [] })
    expect(broken?.stamp).toBeUndefined()
    expect(plain?.problem).toBeUndefined()
  })

  it('a list that cannot be read acts as none (PATCH-ORD-3)', () => {
    const { unreadable, patches, groups } = anExplanation({ list: '[{]' })
    expect(unreadable).toContain('PATCH-V-02')
    expect(patches).toEqual([])
    expect(groups.map(({ applied }) => applied)).toEqual([[]])
  })
})

describe('PATCH-DBG-1 pods', () => {
  it.each([
    { name: 'with what their Node calls for are current', pod: aDaemonPod({ by: [LARGE] }), is: { state: 'current' } },
    {
      name: 'so is one without a stamp where nothing applies',
      pod: aDaemonPod({ node: 'n3' }),
      is: { state: 'current' },
    },
    { name: 'without a stamp are unpatched', pod: aDaemonPod(), is: { state: 'unpatched' } },
    {
      name: 'of another patch are stale',
      pod: aDaemonPod({ by: [entryFor('large', 'old')] }),
      is: { state: 'stale', reason: 'PatchChanged' },
    },
    { name: 'may be marked', pod: marked(aDaemonPod()), is: { state: 'marked', reason: 'PatchChanged' } },
    { name: 'may be ending', pod: aDaemonPod({ status: { phase: 'Failed' } }), is: { state: 'ending' } },
  ])('$name', ({ pod, is }) => {
    const pods = anExplanation({ pods: [pod] }).groups.flatMap((group) => group.pods)
    expect(pods).toEqual([{ name: pod.metadata.name, node: pod.spec.nodeName, ...is }])
  })

  it('of unknown Nodes are in no group', () => {
    expect(anExplanation({ pods: [aDaemonPod({ node: 'gone' })] }).groups.flatMap(({ pods }) => pods)).toEqual([])
  })
})

describe('PATCH-DBG-1 limits', () => {
  const sized = (bytes: number) => patchFor('disk', 'large', { image: 'a'.repeat(bytes - 53) })
  it.each([
    { bytes: 800, state: 'far' },
    { bytes: 820, state: 'near' },
    { bytes: 1_024, state: 'near' },
    { bytes: 1_025, state: 'over' },
  ])('$bytes bytes of 1,024 are $state', ({ bytes, state }) => {
    const [ofList, ofPatch] = anExplanation({ list: [sized(bytes)] }).limits
    expect(ofPatch).toEqual({ of: 'patch 0', is: bytes, most: 1_024, unit: 'bytes', state })
    expect(ofList).toEqual({ of: 'patches in the list', is: 1, most: 10, unit: 'patches', state: 'far' })
  })

  it('a list of more than ten is over its limit', () => {
    const list = Array.from({ length: 11 }, () => LARGE)
    expect(anExplanation({ list }).limits[0]).toMatchObject({ is: 11, state: 'over' })
  })
})
