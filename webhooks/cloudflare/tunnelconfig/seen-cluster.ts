import type { ClusterReader, Found, Gvr, KubeObject, Resource } from '../../kit/schema.ts'
import { GATEWAY_CLASS_CONFIG, type TunnelGatewayClassConfig } from '../gatewayclass/schema.ts'
import { INGRESS_CLASS_CONFIG, type TunnelIngressClassConfig } from '../ingressclass/schema.ts'
import {
  GATEWAY,
  GATEWAY_CLASS,
  type Gateway,
  type GatewayClass,
  HTTP_ROUTE,
  type HttpRoute,
  INGRESS,
  INGRESS_CLASS,
  type Ingress,
  type IngressClass,
  REFERENCE_GRANT,
  type ReferenceGrant,
  ROUTE_NAMESPACE,
} from '../kubernetes.ts'
import { CLUSTER_TUNNEL, TUNNEL, type Tunnel } from '../tunnel/schema.ts'
import { TUNNEL_BINDING, type TunnelBinding } from '../tunnelbinding/schema.ts'

export interface SeenTunnel {
  readonly of: Resource<Tunnel>
  readonly object: Found<Tunnel>
  /** Empty as long as Cloudflare has given none. */
  readonly tunnelId: string
}
/** All that the sources of tunnels are computed from, but the Services. */
export interface SeenCluster {
  readonly tunnels: readonly SeenTunnel[]
  readonly classes: readonly Found<IngressClass>[]
  readonly configs: readonly Found<TunnelIngressClassConfig>[]
  readonly ingresses: readonly Found<Ingress>[]
  readonly bindings: readonly Found<TunnelBinding>[]
  readonly routes: readonly Found<HttpRoute>[]
  readonly gateways: readonly Found<Gateway>[]
  readonly gatewayClasses: readonly Found<GatewayClass>[]
  readonly gatewayConfigs: readonly Found<TunnelGatewayClassConfig>[]
  readonly grants: readonly Found<ReferenceGrant>[]
  readonly namespaces: readonly KubeObject[]
}

const EVERYWHERE = { namespace: '' }
export async function clusterSeen(cached: ClusterReader): Promise<SeenCluster> {
  const [ofCluster, ofNamespaces] = await Promise.all([
    cached.list(CLUSTER_TUNNEL, EVERYWHERE),
    cached.list(TUNNEL, EVERYWHERE),
  ])
  return {
    tunnels: [...ofCluster.map(seenAs(CLUSTER_TUNNEL)), ...ofNamespaces.map(seenAs(TUNNEL))],
    classes: await cached.list(INGRESS_CLASS, EVERYWHERE),
    configs: await cached.list(INGRESS_CLASS_CONFIG, EVERYWHERE),
    ingresses: await cached.list(INGRESS, EVERYWHERE),
    bindings: await cached.list(TUNNEL_BINDING, EVERYWHERE),
    routes: await cached.list(HTTP_ROUTE, EVERYWHERE),
    gateways: await cached.list(GATEWAY, EVERYWHERE),
    gatewayClasses: await cached.list(GATEWAY_CLASS, EVERYWHERE),
    gatewayConfigs: await cached.list(GATEWAY_CLASS_CONFIG, EVERYWHERE),
    grants: await cached.list(REFERENCE_GRANT, EVERYWHERE),
    namespaces: await cached.list(ROUTE_NAMESPACE, EVERYWHERE),
  }
}

const seenAs = (of: Resource<Tunnel>) => (object: Found<Tunnel>) => ({ of, object, tunnelId: tunnelIdOf(object) })

/** It becomes a part of a name and of a path, so what is no id counts as none. */
const TUNNEL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
export const isTunnelId = (text: string) => TUNNEL_ID.test(text)
export function tunnelIdOf({ status }: { readonly status?: { readonly tunnelId?: string | undefined } | undefined }) {
  const { tunnelId = '' } = status ?? {}
  return isTunnelId(tunnelId) ? tunnelId : ''
}

/** The kinds whose objects contribute, by their words in the keys of sources. */
export const CONTRIBUTING: ReadonlyMap<string, Gvr> = new Map(
  [CLUSTER_TUNNEL, TUNNEL, INGRESS, TUNNEL_BINDING, HTTP_ROUTE].map((of) => [of.kind, of]),
)
