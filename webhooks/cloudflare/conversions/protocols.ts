import type { Draft } from '../../kit/schema.ts'
import type { OriginPort } from '../kubernetes.ts'
import type { Annotations, ConversionNote } from './converted.ts'

const PROTOCOLS = ['http', 'https', 'ws', 'wss', 'tcp', 'ssh', 'rdp', 'smb', 'udp', 'bastion']
const OF_HTTP = ['http', 'https', 'ws', 'wss']
/** Of others no path is sent: they carry none. */
export const isHttp = (protocol: string) => OF_HTTP.includes(protocol)

const BY_APP_PROTOCOL: ReadonlyMap<string, string> = new Map([
  ...['http', 'https', 'tcp', 'udp', 'ws', 'wss'].map((name) => [name, name] as const),
  ['kubernetes.io/ws', 'ws'],
  ['kubernetes.io/wss', 'wss'],
  ['grpc', 'http'],
  ['h2c', 'http'],
  ['kubernetes.io/h2c', 'http'],
])
const BY_PORT_NAME: ReadonlyMap<string, string> = new Map([
  ...['http', 'http-web', 'http-api', 'web', 'grpc', 'grpc-web', 'h2c', 'http2'].map((name) => [name, 'http'] as const),
  ...['https', 'https-web', 'https-api', 'secure'].map((name) => [name, 'https'] as const),
  ...['ws', 'wss', 'ssh', 'rdp', 'smb', 'tcp', 'udp'].map((name) => [name, name] as const),
  ['websocket', 'ws'],
  ['websocket-secure', 'wss'],
])
const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  [443, 'https'],
  [22, 'ssh'],
  [3_389, 'rdp'],
  [139, 'smb'],
  [445, 'smb'],
])
export const protocolOfNumber = (port: number) => BY_NUMBER.get(port) ?? 'http'

const ANNOTATION = 'cloudflare.com/protocol'

export interface ProtocolHints {
  /** Of the object that publishes the Service. */
  readonly annotations?: Annotations
  readonly ofService?: Annotations
  readonly port: Draft<OriginPort> & { readonly port: number }
  /** Of the class. */
  readonly defaultProtocol?: string | undefined
}
export interface FoundProtocol {
  readonly protocol: string
  readonly notes: readonly ConversionNote[]
}

/** The first of seven hints that says something known (CF-CNV-07). */
export function protocolOf({ annotations, ofService, port, defaultProtocol }: ProtocolHints): FoundProtocol {
  const notes: ConversionNote[] = []
  const protocol =
    annotated(annotations, ANNOTATION, notes) ??
    annotated(annotations, `${ANNOTATION}-${port.port}`, notes) ??
    annotated(ofService, ANNOTATION, notes) ??
    BY_APP_PROTOCOL.get(port.appProtocol?.toLowerCase() ?? '') ??
    BY_PORT_NAME.get(port.name?.toLowerCase() ?? '') ??
    known(defaultProtocol) ??
    protocolOfNumber(port.port)
  return { protocol, notes: [...notes, ...(protocol === 'udp' ? [NO_UDP] : [])] }
}
const NO_UDP: ConversionNote = {
  reason: 'Unsupported',
  message: 'protocol udp is published, but public hostnames carry no UDP',
}

const known = (value: string | undefined) => PROTOCOLS.find((protocol) => protocol === value?.trim().toLowerCase())

function annotated(annotations: Annotations, name: string, notes: ConversionNote[]): string | undefined {
  const value = annotations?.[name]
  const protocol = known(value)
  if (value !== undefined && protocol === undefined)
    notes.push({ reason: 'InvalidAnnotation', message: `${name} is none of ${PROTOCOLS.join(', ')}, and is ignored` })
  return protocol
}

/** No slash at the end: cloudflared takes no path. A bastion chooses its host itself. */
export const serviceUrl = (protocol: string, host: string, port: number) =>
  protocol === 'bastion' ? 'bastion' : `${protocol}://${host}:${port}`
export const hostOfService = (name: string, namespace: string) => `${name}.${namespace}.svc`
