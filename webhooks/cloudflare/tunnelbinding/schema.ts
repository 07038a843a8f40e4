import { choice, flag, integer, type KubeObject, list, object, resource, type Shape, text } from '../../kit/schema.ts'
import { configVersion, nameText, syncedHostnames } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const subject = object(
  { name: nameText('Name of the Service.') },
  {
    kind: text({ doc: 'Kind of what is published.', maxLength: 63, default: 'Service' }),
    spec: object(
      {},
      {
        fqdn: text({ doc: 'The hostname; the name with the domain of the tunnel when absent.', maxLength: 253 }),
        protocol: text({ doc: 'Protocol of the Service; found by its port when absent.', maxLength: 16 }),
        path: text({ doc: 'Regular expression of the path.', maxLength: 1_024 }),
        target: text({ doc: 'URL of the service, in place of that of the Service.', maxLength: 2_048 }),
        caPool: text({ doc: 'Name of the CA of the origin.', maxLength: 253 }),
        noTlsVerify: flag({ doc: 'Do not check the certificate of the origin.', default: false }),
        http2Origin: flag({ doc: 'Speak HTTP/2 to the origin.', default: false }),
        proxyAddress: text({ doc: 'Address of the proxy.', maxLength: 63, default: '127.0.0.1' }),
        proxyPort: integer({ doc: 'Port of the proxy.', minimum: 0, maximum: 65_535, default: 0 }),
        proxyType: choice(['', 'socks'], { doc: 'Kind of the proxy.' }),
      },
      'How it is published.',
    ),
  },
)

const binding = object(
  {
    subjects: list(subject, { doc: 'What is published.', maxItems: 1_000 }),
    tunnelRef: object(
      {
        kind: choice(['ClusterTunnel', 'Tunnel'], { doc: 'Kind of the tunnel.' }),
        name: nameText('Name of the tunnel; of a Tunnel in this namespace.'),
      },
      { disableDNSUpdates: flag({ doc: 'Kept; DNS records are made by hand.' }) },
      'The tunnel.',
    ),
  },
  {
    status: object(
      {},
      {
        hostnames: text({ doc: 'The hostnames, with commas.', maxLength: 262_144 }),
        services: list(
          object({
            hostname: text({ doc: 'Hostname.', maxLength: 253 }),
            target: text({ doc: 'URL.', maxLength: 2_048 }),
          }),
          { doc: 'What each hostname leads to.', maxItems: 1_000 },
        ),
        syncedHostnames,
        configVersion,
      },
      'What was published.',
    ),
  },
)
export type TunnelBinding = KubeObject & Shape<typeof binding>
export const TUNNEL_BINDING = resource(
  cloudflareResource('TunnelBinding', 'tunnelbindings', 'Namespaced', 'v1alpha1'),
  binding,
)
