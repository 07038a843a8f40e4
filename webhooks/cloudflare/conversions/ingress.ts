import type { Draft } from '../../kit/schema.ts'
import type { TunnelIngressClassConfig } from '../ingressclass/schema.ts'
import type { Ingress, IngressPath, OriginPort, OriginService } from '../kubernetes.ts'
import { type ConversionNote, type Converted, type ConvertedRule, together } from './converted.ts'
import { originOf } from './origin-annotations.ts'
import { patternOf } from './paths.ts'
import { hostOfService, isHttp, protocolOf, serviceUrl } from './protocols.ts'

export interface IngressSeen {
  readonly ingress: Draft<Ingress>
  /** Of the class. */
  readonly config?: Draft<TunnelIngressClassConfig> | undefined
  /** In the namespace of the Ingress. */
  readonly serviceOf: (name: string) => Draft<OriginService> | undefined
}

const USE_REGEX = 'cloudflare-operator.io/use-regex'

/** One rule for each path (CF-CNV-03). Hosts of `spec.tls` make none (CF-CNV-04). */
export function rulesOfIngress(seen: IngressSeen): Converted {
  const { ingress, config } = seen
  const { originRequest, notes } = originOf(ingress.metadata?.annotations, config?.spec?.defaultOriginRequest)
  const rules = (ingress.spec?.rules ?? []).map(({ host = '', http }) => {
    if (host === '') return skipped('a rule without a host is left out: the fallback belongs to the tunnel')
    const paths = http?.paths ?? []
    if (paths.length === 0) return skipped(`host ${host} has no paths`)
    return together(paths.map((path) => ruleOf(path, host, seen)))
  })
  const { rules: plain, notes: found } = together(rules)
  const ofBackend = ingress.spec?.defaultBackend === undefined ? [] : [NO_DEFAULT]
  return {
    rules: plain.map((rule) => ({ ...rule, ...(originRequest && { originRequest }) })),
    notes: distinct([...ofBackend, ...notes, ...found]),
  }
}
const NO_DEFAULT: ConversionNote = {
  reason: 'RuleSkipped',
  message: 'defaultBackend is left out: the fallback belongs to the tunnel',
}
const skipped = (message: string): Converted => ({ rules: [], notes: [{ reason: 'RuleSkipped', message }] })
const distinct = (notes: readonly ConversionNote[]) => [
  ...new Map(notes.map((note) => [`${note.reason} ${note.message}`, note])).values(),
]

function ruleOf(
  { path = '', pathType, backend = {} }: Draft<IngressPath>,
  hostname: string,
  seen: IngressSeen,
): Converted {
  const { ingress } = seen
  const usesRegex = ingress.metadata?.annotations?.[USE_REGEX] === 'true'
  const { service, protocol, notes } = originOfBackend(backend, seen)
  const pattern = protocol === undefined || isHttp(protocol) ? patternOf(pathType, path, usesRegex) : ''
  const rule: ConvertedRule = { hostname, path: pattern, service }
  return { rules: [rule], notes }
}

interface BackendOrigin {
  readonly service: string
  readonly protocol?: string
  readonly notes: readonly ConversionNote[]
}
/** A hostname without a service answers 503, so that no wildcard catches it. */
const unavailable = (reason: ConversionNote['reason'], message: string): BackendOrigin => ({
  service: 'http_status:503',
  notes: [{ reason, message }],
})

/** CF-CNV-06 */
function originOfBackend({ service }: NonNullable<Draft<IngressPath>['backend']>, seen: IngressSeen): BackendOrigin {
  const { ingress, config, serviceOf } = seen
  if (service?.name === undefined) return unavailable('Unsupported', 'a backend that is no Service answers 503')
  const found = serviceOf(service.name)
  const port = portIn(found, service.port ?? {})
  if (port === undefined) return unavailable('ServiceNotFound', missing(service.name, service.port?.name))
  const hints = { annotations: ingress.metadata?.annotations, ofService: found?.metadata?.annotations, port }
  const { protocol, notes } = protocolOf({ ...hints, defaultProtocol: config?.spec?.defaultProtocol })
  const host = hostOfService(service.name, ingress.metadata?.namespace ?? '')
  const absent = found === undefined ? [{ reason: 'ServiceNotFound' as const, message: missing(service.name) }] : []
  return { service: serviceUrl(protocol, host, port.port), protocol, notes: [...absent, ...notes] }
}
const missing = (name: string, port?: string) =>
  `Service ${name}${port === undefined ? '' : ` with port ${port}`} does not exist`

type KnownPort = Draft<OriginPort> & { readonly port: number }
/** A number counts even while its Service is missing. */
export function portIn(
  service: Draft<OriginService> | undefined,
  { number, name }: { readonly number?: number | undefined; readonly name?: string | undefined },
): KnownPort | undefined {
  const ports = (service?.spec?.ports ?? []).filter((each): each is KnownPort => each.port !== undefined)
  if (number !== undefined) return ports.find(({ port }) => port === number) ?? { port: number }
  return name === undefined ? ports[0] : ports.find((each) => each.name === name)
}
