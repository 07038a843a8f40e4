import { beforeEach, describe, expect, it } from 'vitest'
import type { MemoryCluster } from '../../../src/cluster/memory/memory-cluster.ts'
import { needsOf } from '../../../src/cluster/needs.ts'
import { IMITATOR, imitations } from '../../../src/process/imitation.ts'
import { asCluster, memoryCluster } from '../../../src/process/memory-cluster.ts'
import { settle } from '../../../src/reconcile/settle.ts'
import { settingsOf } from '../../../src/setting.ts'
import { POD } from '../../../webhooks/tars/pods.ts'
import { DAEMONSET, STATEFULSET } from '../../../webhooks/tars/workloads.ts'
import { at } from '../../support/builders/trees.ts'

let memory: MemoryCluster
beforeEach(() => {
  memory = memoryCluster([])
})
const REF = { namespace: 'demo', name: 'echo' }
const workload = (kind: string, spec: object) => ({ apiVersion: 'apps/v1', kind, metadata: REF, spec })
const template = (image: string, readinessGates: readonly object[] = []) => ({
  metadata: { labels: { app: 'echo' } },
  spec: { containers: [{ name: 'echo', image }], readinessGates },
})

const turns = () => {
  const cluster = asCluster(memory, needsOf({ controllers: imitations }, 'worker').reads, IMITATOR)
  return settle(imitations, cluster, { settings: settingsOf({}), profile: 'seed', at: new Date() })
}
async function pods() {
  const found = await memory.list(POD, { namespace: 'demo' })
  return found.map((pod) => ({
    name: pod.metadata.name,
    image: at(pod, 'spec.containers.0.image'),
    ready: pod.status?.conditions?.find((condition) => condition?.type === 'Ready')?.status,
  }))
}

describe('what a demo imitates of a cluster', () => {
  it('a StatefulSet has its pods and counts them, and then nothing is due', async () => {
    await memory.create(STATEFULSET, workload('StatefulSet', { replicas: 2, template: template('echo:1') }))
    await turns()
    expect(await pods()).toEqual([
      { name: 'echo-0', image: 'echo:1', ready: 'True' },
      { name: 'echo-1', image: 'echo:1', ready: 'True' },
    ])
    expect(await memory.get(STATEFULSET, REF)).toMatchObject({ status: { replicas: 2, currentReplicas: 2 } })
    expect((await turns()).results).toEqual([])
  })
  it('follows its replicas and its template', async () => {
    await memory.create(STATEFULSET, workload('StatefulSet', { replicas: 2, template: template('echo:1') }))
    await turns()
    await memory.merge(STATEFULSET, REF, { spec: { replicas: 1, template: template('echo:2') } })
    await turns()
    expect(await pods()).toEqual([{ name: 'echo-0', image: 'echo:2', ready: 'True' }])
  })
  it('a DaemonSet has one pod, as on one node', async () => {
    await memory.create(DAEMONSET, workload('DaemonSet', { template: template('echo:1') }))
    await turns()
    expect(await pods()).toEqual([{ name: 'echo-node', image: 'echo:1', ready: 'True' }])
    expect(await memory.get(DAEMONSET, REF)).toMatchObject({ status: { desiredNumberScheduled: 1 } })
  })
  it('a pod with a readiness gate is not ready, since nothing sets it', async () => {
    const gated = template('echo:1', [{ conditionType: 'tars.io/active' }])
    await memory.create(DAEMONSET, workload('DaemonSet', { template: gated }))
    await turns()
    expect(await pods()).toEqual([{ name: 'echo-node', image: 'echo:1', ready: 'False' }])
  })
})
