import { choice, type Field, flag, integer, list, moment, object, type Shape, text } from '../kit/schema.ts'

/** The longest name of an object of Kubernetes. */
const NAME_LENGTH = 253
export const nameText = (doc: string) => text({ doc, maxLength: NAME_LENGTH })
const keyText = (doc: string) => text({ doc, maxLength: NAME_LENGTH })

export const reference = (doc: string) => object({ name: nameText('Name.') }, {}, doc)

/** Of every kind but R2Bucket (CF-CRD-06). */
export const cloudflareDetails = object(
  {},
  {
    credentialsRef: reference('The CloudflareCredentials; the default one when absent.'),
    domain: text({ doc: 'The zone, by its name.', maxLength: 253 }),
    zoneId: text({ doc: 'The zone, by its id.', maxLength: 64 }),
    accountId: text({ doc: 'The account; that of the credentials when absent.', maxLength: 64 }),
    accountName: text({ doc: 'Kept; an account is found by its id.', maxLength: 255 }),
    secret: text({ doc: 'Kept; credentials are found by credentialsRef.', maxLength: NAME_LENGTH }),
    email: text({ doc: 'Kept; credentials are found by credentialsRef.', maxLength: 320 }),
    CLOUDFLARE_API_TOKEN: keyText('Kept: a key of the Secret.'),
    CLOUDFLARE_API_KEY: keyText('Kept: a key of the Secret.'),
    CLOUDFLARE_TUNNEL_CREDENTIAL_FILE: keyText('Kept: a key of the Secret.'),
    CLOUDFLARE_TUNNEL_CREDENTIAL_SECRET: keyText('Kept: a key of the Secret.'),
  },
  'Zone, account and credentials.',
)
export type CloudflareDetails = Shape<typeof cloudflareDetails>

const condition = object(
  {
    type: text({ doc: 'Ready or Conflicted.', maxLength: 316 }),
    status: choice(['True', 'False', 'Unknown'], { doc: 'Whether it holds.' }),
    lastTransitionTime: moment({ doc: 'Since when.' }),
    reason: text({ doc: 'Why, in one word.', maxLength: 1_024 }),
    message: text({ doc: 'Why, for people.', maxLength: 32_768 }),
  },
  { observedGeneration: integer({ doc: 'The generation that was seen.' }) },
)
export type CloudflareCondition = Shape<typeof condition>

export const conditionList = list(condition, { doc: 'Ready and Conflicted.', keys: ['type'], maxItems: 16 })

const statusText = (doc: string) => text({ doc, maxLength: 4_096 })

/** The status of a kind: its own fields beside those that all have. */
export function statusOf<F extends Readonly<Record<string, Field<unknown>>>>(fields: F) {
  return object(
    {},
    {
      ...fields,
      state: statusText('In one word.'),
      conditions: conditionList,
      observedGeneration: integer({ doc: 'The generation that was seen.' }),
    },
    'What was found and done.',
  )
}
export const textsOfStatus = <const N extends string>(...names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, statusText('As Cloudflare has it.')])) as Record<N, Field<string>>

export const syncedHostnames = list(text({ doc: 'Hostname.', maxLength: 253 }), {
  doc: 'The hostnames that were sent.',
  maxItems: 10_000,
})
export const configVersion = integer({ doc: 'The version of the configuration that was sent.' })

export const tunnelRef = object(
  {
    kind: choice(['ClusterTunnel', 'Tunnel'], { doc: 'Kind of the tunnel.' }),
    name: nameText('Name of the tunnel.'),
  },
  { namespace: nameText('Namespace of the tunnel; that of this object when absent.') },
  'The tunnel.',
)

const duration = (doc: string) => text({ doc: `${doc}, like 30s.`, maxLength: 64 })
export const originRequest = object(
  {},
  {
    noTlsVerify: flag({ doc: 'Do not check the certificate of the origin.' }),
    http2Origin: flag({ doc: 'Speak HTTP/2 to the origin.' }),
    connectTimeout: duration('Time to connect'),
    tlsTimeout: duration('Time for the TLS handshake'),
    keepAliveTimeout: duration('Time that an idle connection stays open'),
    keepAliveConnections: integer({ doc: 'Idle connections that stay open.', minimum: 0, maximum: 1_000_000 }),
    caPool: text({ doc: 'Name of the CA of the origin.', maxLength: 253 }),
    originServerName: text({ doc: 'Name in the certificate of the origin.', maxLength: 253 }),
    httpHostHeader: text({ doc: 'Host header that the origin gets.', maxLength: 253 }),
    proxyAddress: text({ doc: 'Address of the proxy that cloudflared starts.', maxLength: 253 }),
    proxyPort: integer({ doc: 'Port of that proxy.', minimum: 1, maximum: 65_535 }),
    proxyType: choice(['', 'socks'], { doc: 'Kind of that proxy.' }),
    disableChunkedEncoding: flag({ doc: 'Send no chunked bodies.' }),
    bastionMode: flag({ doc: 'Be a jump host.' }),
  },
  'How the origin is reached.',
)
export type OriginRequest = Shape<typeof originRequest>

/** What all class configs have. */
export const classConfig = {
  dnsManagement: choice(['Automatic', 'Manual', 'DNSRecord'], {
    doc: 'Kept; DNS records are made by hand.',
    default: 'Automatic',
  }),
  dnsProxied: flag({ doc: 'Kept; for DNS records.', default: true }),
  defaultOriginRequest: originRequest,
  watchNamespaces: list(nameText('Namespace.'), { doc: 'Objects of these alone; of all when empty.', maxItems: 1_000 }),
}
export const classStatus = {
  ...textsOfStatus('tunnelId', 'tunnelName'),
  syncedHostnames,
  configVersion,
}
