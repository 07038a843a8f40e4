import type { Built } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'

const CLUSTER_SCOPED = ['CloudflareCredentials', 'ClusterTunnel', 'VirtualNetwork', 'NetworkRoute', 'GatewayRule']
const GROUP = 'networking.cloudflare-operator.io'

interface Named {
  readonly name?: string
  readonly namespace?: string
  readonly annotations?: Readonly<Record<string, string>>
}
/** An object of the family: in namespace demo, where its kind has one. */
export function aCloudflare(
  kind: string,
  spec: Tree = {},
  { name = 'a', namespace = 'demo', annotations }: Named = {},
): Built {
  const metadata = {
    name,
    ...(CLUSTER_SCOPED.includes(kind) ? {} : { namespace }),
    ...(annotations && { annotations }),
  }
  const version = kind === 'TunnelBinding' ? 'v1alpha1' : 'v1alpha2'
  const body = kind === 'TunnelBinding' ? spec : { spec: { ...USUAL[kind], ...spec } }
  return { apiVersion: `${GROUP}/${version}`, kind, metadata, ...body }
}

const tunnelRef = { kind: 'ClusterTunnel', name: 'main' }
/** What each kind needs at least. */
const USUAL: Readonly<Record<string, Tree>> = {
  CloudflareCredentials: { accountId: 'acc', secretRef: { name: 'cloudflare' } },
  TunnelIngressClassConfig: { tunnelRef },
  TunnelGatewayClassConfig: { tunnelRef },
  DNSRecord: { name: 'api.example.com', type: 'CNAME', content: 'b.example.net' },
  NetworkRoute: { network: '10.0.0.0/8', tunnelRef },
  GatewayRule: { precedence: 1, action: 'block', filters: ['dns'] },
}

/** The Secret of the usual credentials. */
export function aSecret(
  data: Readonly<Record<string, string>> = { CLOUDFLARE_API_TOKEN: 'token' },
  { name = 'cloudflare', namespace = 'tars-system' } = {},
): Built {
  const inBase64 = Object.fromEntries(Object.entries(data).map(([key, value]) => [key, base64(value)]))
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace }, data: inBase64 }
}
export const base64 = (text: string) => Buffer.from(text).toString('base64')
