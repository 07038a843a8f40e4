import { integer, type KubeObject, object, resource, type Shape, text } from '../../kit/schema.ts'
import { classConfig, classStatus, statusOf, tunnelRef } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const config = object(
  {
    spec: object(
      { tunnelRef },
      {
        ...classConfig,
        fallbackTarget: text({ doc: 'Kept; that of the tunnel counts.', maxLength: 2_048, default: 'http_status:404' }),
      },
      'The tunnel of a GatewayClass.',
    ),
  },
  {
    status: statusOf({
      ...classStatus,
      gatewayCount: integer({ doc: 'Gateways of the class.' }),
      routeCount: integer({ doc: 'HTTPRoutes of those Gateways.' }),
    }),
  },
)
export type TunnelGatewayClassConfig = KubeObject & Shape<typeof config>
export const GATEWAY_CLASS_CONFIG = resource(
  cloudflareResource('TunnelGatewayClassConfig', 'tunnelgatewayclassconfigs'),
  config,
)
