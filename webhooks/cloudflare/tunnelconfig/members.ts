import type { Draft, Gvr, KubeObject, Tree, Words } from '../../kit/schema.ts'
import { PriorityBinding, PriorityGateway, PriorityIngress, sourceKey } from '../aggregation/sources.ts'
import { rulesOfBinding } from '../conversions/binding.ts'
import { builtSource, type Converted } from '../conversions/converted.ts'
import { type ConvertedRoute, convertedRoute } from '../conversions/httproute.ts'
import { rulesOfIngress } from '../conversions/ingress.ts'
import { HTTP_ROUTE, type HttpRoute, INGRESS, type Ingress, type OriginService } from '../kubernetes.ts'
import { TUNNEL_BINDING, type TunnelBinding } from '../tunnelbinding/schema.ts'
import type { SeenCluster } from './seen-cluster.ts'
import { standingOfBinding, standingOfIngress, standingOfRoute, type TunnelStanding } from './standing.ts'

export interface ServiceRef {
  readonly namespace: string
  readonly name: string
}
export type ServiceLookUp = (ref: ServiceRef) => Draft<OriginService> | undefined

/** An object that contributes to some tunnel, or might. */
export interface SourceMember {
  readonly key: string
  readonly of: Gvr
  readonly object: KubeObject
  readonly standing: TunnelStanding
  /** What its conversion looks up. */
  readonly services: readonly ServiceRef[]
  readonly contribution: (serviceOf: ServiceLookUp, domain: string | undefined) => Contribution
}
export interface Contribution extends Converted {
  readonly source: Tree
  /** Of an HTTPRoute. */
  readonly route?: ConvertedRoute
}

export function membersOf(seen: SeenCluster, operatorNamespace: string): readonly SourceMember[] {
  return [
    ...seen.ingresses.map((ingress) => memberOfIngress(ingress, standingOfIngress(ingress, seen, operatorNamespace))),
    ...seen.bindings.map((binding) => memberOfBinding(binding, standingOfBinding(binding, seen))),
    ...seen.routes.map((route) => memberOfRoute(route, seen)),
  ]
}

function member(
  of: Gvr,
  object: KubeObject,
  standing: TunnelStanding,
  parts: Pick<SourceMember, 'services' | 'contribution'>,
) {
  const { namespace = '', name } = object.metadata
  return { key: sourceKey(of.kind, namespace, name), of, object, standing, ...parts }
}
const contributed = (of: Gvr, object: KubeObject, priority: number, { rules, notes }: Converted): Contribution => ({
  source: builtSource(of.kind, object, priority, { rules }).source,
  rules,
  notes,
})

function memberOfIngress(ingress: KubeObject & Draft<Ingress>, standing: TunnelStanding): SourceMember {
  const { namespace = '' } = ingress.metadata
  const paths = (ingress.spec?.rules ?? []).flatMap(({ http }) => http?.paths ?? [])
  const config = standing.is === 'elsewhere' ? undefined : standing.config
  return member(INGRESS, ingress, standing, {
    services: named(
      paths.map(({ backend }) => backend?.service?.name),
      namespace,
    ),
    contribution: (serviceOf) => {
      const converted = rulesOfIngress({ ingress, config, serviceOf: (name) => serviceOf({ namespace, name }) })
      return contributed(INGRESS, ingress, PriorityIngress, converted)
    },
  })
}

function memberOfBinding(binding: KubeObject & Draft<TunnelBinding>, standing: TunnelStanding): SourceMember {
  const { namespace = '' } = binding.metadata
  return member(TUNNEL_BINDING, binding, standing, {
    services: named(
      (binding.subjects ?? []).map(({ name }) => name),
      namespace,
    ),
    contribution: (serviceOf, domain) => {
      const converted = rulesOfBinding({ binding, domain, serviceOf: (name) => serviceOf({ namespace, name }) })
      return contributed(TUNNEL_BINDING, binding, PriorityBinding, converted)
    },
  })
}
const named = (names: readonly (string | undefined)[], namespace: string): readonly ServiceRef[] =>
  [...new Set(names)].flatMap((name) => (name === undefined ? [] : [{ namespace, name }]))

function memberOfRoute(route: KubeObject & Draft<HttpRoute>, seen: SeenCluster): SourceMember {
  const { namespace: own = '' } = route.metadata
  const backends = (route.spec?.rules ?? []).flatMap(({ backendRefs = [] }) => backendRefs)
  const converted = (serviceOf: ServiceLookUp) =>
    convertedRoute({
      route,
      gatewayOf: (namespace, name) => seen.gateways.find(isNamed(namespace, name)),
      classOf: (name) => seen.gatewayClasses.find(({ metadata }) => metadata.name === name),
      configOf: (namespace, name) => seen.gatewayConfigs.find(isNamed(namespace, name)),
      serviceOf: (namespace, name) => serviceOf({ namespace, name }),
      grants: seen.grants,
      namespaceLabels: labelsOf(own, seen),
    })
  return member(HTTP_ROUTE, route, standingOfRoute(route, converted(NONE), seen), {
    services: backends.flatMap(({ namespace = own, name }) => (name === undefined ? [] : [{ namespace, name }])),
    contribution(serviceOf) {
      const answer = converted(serviceOf)
      return { ...contributed(HTTP_ROUTE, route, PriorityGateway, answer), route: answer }
    },
  })
}
const labelsOf = (namespace: string, { namespaces }: SeenCluster): Words | undefined =>
  namespaces.find(({ metadata }) => metadata.name === namespace)?.metadata.labels ?? undefined
/** Of a route that is published nowhere the Services do not count. */
export const NONE: ServiceLookUp = () => undefined
const isNamed =
  (namespace: string, name: string) =>
  ({ metadata }: KubeObject) =>
    metadata.namespace === namespace && metadata.name === name
export const idOf = ({ namespace, name }: ServiceRef) => `${namespace}/${name}`
