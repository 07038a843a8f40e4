import { selects } from '../../../src/kube/selectors.ts'
import type { Draft, Words } from '../../kit/schema.ts'
import type { TunnelGatewayClassConfig } from '../gatewayclass/schema.ts'
import { normalName } from '../hostnames.ts'
import {
  GATEWAY_GROUP,
  type Gateway,
  type GatewayClass,
  type GatewayListener,
  type HttpRoute,
  type LabelRequirement,
  type RouteParent,
} from '../kubernetes.ts'
import type { TunnelKey } from './classes.ts'

export const GATEWAY_CONTROLLER = 'cloudflare-operator.io/gateway-controller'
const CONFIG = { group: 'networking.cloudflare-operator.io', kind: 'TunnelGatewayClassConfig' }

/** What is looked up for a route. */
export interface ParentLookUps {
  readonly gatewayOf: (namespace: string, name: string) => Draft<Gateway> | undefined
  readonly classOf: (name: string) => Draft<GatewayClass> | undefined
  readonly configOf: (namespace: string, name: string) => Draft<TunnelGatewayClassConfig> | undefined
  /** Of the namespace of the route, for listeners that select by them. */
  readonly namespaceLabels?: Words | undefined
}
export type Acceptance =
  | 'Accepted'
  | 'NoMatchingParent'
  | 'NotAllowedByListeners'
  | 'NoMatchingListenerHostname'
  | 'UnsupportedValue'
/** A Gateway of ours that a route names. */
export interface ParentAnswer {
  readonly parent: Draft<RouteParent>
  readonly acceptance: Acceptance
  readonly message: string
  readonly hostnames: readonly string[]
  readonly config?: Draft<TunnelGatewayClassConfig>
  readonly tunnel?: TunnelKey
}

/** Of Gateways of other controllers nothing is said. */
export function parentsOf(route: Draft<HttpRoute>, look: ParentLookUps): readonly ParentAnswer[] {
  const answers = (route.spec?.parentRefs ?? []).flatMap((parent) => answerOf(route, parent, look))
  const tunnel = answers.find(({ acceptance }) => acceptance === 'Accepted')?.tunnel
  return answers.map((answer) => (isSame(answer.tunnel, tunnel) ? answer : ofAnotherTunnel(answer)))
}
const isSame = (one: TunnelKey | undefined, other: TunnelKey | undefined) =>
  one === undefined || other === undefined || JSON.stringify(one) === JSON.stringify(other)
/** A source stands in the configuration of one tunnel alone (CF-AGG-16). */
const ofAnotherTunnel = (answer: ParentAnswer): ParentAnswer => ({
  ...answer,
  acceptance: 'UnsupportedValue',
  message: 'the route is published by the tunnel of an earlier parent',
  hostnames: [],
})

function answerOf(route: Draft<HttpRoute>, parent: Draft<RouteParent>, look: ParentLookUps): readonly ParentAnswer[] {
  const { group = GATEWAY_GROUP, kind = 'Gateway', namespace = namespaceOf(route), name = '' } = parent
  const gateway = group === GATEWAY_GROUP && kind === 'Gateway' ? look.gatewayOf(namespace, name) : undefined
  const gatewayClass = gateway && look.classOf(gateway.spec?.gatewayClassName ?? '')
  if (gateway === undefined || gatewayClass?.spec?.controllerName !== GATEWAY_CONTROLLER) return []
  const config = configFor(gatewayClass, look)
  const tunnel = config && tunnelIn(config)
  const refused = (acceptance: Acceptance, message: string) => [{ parent, acceptance, message, hostnames: [] }]
  if (config === undefined || tunnel === undefined)
    return refused('NoMatchingParent', `the class of Gateway ${name} names no ${CONFIG.kind} with a tunnel`)
  const named = listenersFor(gateway, parent)
  if (named.length === 0) return refused('NoMatchingParent', `Gateway ${name} has no such listener`)
  const allowed = named.filter((listener) => isAllowed(listener, route, namespace, look.namespaceLabels))
  if (allowed.length === 0) return refused('NotAllowedByListeners', `no listener of Gateway ${name} allows this route`)
  const hostnames = [...new Set(allowed.flatMap((listener) => commonHostnames(listener, route)))]
  const isNone = hostnames.length === 0 && allowed.every(({ hostname }) => hostname) && hasHostnames(route)
  if (isNone) return refused('NoMatchingListenerHostname', `no listener of Gateway ${name} has one of the hostnames`)
  return [{ parent, acceptance: 'Accepted', message: 'the route is published', hostnames, config, tunnel }]
}
const namespaceOf = ({ metadata }: Draft<HttpRoute>) => metadata?.namespace ?? ''
const hasHostnames = ({ spec }: Draft<HttpRoute>) => (spec?.hostnames ?? []).length > 0

/** The config has a namespace, so the class has to name one. */
function configFor({ spec }: Draft<GatewayClass>, look: ParentLookUps): Draft<TunnelGatewayClassConfig> | undefined {
  const { group, kind, namespace, name } = spec?.parametersRef ?? {}
  const isConfig = group === CONFIG.group && kind === CONFIG.kind
  return isConfig && namespace && name ? look.configOf(namespace, name) : undefined
}
function tunnelIn({ metadata, spec }: Draft<TunnelGatewayClassConfig>): TunnelKey | undefined {
  const { kind, name, namespace = metadata?.namespace ?? '' } = spec?.tunnelRef ?? {}
  if (kind === undefined || name === undefined) return undefined
  return { kind, name, namespace: kind === 'Tunnel' ? namespace : '' }
}

function listenersFor({ spec }: Draft<Gateway>, { sectionName, port }: Draft<RouteParent>) {
  return (spec?.listeners ?? []).filter(
    (listener) =>
      (sectionName === undefined || listener.name === sectionName) && (port === undefined || listener.port === port),
  )
}

/** A listener never gets wider than it was written. */
function isAllowed(
  { allowedRoutes = {} }: Draft<GatewayListener>,
  route: Draft<HttpRoute>,
  gatewayNamespace: string,
  labels: Words | undefined,
): boolean {
  const { namespaces = {}, kinds = [] } = allowedRoutes
  const isKind =
    kinds.length === 0 ||
    kinds.some(({ kind, group = GATEWAY_GROUP }) => kind === 'HTTPRoute' && group === GATEWAY_GROUP)
  if (!isKind || namespaces.from === 'None') return false
  if (namespaces.from === 'All') return true
  if (namespaces.from !== 'Selector') return namespaceOf(route) === gatewayNamespace
  const { matchLabels = {}, matchExpressions = [] } = namespaces.selector ?? {}
  if (namespaces.selector === undefined || labels === undefined) return false
  const areEqual = Object.entries(matchLabels).every(([name, value]) => labels[name] === value)
  return areEqual && matchExpressions.every((requirement) => meets(labels, requirement))
}

/** What is no requirement of Kubernetes is met by nothing. */
function meets(labels: Words, { key = '', operator, values = [] }: Draft<LabelRequirement>): boolean {
  if (operator === 'Exists' || operator === 'DoesNotExist')
    return selects({ matchExpressions: [{ key, operator }] }, labels)
  return (
    (operator === 'In' || operator === 'NotIn') && selects({ matchExpressions: [{ key, operator, values }] }, labels)
  )
}

function commonHostnames({ hostname }: Draft<GatewayListener>, { spec }: Draft<HttpRoute>): readonly string[] {
  const own = (spec?.hostnames ?? []).map(normalName)
  const its = hostname ? normalName(hostname) : undefined
  if (its === undefined) return own
  return own.length === 0 ? [its] : own.flatMap((each) => narrower(each, its))
}
/** The one that the other one covers; a wildcard covers names of any depth below it. */
function narrower(one: string, other: string): readonly string[] {
  if (one === other || covers(other, one)) return [one]
  return covers(one, other) ? [other] : []
}
const covers = (wide: string, narrow: string) =>
  wide.startsWith('*.') && narrow.length > wide.length - 1 && narrow.endsWith(wide.slice(1))
