import { collectionPath } from '../../src/cluster/paths.ts'
import type { Built } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import { NOTHING_KNOWN } from '../../src/fact.ts'
import { performed } from '../../src/reconcile/apply.ts'
import { isTree } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import { plan } from '../../webhooks/tars/tserver/reconcile/plan.ts'
import { statusUpdate } from '../../webhooks/tars/tserver/reconcile/status.ts'
import { TSERVER } from '../../webhooks/tars/tserver/schema.ts'
import { TTEMPLATE } from '../../webhooks/tars/ttemplate/schema.ts'
import { plan as treePlan } from '../../webhooks/tars/ttree/reconcile.ts'
import { STATEFULSET } from '../../webhooks/tars/workloads.ts'
import { until } from '../cluster/until.ts'
import { asServer } from '../support/mapped.ts'
import { writesOf } from '../support/servers-seen.ts'
import { bareWriter } from './bare-writer.ts'
import type { Send } from './keep-alive-client.ts'
import { server, template } from './objects.ts'

export const CONNECTIONS = 16

export interface ServersWanted {
  readonly namespace: string
  readonly count: number
  /** What is done with each server that was created, before its connection creates the next. */
  readonly also?: (server: Built) => Promise<void>
}

/** Creates TServers, as many at once as there are connections; answers how long it takes until each has its StatefulSet. */
export async function serversMade(
  send: Send,
  { namespace, count, also = async () => {} }: ServersWanted,
): Promise<number> {
  await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
  await send('POST', collectionPath(TTEMPLATE, namespace), inNamespace(template('root', 'root'), namespace))
  const started = performance.now()
  let next = 0
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    while (next < count) {
      const made = await send('POST', collectionPath(TSERVER, namespace), serverIn(namespace, next++))
      if (isStored(made)) await also(made)
    }
  })
  const isDone = async () => (await countOfStatefulSets(send, namespace)) === count
  await Promise.all([...lanes, until('each server has its StatefulSet', isDone, { seconds: 300 })])
  return performance.now() - started
}

/** Without pods: what becomes of those is not what is measured. */
function serverIn(namespace: string, i: number): Built {
  const { spec, ...body } = server(`demo-echo${i}`)
  const { k8s, ...rest } = isTree(spec) ? spec : {}
  return inNamespace({ ...body, spec: { ...rest, k8s: { ...(isTree(k8s) && k8s), replicas: 0 } } }, namespace)
}

function inNamespace({ metadata, ...body }: Built, namespace: string): Built {
  return { ...body, metadata: { ...metadata, namespace } }
}

/** Costs next to nothing, since the API server counts those that it does not list. */
async function countOfStatefulSets(send: Send, namespace: string): Promise<number> {
  const list = await send('GET', collectionPath(STATEFULSET, namespace, { limit: '1' }))
  if (!isTree(list) || !Array.isArray(list.items) || !isTree(list.metadata)) return 0
  return list.items.length + Number(list.metadata.remainingItemCount ?? 0)
}

const given = { at: new Date(), attempt: 0, profile: 'seed', settings: settingsOf({}), facts: NOTHING_KNOWN } as const

/** Sends for each server what the worker would send, from its own plans. The first brings the TTree. */
export function writesByHand(send: Send): (server: Built) => Promise<void> {
  const writer = bareWriter(send)
  let hasTree = false
  return async (made) => {
    const seen = { server: asServer(made), config: undefined, there: [], pods: [] }
    const { namespace = '' } = made.metadata
    const tree = hasTree ? [] : treePlan({ namespace, tree: undefined, missing: [seen.server] }, given).actions
    hasTree = true
    for (const action of [...tree, ...writesOf(plan(seen, given)), ...statusUpdate(seen)]) {
      const { outcome, message } = await performed(action, writer)
      if (outcome !== 'done') throw new Error(`${action.because}: ${outcome}, ${message}`)
    }
  }
}
