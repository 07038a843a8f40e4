import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import type { Need } from '../../src/cluster/needs.ts'
import type { Built, Cluster, Words } from '../../src/cluster/port.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { logTo } from '../../src/telemetry/log.ts'
import type { GADGET } from '../support/builders/gadget.ts'
import { theCluster } from './cluster.ts'

const QUIET = logTo({ write: () => {} }, 'silent')
export const namespace = `port-${randomUUID().slice(0, 8)}`
export const { request, kubectl, ...control } = theCluster()
export const running: Cluster[] = []

export async function clusterAs(kubeconfig: string, reads: readonly Need[], readTimeoutMs = 5_000): Promise<Cluster> {
  const started = await kubeCluster({ kubeconfig, reads, metrics: metricsOf(), log: QUIET, readTimeoutMs })
  running.push(started)
  return started
}

export async function define({ group, version, kind, plural, scope, schema }: typeof GADGET): Promise<void> {
  const served = { name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { kind, plural }, versions: [served] },
  }
  const { status } = await request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  expect(status).toBe(201)
}

export function configMap(name: string, data: Words, labels: Words = {}): Built {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data }
}

export function ref(name: string) {
  return { namespace, name }
}

export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (cause) => cause,
  )
}
