import { describe, expect, it } from 'vitest'
import { aKruiseDaemonSet, aNode, DaemonWorld } from '../../../support/daemon-world.ts'

const NODES = [aNode('n1', { disk: 'large' }), aNode('n2')]
const patchTo = (image: string) => [
  { selector: { matchLabels: { disk: 'large' } }, patch: { spec: { containers: [{ name: 'agent', image }] } } },
]
const template = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent:2' }] } }
const OFF = { featureGates: ['AdvancedDaemonSetNodeLabelPatches=false'] }
const [PLAIN, PATCHED] = [
  ['n1 agent:1', 'n2 agent:1'],
  ['n1 agent:large', 'n2 agent:1'],
]

describe('PATCH-GATE-1 the built-in controller with the gate off', () => {
  const world = () => new DaemonWorld(NODES, aKruiseDaemonSet({ patches: patchTo('agent:large') }))
  const patched = async () => {
    const made = world()
    await made.settle()
    return made
  }

  it('makes pods of the template alone, and patches them when it is on again', async () => {
    const made = world()
    await made.settle(600, OFF)
    expect(await made.pods()).toEqual(PLAIN)
    await made.settle()
    expect(await made.pods()).toEqual(PATCHED)
  })

  it.each([
    { name: 'as it is', change: {}, pods: PATCHED },
    { name: 'with another list', change: { patches: patchTo('agent:huge') }, pods: PATCHED },
    { name: 'with another template', change: { template }, pods: ['n1 agent:2', 'n2 agent:2'] },
  ])('leaves running pods of a DaemonSet $name', async ({ change, pods }) => {
    const made = await patched()
    await made.change({ spec: change })
    await made.settle(600, OFF)
    expect(await made.pods()).toEqual(pods)
    expect((await made.daemonSet())?.status).toMatchObject({ updatedNumberScheduled: 2 })
    expect((await made.settle(600, OFF)).writes).toEqual([])
  })
})
