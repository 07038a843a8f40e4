import type { Draft, Tree } from '../../kit/schema.ts'
import { wireOriginOf } from '../aggregation/wire-origin.ts'
import type { OriginRequest } from '../fields.ts'
import type { Annotations, ConversionNote } from './converted.ts'

type Read = (value: string) => unknown
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((word) => [word, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word) => [word, false] as const),
])
const asFlag: Read = (value) => BOOLEANS.get(value)
const asNumber: Read = (value) => (/^[0-9]{1,9}$/.test(value) ? Number(value) : undefined)
const asText: Read = (value) => value
const asPool: Read = (value) => poolPath(value)

/** Where connectors have their certificates. */
export const poolPath = (name: string) =>
  /^[A-Za-z0-9]([-A-Za-z0-9._]{0,251}[A-Za-z0-9])?$/.test(name) ? `/etc/cloudflared/certs/${name}` : undefined

/** Each annotation with its field and how it is written (CF-CNV-08). */
const ANNOTATED: Readonly<Record<string, readonly [field: string, read: Read]>> = {
  'no-tls-verify': ['noTLSVerify', asFlag],
  'http2-origin': ['http2Origin', asFlag],
  'ca-pool': ['caPool', asPool],
  'proxy-address': ['proxyAddress', asText],
  'proxy-port': ['proxyPort', asNumber],
  'proxy-type': ['proxyType', asText],
  'connect-timeout': ['connectTimeout', asText],
  'tls-timeout': ['tlsTimeout', asText],
  'keep-alive-timeout': ['keepAliveTimeout', asText],
  'keep-alive-connections': ['keepAliveConnections', asNumber],
  'origin-server-name': ['originServerName', asText],
  'http-host-header': ['httpHostHeader', asText],
  'disable-chunked-encoding': ['disableChunkedEncoding', asFlag],
  'bastion-mode': ['bastionMode', asFlag],
  'tcp-keep-alive': ['tcpKeepAlive', asText],
  'no-happy-eyeballs': ['noHappyEyeballs', asFlag],
  'match-sni-to-host': ['matchSNItoHost', asFlag],
}
const PREFIX = 'cloudflare.com/'

/** The defaults of the class, and over each of them the annotation of the object. */
export function originOf(annotations: Annotations, defaults: Draft<OriginRequest> = {}) {
  const origin: Tree = originOfSpec(defaults)
  const notes: ConversionNote[] = []
  for (const [name, [field, read]] of Object.entries(ANNOTATED)) {
    const written = annotations?.[PREFIX + name]
    if (written === undefined) continue
    const value = read(written.trim())
    if (value === undefined || wireOriginOf({ [field]: value }).flaws.length > 0) notes.push(ignored(PREFIX + name))
    else origin[field] = value
  }
  return { originRequest: Object.keys(origin).length === 0 ? undefined : origin, notes }
}
const ignored = (name: string): ConversionNote => ({
  reason: 'InvalidAnnotation',
  message: `${name} has a value that cloudflared does not take, and is ignored`,
})

/** As a class config writes it. A CA that is no name of a file is left out. */
export function originOfSpec({ noTlsVerify, caPool, ...rest }: Draft<OriginRequest>): Tree {
  const written = { ...rest, noTLSVerify: noTlsVerify, caPool: caPool ? poolPath(caPool) : undefined }
  return Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined && value !== ''))
}
