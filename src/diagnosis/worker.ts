import { MUTATING } from '../../certs/ca-bundle.ts'
import { configurationOf } from '../admission/door.ts'
import type { Gvr } from '../cluster/port.ts'
import { HOME } from '../config.ts'
import { WORKER } from '../print/objects.ts'
import { LEASE, LEASE_SECONDS, leaseNameFor, recordOf } from '../reconcile/lease-record.ts'
import { isTree } from '../schema.ts'
import type { Clock } from '../timing/clock.ts'
import type { Api } from './path.ts'
import type { PathTrouble } from './path-trouble.ts'

/** Whether a worker leads: it works, it does not, or there may be none for a reason. */
export interface WorkerSeen {
  readonly works?: string
  readonly trouble?: PathTrouble
  readonly note?: Pick<PathTrouble, 'what' | 'remedy'>
}

const DEPLOYMENT: Gvr = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  scope: 'Namespaced',
}
const LOOK_MS = 1_000

export interface WorkerLooks extends Pick<Api, 'look'> {
  readonly clock: Clock
  /** Those that the worker is for, by which its Lease is named (WR-7). */
  readonly namespaces: readonly string[]
}

/** An installation without a worker is one that only reviews, so that is said and is no trouble. */
export async function workerSeen({ look, clock, namespaces }: WorkerLooks): Promise<WorkerSeen> {
  const namespace = await homeOf(look)
  const ref = { namespace, name: leaseNameFor(namespaces) }
  const place = `${namespace}/${ref.name}`
  const first = await look(LEASE, ref)
  if (first === 'barred') return { note: { what: `you may not read Lease ${place}, ${UNKNOWN}`, remedy: RIGHT } }
  const deployed = await look(DEPLOYMENT, { namespace, name: WORKER })
  if (first === 'absent' && deployed === 'absent') return { note: { what: 'no worker is installed', remedy: INSTALL } }
  const holder = await renewedBy(() => look(LEASE, ref), clock)
  if (holder !== undefined) return { works: `a worker leads: ${holder} renews Lease ${place}` }
  const what = `no worker leads: nobody has renewed Lease ${place} for ${LEASE_SECONDS} s`
  if (deployed === 'absent') return { note: { what: `${what}, and there is no Deployment ${WORKER}`, remedy: INSTALL } }
  return { trouble: { is: 'broken', what, remedy: remedyIn(namespace) } }
}
const UNKNOWN = 'so it is not known whether a worker leads'
const RIGHT = 'ask for the right to get it'
const INSTALL = 'tars-admission manifests | kubectl apply -f - brings one'
const remedyIn = (namespace: string) =>
  `kubectl -n ${namespace} get pods and kubectl logs say why; /readyz?verbose names what is missing. A worker with --namespaces is looked for with these`

/** The namespace of the installation: where the webhooks lead. */
async function homeOf(look: Api['look']): Promise<string> {
  const found = await look(MUTATING, { namespace: '', name: configurationOf({ phase: 'mutate' }) })
  const webhooks = isTree(found) && Array.isArray(found.webhooks) ? found.webhooks : []
  const [namespace = HOME] = webhooks.flatMap(namespaceIn)
  return namespace
}

function namespaceIn(webhook: unknown): readonly string[] {
  const config = isTree(webhook) ? webhook.clientConfig : undefined
  const service = isTree(config) ? config.service : undefined
  return isTree(service) && typeof service.namespace === 'string' ? [service.namespace] : []
}

/** Who changes the record while we look. No clock is compared with that of the holder. */
async function renewedBy(look: () => ReturnType<Api['look']>, clock: Clock): Promise<string | undefined> {
  const end = clock.tick() + LEASE_SECONDS * 1_000
  const before = await recordAt(look)
  while (clock.tick() < end) {
    await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve))
    const now = await recordAt(look)
    if (now !== undefined && now.holder !== '' && now.text !== before?.text) return now.holder
  }
  return undefined
}

async function recordAt(look: () => ReturnType<Api['look']>) {
  const found = await look()
  return isTree(found) ? recordOf(found) : undefined
}
