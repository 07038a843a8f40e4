import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Draft } from '../../kit/schema.ts'
import {
  classNamedBy,
  configRefOf,
  INGRESS_CONTROLLER,
  onlyTunnel,
  type TunnelKey,
  tunnelKeyIn,
  watches,
} from '../conversions/classes.ts'
import type { ConvertedRoute } from '../conversions/httproute.ts'
import { GATEWAY_CONTROLLER } from '../conversions/route-parents.ts'
import type { TunnelIngressClassConfig } from '../ingressclass/schema.ts'
import { GATEWAY_GROUP, type HttpRoute, type Ingress } from '../kubernetes.ts'
import { CLUSTER_TUNNEL } from '../tunnel/schema.ts'
import type { TunnelBinding } from '../tunnelbinding/schema.ts'
import type { SeenCluster } from './seen-cluster.ts'

/**
 * Where an object contributes. `unclear`: something that it names is not there, so what it contributed before stays
 * (CF-AGG-21). `elsewhere`: it is served by others, or on purpose not at all, and contributes nothing.
 */
export type TunnelStanding =
  | { readonly is: 'at'; readonly tunnelId: string; readonly config?: Draft<TunnelIngressClassConfig> }
  | { readonly is: 'unclear'; readonly problem?: string; readonly config?: Draft<TunnelIngressClassConfig> }
  | { readonly is: 'elsewhere' }
const ELSEWHERE: TunnelStanding = { is: 'elsewhere' }
const unclear = (problem?: string): TunnelStanding => ({ is: 'unclear', ...(problem !== undefined && { problem }) })

/** CF-CNV-01, CF-CNV-02 */
export function standingOfIngress(
  ingress: Draft<Ingress>,
  seen: SeenCluster,
  operatorNamespace: string,
): TunnelStanding {
  if (isTerminating(ingress)) return ELSEWHERE
  const found = classNamedBy(ingress, seen.classes)
  if (found === undefined) return unclear()
  if (found.spec?.controller !== INGRESS_CONTROLLER) return ELSEWHERE
  const ref = configRefOf(found, operatorNamespace)
  if (ref === undefined) {
    const only = onlyTunnel(seen.tunnels.filter(({ of }) => of === CLUSTER_TUNNEL).map(({ object }) => object))
    return 'problem' in only ? unclear(only.problem) : standingAt(only, seen)
  }
  if ('problem' in ref) return unclear(ref.problem)
  const config = seen.configs.find(
    ({ metadata: { namespace, name } }) => namespace === ref.namespace && name === ref.name,
  )
  if (config === undefined) return unclear(`TunnelIngressClassConfig ${ref.namespace}/${ref.name} is not there`)
  if (!watches(config, ingress.metadata?.namespace ?? '')) return ELSEWHERE
  const tunnel = tunnelKeyIn(config)
  const standing = tunnel === undefined ? unclear('the class names no tunnel') : standingAt(tunnel, seen)
  return standing.is === 'elsewhere' ? standing : { ...standing, config }
}

/** CF-CNV-10: a Tunnel is one of the same namespace. */
export function standingOfBinding({ metadata, tunnelRef, ...binding }: Draft<TunnelBinding>, seen: SeenCluster) {
  if (isTerminating({ metadata, ...binding })) return ELSEWHERE
  const { kind, name } = tunnelRef ?? {}
  if (kind === undefined || name === undefined) return unclear('tunnelRef names no tunnel')
  return standingAt({ kind, name, namespace: kind === 'Tunnel' ? (metadata?.namespace ?? '') : '' }, seen)
}

/** CF-CNV-11 */
export function standingOfRoute(route: Draft<HttpRoute>, { tunnel, parents }: ConvertedRoute, seen: SeenCluster) {
  if (isTerminating(route)) return ELSEWHERE
  if (tunnel !== undefined) return standingAt(tunnel, seen)
  const isKnown = (route.spec?.parentRefs ?? []).every((parent) => isGatewayKnown(parent, route, seen))
  const isRefused = parents.every(({ acceptance }) => acceptance !== 'NoMatchingParent')
  return isKnown && isRefused ? ELSEWHERE : unclear()
}
type RouteParentRef = NonNullable<NonNullable<Draft<HttpRoute>['spec']>['parentRefs']>[number]

function isGatewayKnown(parent: RouteParentRef, route: Draft<HttpRoute>, { gateways, gatewayClasses }: SeenCluster) {
  const { group = GATEWAY_GROUP, kind = 'Gateway', namespace = route.metadata?.namespace, name } = parent
  if (group !== GATEWAY_GROUP || kind !== 'Gateway') return true
  const gateway = gateways.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
  const found = gatewayClasses.find(({ metadata }) => metadata.name === gateway?.spec?.gatewayClassName)
  return found !== undefined && (found.spec?.controllerName !== GATEWAY_CONTROLLER || isReady(found))
}
const isReady = ({ spec }: SeenCluster['gatewayClasses'][number]) => spec?.parametersRef !== undefined

function standingAt({ kind, namespace, name }: TunnelKey, { tunnels }: SeenCluster): TunnelStanding {
  const found = tunnels.find(
    ({ of, object: { metadata } }) =>
      of.kind === kind && (metadata.namespace ?? '') === namespace && metadata.name === name,
  )
  const words = `${kind} ${[namespace, name].filter(Boolean).join('/')}`
  if (found === undefined) return unclear(`${words} is not there`)
  return found.tunnelId === ''
    ? unclear(`${words} has no tunnel at Cloudflare yet`)
    : { is: 'at', tunnelId: found.tunnelId }
}
