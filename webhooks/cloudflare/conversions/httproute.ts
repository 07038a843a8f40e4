import type { Draft } from '../../kit/schema.ts'
import {
  GATEWAY_GROUP,
  type HttpRoute,
  type OriginService,
  type ReferenceGrant,
  type RouteBackend,
  type RouteMatch,
  type RouteRule,
} from '../kubernetes.ts'
import type { TunnelKey } from './classes.ts'
import { type ConversionNote, type Converted, together } from './converted.ts'
import { portIn } from './ingress.ts'
import { originOfSpec } from './origin-annotations.ts'
import { exactPattern, prefixPattern, writtenPattern } from './paths.ts'
import { hostOfService, isHttp, protocolOf, serviceUrl } from './protocols.ts'
import { type ParentAnswer, type ParentLookUps, parentsOf } from './route-parents.ts'

export interface RouteSeen extends ParentLookUps {
  readonly route: Draft<HttpRoute>
  readonly serviceOf: (namespace: string, name: string) => Draft<OriginService> | undefined
  /** Of all namespaces. */
  readonly grants: readonly Draft<ReferenceGrant>[]
}
export type Resolution = 'ResolvedRefs' | 'RefNotPermitted' | 'InvalidKind' | 'BackendNotFound'
export interface ConvertedRoute extends Converted {
  /** None where no Gateway of ours accepts the route. */
  readonly tunnel?: TunnelKey
  readonly parents: readonly ParentAnswer[]
  readonly resolution: Resolution
  /** Some of its matches cannot be expressed, and are left out. */
  readonly isPartial: boolean
}

/** CF-CNV-11 */
export function convertedRoute(seen: RouteSeen): ConvertedRoute {
  const parents = parentsOf(seen.route, seen)
  const accepted = parents.filter(({ acceptance }) => acceptance === 'Accepted')
  const hostnames = [...new Set(accepted.flatMap((parent) => parent.hostnames))]
  const [first] = accepted
  const rules = first === undefined || hostnames.length === 0 ? [] : (seen.route.spec?.rules ?? [])
  const parts = rules.map((rule) => partOf(rule, seen))
  const originRequest = originOfSpec(first?.config?.spec?.defaultOriginRequest ?? {})
  const hasOrigin = Object.keys(originRequest).length > 0
  const { rules: plain, notes } = together(parts)
  const isHostless = first !== undefined && hostnames.length === 0
  return {
    rules: hostnames.flatMap((hostname) =>
      plain.map((rule) => ({ ...rule, hostname, ...(hasOrigin && { originRequest }) })),
    ),
    notes: [...(isHostless ? [HOSTLESS] : []), ...notes],
    parents,
    resolution: parts.find(({ resolution }) => resolution !== 'ResolvedRefs')?.resolution ?? 'ResolvedRefs',
    isPartial: parts.some(({ isPartial }) => isPartial),
    ...(first?.tunnel && { tunnel: first.tunnel }),
  }
}
const HOSTLESS: ConversionNote = {
  reason: 'RuleSkipped',
  message: 'neither the route nor a listener has a hostname: the fallback belongs to the tunnel',
}

interface RoutePart extends Converted {
  readonly resolution: Resolution
  readonly isPartial: boolean
}
/** A match is never widened: what cannot be expressed is left out. */
function partOf({ matches = [], filters = [], backendRefs = [] }: Draft<RouteRule>, seen: RouteSeen): RoutePart {
  const { service, protocol, resolution, notes } = backendOf(backendRefs, seen)
  const wanted = matches.length === 0 ? [{}] : matches
  const plain = filters.length > 0 || hasFilters(backendRefs) ? [] : wanted.filter(isPlain)
  const isPartial = plain.length < wanted.length
  const path = (match: Draft<RouteMatch>) => (isHttp(protocol) ? patternOf(match) : '')
  return {
    rules: plain.map((match) => ({ hostname: '', path: path(match), service })),
    notes: [...(isPartial ? [INEXPRESSIBLE] : []), ...notes],
    resolution,
    isPartial,
  }
}
const INEXPRESSIBLE: ConversionNote = {
  reason: 'RuleSkipped',
  message: 'a tunnel cannot match headers, parameters or methods, and has no filters: such matches are left out',
}
const hasFilters = (backends: readonly Draft<RouteBackend>[]) => backends.some(({ filters = [] }) => filters.length > 0)
const isPlain = ({ headers = [], queryParams = [], method }: Draft<RouteMatch>) =>
  headers.length === 0 && queryParams.length === 0 && !method

function patternOf({ path: { type = 'PathPrefix', value = '/' } = {} }: Draft<RouteMatch>): string {
  if (type === 'Exact') return exactPattern(value)
  return type === 'RegularExpression' ? writtenPattern(value) : prefixPattern(value)
}

interface Backend {
  readonly service: string
  readonly protocol: string
  readonly resolution: Resolution
  readonly notes: readonly ConversionNote[]
}
/** The Gateway API answers 500 for what cannot be reached. */
const unresolved = (resolution: Resolution): Backend => ({
  service: 'http_status:500',
  protocol: 'http',
  resolution,
  notes: [],
})

function backendOf(backends: readonly Draft<RouteBackend>[], seen: RouteSeen): Backend {
  const [first, ...others] = backends.filter(({ weight = 1 }) => weight !== 0)
  const found = first === undefined ? unresolved('ResolvedRefs') : originOf(first, seen)
  if (others.length === 0) return found
  const message = 'a tunnel has no weights: the first backend gets all requests'
  return { ...found, notes: [...found.notes, { reason: 'WeightsUnsupported', message }] }
}

function originOf(
  { group = '', kind = 'Service', namespace, name = '', port }: Draft<RouteBackend>,
  seen: RouteSeen,
): Backend {
  if (group !== '' || kind !== 'Service') return unresolved('InvalidKind')
  const own = seen.route.metadata?.namespace ?? ''
  const its = namespace || own
  if (its !== own && !seen.grants.some((grant) => permits(grant, { from: own, to: its, name })))
    return unresolved('RefNotPermitted')
  const service = seen.serviceOf(its, name)
  const found = portIn(service, { number: port })
  if (service === undefined || found === undefined) return unresolved('BackendNotFound')
  const { protocol, notes } = protocolOf({ ofService: service.metadata?.annotations, port: found })
  return {
    service: serviceUrl(protocol, hostOfService(name, its), found.port),
    protocol,
    notes,
    resolution: 'ResolvedRefs',
  }
}

interface Crossing {
  readonly from: string
  readonly to: string
  readonly name: string
}
function permits({ metadata, spec }: Draft<ReferenceGrant>, { from, to, name }: Crossing): boolean {
  const isFrom = spec?.from?.some(
    ({ group, kind, namespace }) => group === GATEWAY_GROUP && kind === 'HTTPRoute' && namespace === from,
  )
  const isTo = spec?.to?.some((each) => each.kind === 'Service' && (!each.name || each.name === name))
  return metadata?.namespace === to && isFrom === true && isTo === true
}
