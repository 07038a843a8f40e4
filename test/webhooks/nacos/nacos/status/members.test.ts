import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { NACOS_POD } from '../../../../../webhooks/nacos/kubernetes.ts'
import { runningWorld } from '../../../../support/nacos-world.ts'

const of = (type: string, status = 'True') => ({ type, status })
const OTHERS = ['PodReadyToStartContainers', 'Initialized', 'ContainersReady', 'PodScheduled'].map((type) => of(type))
const owner = (rest: Tree) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'n', controller: true, ...rest }],
})

/** The members that count as ready where one of three is as given. */
async function readyWith(conditions: readonly Tree[], metadata: Tree) {
  const world = await runningWorld()
  const ref = { namespace: 'demo', name: 'n-2' }
  const pod = await world.cluster.get(NACOS_POD, ref)
  if (pod === undefined) throw new Error('it is there')
  await world.cluster.remove(NACOS_POD, ref)
  const { name, namespace = '', labels, ownerReferences } = pod.metadata
  const own = { name, namespace, labels, ownerReferences, ...metadata }
  await world.cluster.create(NACOS_POD, { ...pod, metadata: own, status: { conditions } })
  if (metadata.finalizers !== undefined) await world.cluster.remove(NACOS_POD, ref)
  return (await world.turn()).status.readyReplicas
}

describe('NC-REC-51, NC-TST-24 a member counts as ready by its condition of that type', () => {
  it.each<{ name: string; conditions: readonly Tree[]; metadata?: Tree; ready: number }>([
    { name: 'the last of five', conditions: [...OTHERS, of('Ready')], ready: 3 },
    { name: 'the first of five', conditions: [of('Ready'), ...OTHERS], ready: 3 },
    { name: 'the only one', conditions: [of('Ready')], ready: 3 },
    { name: 'false among four that are true', conditions: [...OTHERS, of('Ready', 'False')], ready: 2 },
    { name: 'unknown', conditions: [of('Ready', 'Unknown'), ...OTHERS], ready: 2 },
    { name: 'none of four', conditions: OTHERS, ready: 2 },
    { name: 'none at all', conditions: [], ready: 2 },
    { name: 'of a pod that terminates', conditions: [of('Ready')], metadata: { finalizers: ['a/b'] }, ready: 2 },
    {
      name: 'of a pod of an earlier StatefulSet',
      conditions: [of('Ready')],
      metadata: owner({ uid: 'other' }),
      ready: 2,
    },
    { name: 'of a pod that nothing controls', conditions: [of('Ready')], metadata: { ownerReferences: [] }, ready: 2 },
  ])('$name: $ready of 3', async ({ conditions, metadata = {}, ready }) => {
    expect(await readyWith(conditions, metadata)).toBe(ready)
  })
})
