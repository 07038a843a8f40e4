import type { Built, Gvr } from '../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../src/fact.ts'
import { performed } from '../../src/reconcile/apply.ts'
import { isTree } from '../../src/schema.ts'
import { settingsOf } from '../../src/setting.ts'
import { LABELS } from '../../webhooks/tars/names.ts'
import { plan as listingPlan } from '../../webhooks/tars/tendpoint/reconcile.ts'
import { plan } from '../../webhooks/tars/tserver/reconcile/plan.ts'
import { statusUpdate } from '../../webhooks/tars/tserver/reconcile/status.ts'
import { asServer } from '../support/mapped.ts'
import { writesOf } from '../support/servers-seen.ts'
import type { Listed } from './api-server-of.ts'
import { podAt } from './large-pods.ts'
import { managed, NAMESPACE, server, storedConfig, template } from './objects.ts'

export interface Size {
  readonly servers: number
  readonly podsOfEach: number
  readonly configs: number
}

const CONFIG_BYTES = 100_000
const VERSIONS = 10
const CREATED = '2026-11-18T12:01:02Z'
const given = {
  at: new Date(CREATED),
  attempt: 0,
  profile: 'seed',
  settings: settingsOf({}),
  facts: NOTHING_KNOWN,
} as const

/** A cluster that is as the worker wants it, by plural: servers, what is made of each, their pods, and configurations. */
export function largeCluster({ servers, podsOfEach, configs }: Size): Readonly<Record<string, Listed>> {
  const each = (at: Listed['at']) => ({ count: servers, at })
  const one = (object: Built) => ({ count: 1, at: () => asStored(object, 'only', 0) })
  const apps = [{ name: 'demo', businessRef: '' }]
  const tree = {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTree',
    metadata: { name: 'tars-tree', namespace: NAMESPACE },
  }
  return {
    tservers: each((i) => serverAt(i, podsOfEach)),
    tendpoints: each((i) => endpointAt(i, podsOfEach)),
    texitedrecords: each((i) => madeAt('TExitedRecord', i, podsOfEach)),
    services: each((i) => madeAt('Service', i, podsOfEach)),
    statefulsets: each((i) => madeAt('StatefulSet', i, podsOfEach)),
    pods: { count: servers * podsOfEach, at: (i) => podOf(Math.floor(i / podsOfEach), i % podsOfEach) },
    tconfigs: {
      count: configs,
      at: (i) => storedConfig(i, CONFIG_BYTES),
      wantedBy: (selector) => groupIn(selector, configs),
    },
    ttemplates: one(template('root', 'root')),
    ttrees: one({ ...tree, businesses: [], apps }),
  }
}

/** Of the configurations of a server, all have one name. */
function groupIn(selector: string, configs: number): readonly number[] {
  const [, group] = /ServerName=Echo(\d+)/.exec(selector) ?? []
  const first = Number(group) * VERSIONS
  return group === undefined ? [] : Array.from({ length: VERSIONS }, (_, i) => first + i).filter((i) => i < configs)
}

/** As the mutations complete it. */
function serverAt(i: number, replicas: number): Built {
  const { metadata, spec, ...body } = server(`demo-echo${i}`)
  const { k8s, ...rest } = isTree(spec) ? spec : {}
  const labels = {
    [LABELS.app]: 'demo',
    [LABELS.server]: `echo${i}`,
    [LABELS.subType]: 'tars',
    [LABELS.template]: 'root',
  }
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }
  const completed = { ...(isTree(k8s) && k8s), replicas, readinessGate: 'tars.io/active', updateStrategy }
  const stored = asStored(
    { ...body, metadata: { ...metadata, labels }, spec: { ...rest, k8s: completed } },
    'server',
    i,
  )
  const seen = { server: asServer(stored), config: undefined, there: [], pods: podsOf(i, replicas) }
  const [update] = statusUpdate(seen)
  return { ...stored, ...(update?.do === 'merge' && update.patch) }
}

function endpointAt(i: number, replicas: number): Built {
  const endpoint = madeAt('TEndpoint', i, replicas)
  const [listing] = listingPlan({ endpoint, pods: podsOf(i, replicas) }).actions
  return { ...endpoint, ...(listing?.do === 'merge' && listing.patch) }
}

const podsOf = (i: number, replicas: number) => Array.from({ length: replicas }, (_, at) => podOf(i, at))
const podOf = (i: number, at: number) => asStored(podAt(i, at, uidOf('StatefulSet', i)), `pod-${at}`, i)

/** What the worker makes of the `i`-th server, with the digest of what was applied. */
function madeAt(kind: string, i: number, replicas: number): Built {
  const made = new Map<string, Built>()
  const pending = new Promise<never>(() => {})
  const keep = (of: Gvr, object: Built) => {
    made.set(of.kind, object)
    return pending
  }
  const writer = { create: keep, apply: keep, merge: () => pending, patch: () => pending, remove: () => pending }
  const seen = { server: asServer(serverAt(i, replicas)), config: undefined, there: [], pods: [] }
  for (const action of writesOf(plan(seen, given))) void performed(action, writer)
  const object = made.get(kind)
  if (object === undefined) throw new Error(`no ${kind} is made of a server`)
  return asStored(object, kind, i)
}

/** With what the API server adds; the same each time. */
function asStored(object: Built, what: string, i: number): Built {
  const { metadata, ...body } = managed(object)
  const own = { uid: uidOf(what, i), resourceVersion: String(i + 1), creationTimestamp: CREATED, generation: 1 }
  return { ...body, metadata: { ...metadata, ...own } }
}
const uidOf = (what: string, i: number) => `${what}-`.padEnd(28, '0') + String(i).padStart(8, '0')
