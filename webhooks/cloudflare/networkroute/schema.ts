import { choice, type KubeObject, object, resource, type Shape, text } from '../../kit/schema.ts'
import { cloudflareDetails, nameText, statusOf, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const route = object(
  {
    spec: object(
      {
        network: text({ doc: 'The network, like 10.0.0.0/8.', minLength: 1, maxLength: 64 }),
        tunnelRef: object(
          { name: nameText('Name of the tunnel.') },
          {
            kind: choice(['ClusterTunnel', 'Tunnel'], { doc: 'Kind of the tunnel.', default: 'ClusterTunnel' }),
            namespace: nameText('Namespace of a Tunnel.'),
          },
          'The tunnel that leads there.',
        ),
      },
      {
        virtualNetworkRef: object(
          {},
          {
            name: nameText('A VirtualNetwork.'),
            cloudflareId: text({ doc: 'The id of a virtual network.', maxLength: 64 }),
            cloudflareName: text({ doc: 'The name of a virtual network at Cloudflare.', maxLength: 256 }),
          },
          'The virtual network; the default one when absent.',
        ),
        comment: text({ doc: 'A comment beside the mark of its owner.', maxLength: 100 }),
        cloudflare: cloudflareDetails,
      },
      'A route of a private network through a tunnel.',
    ),
  },
  {
    status: statusOf(textsOfStatus('routeId', 'network', 'tunnelId', 'tunnelName', 'virtualNetworkId', 'accountId')),
  },
)
export type NetworkRoute = KubeObject & Shape<typeof route>
export const NETWORK_ROUTE = resource(cloudflareResource('NetworkRoute', 'networkroutes', 'Cluster'), route)
