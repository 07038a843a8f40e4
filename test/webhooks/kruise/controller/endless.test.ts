import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { due, paced, type Recurrences } from '../../../../webhooks/kruise/controller/pace.ts'
import { POD } from '../../../../webhooks/kruise/controller/resources.ts'
import { ENABLE_DAEMONSET_CONTROLLER } from '../../../../webhooks/kruise/settings.ts'
import { withSetting } from '../../../support/answerer-parts.ts'
import { NOW } from '../../../support/clusters.ts'
import { aKruiseDaemonSet, aNode, DaemonWorld, KEY } from '../../../support/daemon-world.ts'
import { turnsOf } from '../../../support/turns.ts'

const NODES = [aNode('n1', { disk: 'large' }), aNode('n2')]
const patching = (patch: Tree) => ({ patches: [{ selector: { matchLabels: { disk: 'large' } }, patch }] })
const template = (metadata: Tree = {}, image = 'agent:1') => ({
  template: { metadata: { labels: { app: 'agent' }, ...metadata }, spec: { containers: [{ name: 'agent', image }] } },
})
const BOTH = ['n1 agent:1', 'n2 agent:1']
const OWN = 'TemplateOfPod'

/** No webhook has seen these lists and templates: the gate was off, or it was away. */
describe('PATCH-CTL-16 no pods without end', () => {
  it.each<{ name: string; spec: Tree; pods: readonly string[]; reason: string }>([
    {
      name: 'a patch of a label that the selector names',
      spec: patching({ metadata: { labels: { app: 'other' } } }),
      pods: ['n2 agent:1'],
      reason: 'NodePatchFailed',
    },
    {
      name: 'a patch that moves pods to another node',
      spec: patching({ spec: { nodeName: 'n2' } }),
      pods: ['n2 agent:1'],
      reason: 'NodePatchFailed',
    },
    {
      name: 'a template that the selector does not name',
      spec: template({ labels: { app: 'x' } }),
      pods: [],
      reason: 'SelectorMismatch',
    },
    {
      name: 'a selector of one revision',
      spec: {
        ...template({ labels: { 'controller-revision-hash': 'h' } }),
        selector: { matchLabels: { 'controller-revision-hash': 'h' } },
      },
      pods: [],
      reason: 'SelectorMismatch',
    },
    {
      name: 'PATCH-CTL-13 a template with the stamp of a pod',
      spec: template({ annotations: { 'daemonset.kruise.io/patch-combined-hash': 'abc-0123456789abcdef' } }),
      pods: BOTH,
      reason: OWN,
    },
    {
      name: 'a template of a pod that was about to go',
      spec: template({ labels: { app: 'agent', 'lifecycle.apps.kruise.io/state': 'PreparingDelete' } }),
      pods: BOTH,
      reason: OWN,
    },
  ])('of $name, with an event', async ({ spec, pods, reason }) => {
    const made = new DaemonWorld(NODES, aKruiseDaemonSet(spec))
    const { writes, reasons } = await made.settle()
    expect(await made.pods()).toEqual(pods)
    expect(writes.filter((write) => write.endsWith(' Pod') && write !== 'merge Pod')).toEqual(
      pods.map(() => 'create Pod'),
    )
    expect(reasons).toEqual([reason])
  })

  it('an old pod stays where no new one could take its place', async () => {
    const made = new DaemonWorld(NODES, aKruiseDaemonSet())
    await made.settle()
    await made.change({
      spec: { ...template({}, 'agent:2'), ...patching({ metadata: { labels: { app: 'other' } } }) },
    })
    expect((await made.settle()).reasons).toEqual(['NodePatchFailed'])
    expect(await made.pods()).toContain('n1 agent:1')
  })

  it.each<{ name: string; others: Tree }>([
    { name: 'their labels', others: { labels: { app: 'other' } } },
    { name: 'their hash', others: { labels: { 'controller-revision-hash': 'other' } } },
    { name: 'their stamp', others: { annotations: { 'daemonset.kruise.io/patch-combined-hash': 'x-1' } } },
    { name: 'their lifecycle', others: { labels: { 'lifecycle.apps.kruise.io/state': 'PreparingDelete' } } },
  ])('where another webhook changes $name: fewer and fewer, with an event', async ({ others }) => {
    const made = new DaemonWorld([aNode('n1')], aKruiseDaemonSet())
    made.fate.others = others
    const { writes, reasons } = await made.settle(60_000)
    expect(writes.filter((write) => write === 'create Pod').length).toBeLessThan(9)
    expect(writes.filter((write) => write === 'remove Pod').length).toBeLessThan(9)
    expect(reasons).toContain('DaemonPodsShortLived')
  })

  it('a pod that is never new stays until the next one may be made', async () => {
    const made = new DaemonWorld([aNode('n1')], aKruiseDaemonSet())
    made.fate.others = { labels: { 'controller-revision-hash': 'other' } }
    await made.settle(60_000)
    expect(await made.pods()).toEqual(['n1 agent:1'])
  })

  it('PATCH-CTL-15 of pods that end, as of those that fail', async () => {
    const made = new DaemonWorld([aNode('n1')], aKruiseDaemonSet())
    made.fate.phases.set('n1', 'Succeeded')
    const { writes, reasons } = await made.settle(10_000)
    expect(writes.filter((write) => write === 'create Pod').length).toBeLessThan(6)
    expect(reasons).toEqual(['SucceededDaemonPod'])
  })

  const MENDED = { spec: template({}, 'agent:2') }
  const OTHER_LIST = { spec: patching({ spec: { containers: [{ name: 'agent', image: 'agent:3' }] } }) }
  it.each<{ name: string; everyMs: number; change: Tree; left: readonly string[] }>([
    { name: 'at once are made later and later', everyMs: 1_000, change: {}, left: [] },
    { name: 'but at once when the template is mended', everyMs: 1_000, change: MENDED, left: ['n1 agent:2'] },
    { name: 'or the list', everyMs: 1_000, change: OTHER_LIST, left: ['n1 agent:3'] },
    { name: 'after minutes are removed later and later', everyMs: 150_000, change: {}, left: ['n1 agent:1'] },
    { name: 'but at once when the template is mended', everyMs: 150_000, change: MENDED, left: [] },
    { name: 'or the list', everyMs: 150_000, change: OTHER_LIST, left: [] },
  ])('PATCH-CTL-15 pods that fail $name ($everyMs ms)', async ({ everyMs, change, left }) => {
    const node = aNode('n1', { disk: 'large' })
    const made = new DaemonWorld([node], aKruiseDaemonSet({ updateStrategy: { type: 'OnDelete' } }))
    const turn = turnsOf('daemonset', made.cluster, [], withSetting(ENABLE_DAEMONSET_CONTROLLER, true))
    const turnAt = (index: number) => turn(KEY, new Date(Date.parse(NOW) + index * everyMs))
    for (let index = 0; index < 63; index += 1) {
      await turnAt(index)
      for (const { metadata } of await made.cluster.list(POD, { namespace: 'demo' }))
        await made.cluster.merge(POD, { namespace: 'demo', name: metadata.name }, { status: { phase: 'Failed' } })
    }
    await made.change(change)
    await turnAt(63)
    expect(await made.pods()).toEqual(left)
  })
})

describe('PATCH-CTL-15 what happens again and again', () => {
  const moment = (nowMs: number) => ({ nowMs, restMs: 120_000 })
  const after = (times: readonly number[]) =>
    times.reduce<Recurrences>((pace, nowMs) => paced(pace, ['n1'], moment(nowMs)), new Map())
  it.each([
    { name: 'nothing waits at first', times: [], wait: [] },
    { name: 'a second after the first time', times: [0], wait: [1_000] },
    { name: 'twice as long each time', times: [0, 0, 0], wait: [4_000] },
    { name: 'fifteen minutes at most', times: Array.from({ length: 40 }, () => 0), wait: [900_000] },
    { name: 'from the beginning after a rest', times: [-900_000, -900_000, 0], wait: [1_000] },
  ])('$name', ({ times, wait }) => {
    const found = due(['n1'], (each) => each, after(times), 0)
    expect([found.waits, found.now]).toEqual([wait, wait.length === 0 ? ['n1'] : []])
  })
})
