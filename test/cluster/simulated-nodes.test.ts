import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'

describe('simulated nodes', () => {
  const cluster = theCluster()
  let nodes: SimulatedNodes | undefined

  beforeAll(async () => {
    nodes = await simulatedNodes(cluster, ['red', 'blue'])
  }, 300_000) // kwok is built the first time

  afterAll(() => nodes?.stop())

  it('let a Deployment become available', async () => {
    const create = ['create', 'deployment', 'tea', '--image=example.com/tea', '--replicas=2']
    expect(await cluster.kubectl(create)).toMatchObject({ code: 0 })
    expect(await cluster.kubectl(['rollout', 'status', 'deployment/tea', '--timeout=30s'])).toMatchObject({ code: 0 })
  })

  it('each get a pod of a DaemonSet', async () => {
    const template = {
      metadata: { labels: { app: 'milk' } },
      spec: { containers: [{ name: 'milk', image: 'example.com/milk' }] },
    }
    const daemonSet = { metadata: { name: 'milk' }, spec: { selector: { matchLabels: { app: 'milk' } }, template } }
    const path = '/apis/apps/v1/namespaces/default/daemonsets'
    expect(await cluster.request('POST', path, daemonSet)).toMatchObject({ status: 201 })
    expect(await cluster.kubectl(['rollout', 'status', 'daemonset/milk', '--timeout=30s'])).toMatchObject({ code: 0 })
    const { stdout } = await cluster.kubectl([
      'get',
      'pods',
      '-l',
      'app=milk',
      '-o',
      'jsonpath={.items[*].spec.nodeName}',
    ])
    expect(stdout.split(' ').toSorted()).toEqual(['blue', 'red'])
  })

  it('let a pod go when it is deleted', async () => {
    const remove = ['delete', 'deployment/tea', 'daemonset/milk', '--cascade=foreground', '--timeout=40s']
    expect(await cluster.kubectl(remove)).toMatchObject({ code: 0 })
    expect(await cluster.kubectl(['get', 'pods', '-o', 'name'])).toMatchObject({ code: 0, stdout: '' })
  })
})
