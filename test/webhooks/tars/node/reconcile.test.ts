import { describe, expect, it } from 'vitest'
import { nodeController, plan } from '../../../../webhooks/tars/node/reconcile.ts'
import { LABEL_NODES } from '../../../../webhooks/tars/node/settings.ts'
import { NODE } from '../../../../webhooks/tars/pods.ts'
import { withSetting } from '../../../support/answerer-parts.ts'
import { clusterOf, NOW } from '../../../support/clusters.ts'
import { controllersWith, turnsOf } from '../../../support/turns.ts'

const aNode = (labels?: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1', uid: 'n', resourceVersion: '7', ...(labels && { labels }) },
  spec: { unschedulable: true },
})
const KEY = { namespace: '', name: 'n1' }

describe('ND-1 a Node that serves a namespace has label tars.io/node', () => {
  const labelled = (value: string | null) => [
    {
      do: 'merge',
      of: NODE,
      ref: KEY,
      expects: { uid: 'n', resourceVersion: '7' },
      patch: { metadata: { labels: { 'tars.io/node': value } } },
      because: 'ND-1',
    },
  ]

  it.each([
    { name: 'a Node without labels needs nothing', labels: undefined, actions: [] },
    { name: 'a Node that serves gets it', labels: { 'tars.io/node.demo': '' }, actions: labelled('') },
    { name: 'one that has it keeps it', labels: { 'tars.io/node.demo': 'x', 'tars.io/node': '' }, actions: [] },
    { name: 'its value is empty', labels: { 'tars.io/node.demo': '', 'tars.io/node': 'x' }, actions: labelled('') },
    { name: 'one that serves no more loses it', labels: { 'tars.io/node': '' }, actions: labelled(null) },
    {
      name: 'ND-2 neither ability nor local volumes count, nor labels of others',
      labels: { 'tars.io/ability.demo.App': '', 'tars.io/SupportLocalVolume': '', 'tars.io/nodes.demo': '' },
      actions: [],
    },
  ])('$name', ({ labels, actions }) => {
    expect(plan(aNode(labels))).toEqual({ actions })
  })

  it('ND-1, ND-2 on a cluster that one label is written, and all else stays', async () => {
    const cluster = clusterOf()
    const before = { 'tars.io/node.demo': '', 'tars.io/ability.demo.App': '', other: 'x' }
    const { metadata: _, ...rest } = aNode()
    cluster.seed([{ ...rest, metadata: { name: 'n1', labels: before } }])
    const turn = turnsOf('node', cluster)
    await turn(KEY, new Date(NOW))
    const labels = { ...before, 'tars.io/node': '' }
    expect(await cluster.get(NODE, KEY)).toMatchObject({ metadata: { labels }, spec: rest.spec })
    expect(await turn(KEY, new Date(NOW))).toMatchObject({ actions: [] })
    expect(await turn({ ...KEY, name: 'gone' }, new Date(NOW))).toBeUndefined()
  })

  it('ND-1 metadata alone is watched, and nothing where --label-nodes is off', () => {
    expect(nodeController.watches.map(({ keeps }) => keeps)).toEqual([{ fields: ['metadata.labels'] }])
    expect(controllersWith(withSetting(LABEL_NODES, false))).not.toContain(nodeController)
  })
})
