import { choice, flag, type KubeObject, object, resource, type Shape, text } from '../../kit/schema.ts'
import { cloudflareDetails, configVersion, nameText, statusOf, syncedHostnames, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const named = text({ doc: 'Name of the tunnel.', maxLength: 255 })

const tunnel = object(
  {},
  {
    spec: object(
      {},
      {
        newTunnel: object({}, { name: named }, 'A tunnel that is made.'),
        existingTunnel: object(
          {},
          { id: text({ doc: 'Id of the tunnel; it goes before the name.', maxLength: 64 }), name: named },
          'A tunnel that is there.',
        ),
        enableWarpRouting: flag({ doc: 'Whether private networks are routed.', default: false }),
        fallbackTarget: text({
          doc: 'The service of what no rule matches.',
          maxLength: 2_048,
          default: 'http_status:404',
        }),
        noTlsVerify: flag({ doc: 'Do not check the certificates of origins.', default: false }),
        originCaPool: nameText('Secret with the CA of origins.'),
        protocol: choice(['auto', 'quic', 'http2'], { doc: 'Protocol of the connectors.', default: 'auto' }),
        deployPatch: text({ doc: 'Kept; connectors are deployed by hand.', maxLength: 65_536, default: '{}' }),
        cloudflare: cloudflareDetails,
      },
      'A tunnel of Cloudflare.',
    ),
    status: statusOf({
      ...textsOfStatus('tunnelId', 'tunnelName', 'accountId', 'zoneId'),
      configVersion,
      syncedHostnames,
    }),
  },
)
export type Tunnel = KubeObject & Shape<typeof tunnel>
export const TUNNEL = resource(cloudflareResource('Tunnel', 'tunnels'), tunnel)
export const CLUSTER_TUNNEL = resource(cloudflareResource('ClusterTunnel', 'clustertunnels', 'Cluster'), tunnel)
