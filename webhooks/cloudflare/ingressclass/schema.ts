import { choice, integer, type KubeObject, object, resource, type Shape } from '../../kit/schema.ts'
import { classConfig, classStatus, statusOf, tunnelRef } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const PROTOCOLS = ['http', 'https', 'tcp', 'udp', 'ssh', 'rdp', 'smb', 'bastion', 'wss', 'ws'] as const

const config = object(
  {
    spec: object(
      { tunnelRef },
      { ...classConfig, defaultProtocol: choice(PROTOCOLS, { doc: 'Protocol of Services.', default: 'http' }) },
      'The tunnel of an IngressClass.',
    ),
  },
  { status: statusOf({ ...classStatus, ingressCount: integer({ doc: 'Ingresses of the class.' }) }) },
)
export type TunnelIngressClassConfig = KubeObject & Shape<typeof config>
export const INGRESS_CLASS_CONFIG = resource(
  cloudflareResource('TunnelIngressClassConfig', 'tunnelingressclassconfigs'),
  config,
)
