import type { Draft, Tree } from '../../kit/schema.ts'
import type { OriginPort, OriginService } from '../kubernetes.ts'
import type { TunnelBinding } from '../tunnelbinding/schema.ts'
import { type ConversionNote, type Converted, together } from './converted.ts'
import { portIn } from './ingress.ts'
import { poolPath } from './origin-annotations.ts'
import { hostOfService, protocolOfNumber, serviceUrl } from './protocols.ts'

export interface BindingSeen {
  readonly binding: Draft<TunnelBinding>
  /** Of the tunnel, or of its credentials; for subjects without a hostname. */
  readonly domain?: string | undefined
  /** In the namespace of the binding. */
  readonly serviceOf: (name: string) => Draft<OriginService> | undefined
}
type BindingSubject = NonNullable<Draft<TunnelBinding>['subjects']>[number]

const PROTOCOLS = ['http', 'https', 'rdp', 'smb', 'ssh', 'tcp', 'udp']
/** Where nothing is known that a hostname could lead to. */
const NOWHERE = 'http_status:404'

/** Its own subjects alone (CF-CNV-10). */
export const rulesOfBinding = (seen: BindingSeen): Converted =>
  together((seen.binding.subjects ?? []).map((subject) => ruleOf(subject, seen)))

function ruleOf(subject: BindingSubject, seen: BindingSeen): Converted {
  const { name = '', spec = {} } = subject
  const hostname = spec.fqdn || (seen.domain && `${name}.${seen.domain}`)
  if (!hostname)
    return { rules: [], notes: [note('RuleSkipped', `subject ${name} has no fqdn, and its tunnel no domain`)] }
  const { service, notes } = targetOf(subject, seen)
  const originRequest = originOfSubject(subject)
  const rule = { hostname, path: spec.path ?? '', service, ...(originRequest && { originRequest }) }
  return { rules: [rule], notes }
}
const note = (reason: ConversionNote['reason'], message: string): ConversionNote => ({ reason, message })

function targetOf({ name = '', spec = {} }: BindingSubject, { binding, serviceOf }: BindingSeen) {
  if (spec.target) return { service: spec.target, notes: [] }
  const service = serviceOf(name)
  const port = portIn(service, {})
  if (port === undefined)
    return { service: NOWHERE, notes: [note('ServiceNotFound', `Service ${name} with a port does not exist`)] }
  const host = hostOfService(name, binding.metadata?.namespace ?? '')
  const more = (service?.spec?.ports?.length ?? 0) > 1
  const notes = more ? [note('Unsupported', `Service ${name} has several ports: the first one is published`)] : []
  return { service: serviceUrl(protocolFor(spec.protocol, port), host, port.port), notes }
}

function protocolFor(
  written: string | undefined,
  { port, protocol }: Draft<OriginPort> & { readonly port: number },
): string {
  const known = PROTOCOLS.find((each) => each === written?.toLowerCase())
  return known ?? (protocol === 'UDP' ? 'udp' : protocolOfNumber(port))
}

/** What is the default of the schema is not sent: absent is another thing than false. */
function originOfSubject({ spec = {} }: BindingSubject): Tree | undefined {
  const { noTlsVerify, http2Origin, proxyAddress, proxyPort, proxyType, caPool } = spec
  const pool = caPool ? poolPath(caPool) : undefined
  const origin = {
    ...(noTlsVerify === true && { noTLSVerify: true }),
    ...(http2Origin === true && { http2Origin: true }),
    ...(pool !== undefined && { caPool: pool }),
    ...(proxyType && { proxyType, proxyAddress, proxyPort }),
  }
  return Object.keys(origin).length === 0 ? undefined : origin
}

/** `status.services` and `status.hostnames`. */
export const publishedBy = ({ rules }: Converted) => ({
  hostnames: rules.map(({ hostname }) => hostname).join(','),
  services: rules.map(({ hostname, service }) => ({ hostname, target: service })),
})
