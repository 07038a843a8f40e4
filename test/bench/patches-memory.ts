import type { Built } from '../../src/cluster/port.ts'
import { readingOf } from '../../webhooks/kruise/list/reading.ts'
import { patchedPod } from '../../webhooks/kruise/pod/patched-pod.ts'
import { recorded } from '../support/daemonset-pods.ts'
import { apiServerOf, type Listed } from './api-server-of.ts'
import { webhookWith } from './memory.ts'
import { daemonSetOf, listOf, nodeOf } from './patched-nodes.ts'
import type { Measurement, Setting } from './setting.ts'
import { MEGA, spreadOf } from './table.ts'
import { workerAt } from './worker-memory.ts'

const DAEMONSETS = 100
const PATCHES = 10
const CONTROLLER = 'daemonset-patches'
const APPS = '/apis/apps/'
const NONE = { daemonsets: { count: 1, at: () => daemonSetOf([], 'alone'), under: APPS } }

/** What Nodes, DaemonSets and pods add to each process, beside one that has one DaemonSet without patches. */
export const patchesMemory: Measurement = {
  ids: ['PATCH-T-43'],
  async measure(setting) {
    const { rounds, nodes } = setting.quick ? { rounds: 1, nodes: 1_000 } : { rounds: 5, nodes: 5_000 }
    const many = clusterOf(nodes)
    const added: Record<'worker' | 'webhook', number[]> = { worker: [], webhook: [] }
    for (let round = 0; round < rounds; round += 1) {
      added.webhook.push((await webhookWith(setting, many)).now - (await webhookWith(setting, NONE)).now)
      added.worker.push((await workerWith(setting, many, DAEMONSETS)) - (await workerWith(setting, NONE, 0)))
    }
    const what = `${nodes.toLocaleString('en')} Nodes with 40 labels, ${DAEMONSETS} DaemonSets with ten patches of 1 KB, and a pod for each Node`
    const row = (of: 'worker' | 'webhook', goal: string) => ({
      id: 'PATCH-T-43',
      what: `RSS that ${what} add to the ${of}`,
      goal,
      measured: spreadOf(
        added[of].map((bytes) => bytes / MEGA),
        0,
        ' MB',
      ),
      beside: 'the same process without them',
    })
    return [row('worker', '≤ 150 MB'), row('webhook', '≤ 64 MB')]
  },
}

async function workerWith(setting: Setting, objects: Readonly<Record<string, Listed>>, turns: number): Promise<number> {
  await using api = await apiServerOf(objects)
  return (await workerAt(setting, api.kubeconfig, { controller: CONTROLLER, turns })).rss
}

/** The pods are patched as their Nodes ask for. */
function clusterOf(nodes: number): Readonly<Record<string, Listed>> {
  const daemonSets = Array.from({ length: DAEMONSETS }, (_, i) => daemonSetOf(listOf(PATCHES), `agent-${i}`))
  return {
    nodes: { count: nodes, at: (i) => nodeOf(i) },
    daemonsets: { count: DAEMONSETS, at: (i) => daemonSets[i] ?? daemonSetOf([]), under: APPS },
    pods: { count: nodes, at: (i) => podOf(i, daemonSets[i % DAEMONSETS] ?? daemonSetOf([])) },
  }
}

function podOf(i: number, daemonSet: Built): Built {
  const { pod } = recorded('native')
  const { name, uid = '' } = daemonSet.metadata
  const [owner] = Array.isArray(pod.metadata.ownerReferences) ? pod.metadata.ownerReferences : []
  const made = JSON.parse(JSON.stringify(pod).replaceAll('large-1', `node-${i}`))
  const metadata = {
    ...made.metadata,
    ...{ name: `${name}-${i}`, uid: `pod-${i}`, namespace: daemonSet.metadata.namespace },
    ownerReferences: [{ ...owner, name, uid }],
  }
  const reading = readingOf(daemonSet)
  const patched = patchedPod({ ...made, metadata }, reading, reading.choiceFor({ disk: 'large' }))
  return { ...made, ...patched }
}
