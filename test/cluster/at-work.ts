import { setTimeout as sleep } from 'node:timers/promises'
import { isTree, type Tree } from '../../src/schema.ts'
import { type AuditedCall, auditOf, isWrite } from './audited.ts'
import type { Answer, Cluster, Printed } from './client.ts'
import { type OurProcess, WORKER, type WorkerReady } from './product.ts'
import { until } from './until.ts'

const PATHS = {
  services: '/api/v1',
  pods: '/api/v1',
  events: '/api/v1',
  persistentvolumeclaims: '/api/v1',
  resourcequotas: '/api/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  tservers: '/apis/k8s.tars.io/v1beta2',
  tdeploys: '/apis/k8s.tars.io/v1beta2',
  tendpoints: '/apis/k8s.tars.io/v1beta2',
  texitedrecords: '/apis/k8s.tars.io/v1beta2',
  ttrees: '/apis/k8s.tars.io/v1beta2',
  tconfigs: '/apis/k8s.tars.io/v1beta2',
  tframeworkconfigs: '/apis/k8s.tars.io/v1beta2',
} as const
export type Plural = keyof typeof PATHS
/** What is made of a TServer, but for its DaemonSet. */
export const MADE = ['services', 'statefulsets', 'tendpoints', 'texitedrecords'] as const

/** A namespace in which a worker is at work. */
export interface Workplace {
  path(of: Plural, name?: string): string
  /** Empty where there is none. */
  read(of: Plural, name: string): Promise<Tree>
  list(of: Plural, query?: string): Promise<readonly Tree[]>
  exists(of: Plural, name: string): Promise<boolean>
  create(of: Plural, object: object): Promise<void>
  merge(of: Plural, name: string, patch: object): Promise<void>
  remove(of: Plural, name: string): Promise<Answer>
  on(...args: readonly string[]): Promise<Printed>
  /** As a part of Kubernetes, which the guards let pass. */
  byHand(...args: readonly string[]): Promise<Printed>
  /** What workers have written here since this was called, Events aside. */
  audit(): () => readonly AuditedCall[]
}

export function workplaceIn(cluster: Cluster, namespace: string): Workplace {
  const { request } = cluster
  const path = (of: Plural, name = '') => `${PATHS[of]}/namespaces/${namespace}/${of}/${name}`
  const on = (...args: readonly string[]) => cluster.kubectl([...args, `--namespace=${namespace}`])
  const done = ({ status, body }: Answer) => {
    if (status >= 300) throw new Error(`not done, but ${status}: ${JSON.stringify(body)}`)
  }
  return {
    path,
    async read(of, name) {
      const { status, body } = await request('GET', path(of, name))
      return status === 200 ? treeOf(body) : {}
    },
    async list(of, query = '') {
      const { items } = treeOf((await request('GET', `${path(of)}?${query}`)).body)
      return Array.isArray(items) ? items.map(treeOf) : []
    },
    exists: async (of, name) => (await request('GET', path(of, name))).status === 200,
    create: async (of, object) => done(await request('POST', path(of), object)),
    async merge(of, name, patch) {
      done(await request('PATCH', path(of, name), patch, { contentType: 'application/merge-patch+json' }))
    },
    remove: (of, name) => request('DELETE', path(of, name)),
    on,
    byHand: (...args) => on(...args, '--as=system:kube-controller-manager', '--as-group=system:masters'),
    audit() {
      const calls = auditOf(cluster.auditLog, WORKER)
      const isMeant = (call: AuditedCall) => isWrite(call) && call.resource !== 'events' && call.namespace === namespace
      return () => calls().filter(isMeant)
    },
  }
}

export const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})

/** How many turns a controller has had in this process. */
export async function turnsOf(worker: OurProcess<WorkerReady>, controller: string): Promise<number> {
  return turnsIn(await metricsOf(worker), controller)
}

/** It leads, and has had no turn for a second. */
export async function rested(worker: OurProcess<WorkerReady>): Promise<void> {
  let before = 0
  await until('the worker rests', async () => {
    const page = await metricsOf(worker)
    const now = turnsIn(page)
    const rests = page.includes('tars_worker_leader 1\n') && now > 0 && now === before
    before = now
    if (!rests) await sleep(1_000)
    return rests
  })
}

async function metricsOf(worker: OurProcess<WorkerReady>): Promise<string> {
  const { metrics } = await worker.ready()
  return (await fetch(`${metrics}/metrics`)).text()
}

function turnsIn(page: string, controller = '[^"]+'): number {
  const turns = new RegExp(
    `^tars_worker_reconcile_duration_seconds_count\\{controller="${controller}",.* (\\d+)$`,
    'gm',
  )
  return [...page.matchAll(turns)].reduce((all, [, count]) => all + Number(count), 0)
}
