import { all, type Controller, defineController, type Key, type Watch } from '../../kit/controller.ts'
import type { KubeObject, Settings } from '../../kit/schema.ts'
import { CREDENTIALS_WATCH, credentialReads, type RemoteAccounts } from '../access/accounts.ts'
import { type Pacing, SHARED_CONFIG_MAP, type SharedConfigMap } from '../aggregation/shared-config-map.ts'
import { configMapName } from '../aggregation/sources.ts'
import { TUNNEL_LABEL, TunnelConfigs, TYPE_LABEL } from '../aggregation/tunnel-configs.ts'
import { GATEWAY_CLASS_CONFIG } from '../gatewayclass/schema.ts'
import { INGRESS_CLASS_CONFIG } from '../ingressclass/schema.ts'
import {
  GATEWAY,
  GATEWAY_CLASS,
  HTTP_ROUTE,
  INGRESS,
  INGRESS_CLASS,
  ORIGIN_SERVICE,
  REFERENCE_GRANT,
  ROUTE_NAMESPACE,
} from '../kubernetes.ts'
import { CLOUDFLARE_DEBOUNCE_MILLISECONDS, CLOUDFLARE_NAMESPACE } from '../settings.ts'
import { CLUSTER_TUNNEL, TUNNEL } from '../tunnel/schema.ts'
import { TUNNEL_BINDING } from '../tunnelbinding/schema.ts'
import { conclusionOf } from './conclude.ts'
import { idOf, type ServiceRef } from './members.ts'
import { planOf, type TunnelMemory } from './plan.ts'
import { isTunnelKey, observing, type TunnelSeen } from './seen.ts'
import { isTunnelId, tunnelIdOf } from './seen-cluster.ts'
import { performing, type TunnelStep } from './step.ts'
import { TunnelSync } from './sync.ts'

export interface TunnelConfigParts {
  readonly accounts: RemoteAccounts
  readonly settings: Settings
  readonly pacing: Pacing
}

/** Their status is written. */
const REPORTING = [CLUSTER_TUNNEL, TUNNEL, INGRESS, HTTP_ROUTE, TUNNEL_BINDING]
const OF_METADATA = [
  'metadata.annotations',
  'metadata.generation',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
]
const OF_INGRESS = [...OF_METADATA, 'spec.ingressClassName', 'spec.defaultBackend', 'spec.rules', 'status.loadBalancer']
const OF_SERVICE = ['metadata.annotations', 'spec.ports']

/**
 * One key is one tunnel at Cloudflare, named by its ConfigMap: all that its configuration is gathered from is computed in
 * one turn, written in one change, and sent after that. The ConfigMap outlives its tunnel (CF-AGG-05).
 */
export function tunnelConfigController({ accounts, settings, pacing }: TunnelConfigParts): Controller {
  const namespace = settings.get(CLOUDFLARE_NAMESPACE)
  const configs = new TunnelConfigs(namespace, pacing)
  const used = new UsedServices()
  const controller = defineController<SharedConfigMap, TunnelSeen, TunnelStep, TunnelMemory>({
    name: 'tunnelconfig',
    of: SHARED_CONFIG_MAP,
    keeps: { carrying: [TYPE_LABEL], fields: ['metadata.annotations'] },
    keyOf: ({ metadata: { namespace: its = '', name } }) => keyIn(namespace, its, name),
    watches: [...watches(namespace), { ...all(ORIGIN_SERVICE, used.keysFor, { fields: OF_SERVICE }) }],
    reads: credentialReads(settings),
    writes: [
      { resource: SHARED_CONFIG_MAP, verbs: ['create', 'replace', 'merge', 'remove'], within: { namespace } },
      { resource: CLUSTER_TUNNEL, verbs: ['merge', 'own'] },
      { resource: TUNNEL, verbs: ['merge', 'own'] },
      ...[INGRESS, HTTP_ROUTE, TUNNEL_BINDING].map((resource) => ({ resource, verbs: ['merge'] }) as const),
      ...REPORTING.map((resource) => ({ resource, subresource: 'status', verbs: ['merge'] }) as const),
    ],
    observe: observing({ accounts, settings, restsOn: used.note }),
    plan: planOf,
    perform: performing(configs, new TunnelSync(accounts, settings), namespace),
    conclude: conclusionOf,
  })
  return { ...controller, watches: gathered(controller.watches, settings) }
}

function keyIn(operatorNamespace: string, namespace: string, name: string): Key | undefined {
  return namespace === operatorNamespace && isTunnelKey({ name }) ? { namespace, name } : undefined
}

/** A change of a tunnel wakes itself; any other one all tunnels that have a configuration. */
function watches(namespace: string): readonly Watch[] {
  const ofTunnel = (resource: typeof TUNNEL) =>
    all(resource, (object, among) => {
      const known: unknown = object
      const id = resource.isDraft(known) ? tunnelIdOf(known) : ''
      return [...(id === '' ? [] : [{ namespace, name: configMapName(id) }]), ...among.all('')]
    })
  const kinds = [INGRESS_CLASS, INGRESS_CLASS_CONFIG, GATEWAY, GATEWAY_CLASS, GATEWAY_CLASS_CONFIG, REFERENCE_GRANT]
  /** That of the tunnel where it was published is gone with its ConfigMap, if that is lost. */
  const wakesWithOwn: Watch['wakes'] = ({ metadata: { annotations } }, among) => {
    const id = annotations?.[TUNNEL_LABEL] ?? ''
    return [...(isTunnelId(id) ? [{ namespace, name: configMapName(id) }] : []), ...among.all('')]
  }
  return [
    ofTunnel(CLUSTER_TUNNEL),
    ofTunnel(TUNNEL),
    all(INGRESS, wakesWithOwn, { fields: OF_INGRESS }),
    ...[TUNNEL_BINDING, HTTP_ROUTE].map((resource) => all(resource, wakesWithOwn)),
    ...kinds.map((resource) => all(resource, (_, among) => among.all(''))),
    all(ROUTE_NAMESPACE, (_, among) => among.all(''), { fields: [] }),
    CREDENTIALS_WATCH,
  ]
}

/** Changes are gathered, so that many of them are sent at once (CF-AGG-14). */
function gathered(all: readonly Watch[], settings: Settings): readonly Watch[] {
  const quietMs = settings.get(CLOUDFLARE_DEBOUNCE_MILLISECONDS)
  return all.map((watch) => ({ ...watch, gather: { quietMs, atMostMs: 10 * quietMs } }))
}

/** Which tunnels rest on a Service: most Services of a cluster concern none. */
class UsedServices {
  readonly #keys = new Map<string, { readonly key: Key; readonly services: ReadonlySet<string> }>()

  note = (key: Key, services: readonly ServiceRef[]): void => {
    this.#keys.set(idOf(key), { key, services: new Set(services.map(idOf)) })
  }

  keysFor = ({ metadata: { namespace = '', name } }: KubeObject): readonly Key[] => {
    const id = idOf({ namespace, name })
    return [...this.#keys.values()].flatMap(({ key, services }) => (services.has(id) ? [key] : []))
  }
}
