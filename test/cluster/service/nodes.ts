import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../client.ts'
import { schedulerOf } from '../control-plane.ts'
import { processesIn } from '../processes.ts'
import { expectDone } from '../product.ts'
import { PODS, podAddresses } from './network.ts'
import type { Pod } from './pod.ts'
import { type PodContext, RunningPod } from './running-pod.ts'

export interface Nodes {
  /** Kills all pods and the scheduler. */
  stop(): Promise<void>
}

/** Where the pid files of pods are. */
export const podFolder = ({ folder }: Pick<Cluster, 'folder'>) => join(folder, 'pods')
/** JSON lines: what the nodes did to pods, and what pods did. */
export const nodesLog = ({ logs }: Pick<Cluster, 'logs'>) => join(logs, 'nodes.log')

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
const RENEW_MS = 10_000

/**
 * Nodes with one stand-in for their kubelets, and a scheduler. It runs pods of our own image as processes, each on an
 * address of its own, and tells the API server of them; all else (Deployment, ReplicaSet, EndpointSlices, evictions) is
 * done by the real controllers.
 */
export async function startNodes(cluster: Cluster, names: readonly string[], network = PODS): Promise<Nodes> {
  const folder = podFolder(cluster)
  mkdirSync(folder)
  const processes = processesIn(folder, cluster.logs)
  const closing = new AbortController()
  const say: PodContext['say'] = (event, fields) =>
    appendFileSync(nodesLog(cluster), `${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`)
  processes.keep(schedulerOf(cluster))
  for (const name of names) await register(cluster, name)
  const renewing = setInterval(() => {
    for (const name of names) void renew(cluster, name).catch((cause) => say('lease not renewed', { why: `${cause}` }))
  }, RENEW_MS)
  const followed = follow({ cluster, processes, folder, say, closing: closing.signal }, podAddresses(network))
  expectDone(await cluster.kubectl(['wait', 'node', '--all', '--for=condition=Ready', '--timeout=20s']))
  return {
    async stop() {
      closing.abort()
      clearInterval(renewing)
      await processes.close()
      await followed
    },
  }
}

async function register(cluster: Cluster, name: string): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': name }
  await cluster.request('POST', '/api/v1/nodes', { metadata: { name, labels } })
  const room = { cpu: '16', memory: '64Gi', pods: '110' }
  const conditions = [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }]
  const status = { capacity: room, allocatable: room, conditions }
  const contentType = 'application/strategic-merge-patch+json'
  await cluster.request('PATCH', `/api/v1/nodes/${name}/status`, { status }, { contentType })
  const lease = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime() }
  await cluster.request('POST', LEASES, { metadata: { name }, spec: lease })
}

/** Or the node lifecycle controller takes the node for dead. */
async function renew(cluster: Cluster, name: string): Promise<void> {
  const contentType = 'application/merge-patch+json'
  await cluster.request('PATCH', `${LEASES}/${name}`, { spec: { renewTime: microTime() } }, { contentType })
}

const microTime = () => new Date().toISOString().replace('Z', '000Z')

interface PodEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Pod
}

async function follow(context: Omit<PodContext, 'address'>, nextAddress: () => string): Promise<void> {
  const pods = new Map<string, RunningPod>()

  function take({ type, object: pod }: PodEvent): void {
    const { uid, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
    const running = pods.get(uid)
    if (type === 'DELETED') {
      pods.delete(uid)
      void running?.end(0) // by force, or by us
    } else if (deletionTimestamp !== undefined) void running?.end(deletionGracePeriodSeconds)
    else if (running === undefined) pods.set(uid, new RunningPod(pod, { ...context, address: nextAddress() }))
  }

  while (!context.closing.aborted) {
    try {
      for await (const event of boundPods(context)) take(event)
    } catch (cause) {
      if (!context.closing.aborted) context.say('the watch ended', { why: String(cause) })
    }
    await sleep(200)
  }
}

/** First of all what is there. */
async function* boundPods({ cluster, closing }: Pick<PodContext, 'cluster' | 'closing'>): AsyncGenerator<PodEvent> {
  const url = new URL('/api/v1/pods?watch=true&fieldSelector=spec.nodeName!=', cluster.url)
  const headers = { authorization: `Bearer ${cluster.tokens.admin}` }
  const options = { headers, ca: readFileSync(cluster.ca), agent: false, signal: closing }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, options, resolve).on('error', reject)
  })
  for await (const line of createInterface({ input: response })) yield JSON.parse(line)
}
