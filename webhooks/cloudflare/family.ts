import type { Family } from '../kit/controller.ts'
import { cloudflareCredentials } from './credentials/kind.ts'
import { dnsRecord } from './dnsrecord/kind.ts'
import { tunnelGatewayClassConfig } from './gatewayclass/kind.ts'
import { gatewayRule } from './gatewayrule/kind.ts'
import { tunnelIngressClassConfig } from './ingressclass/kind.ts'
import { networkRoute } from './networkroute/kind.ts'
import { r2Bucket } from './r2bucket/kind.ts'
import * as settings from './settings.ts'
import { clusterTunnel, tunnel } from './tunnel/kind.ts'
import { tunnelBinding } from './tunnelbinding/kind.ts'
import { virtualNetwork } from './virtualnetwork/kind.ts'

/** Objects of Cloudflare, each with one owner, and the configurations of tunnels. */
export const cloudflare: Family = {
  name: 'cloudflare',
  category: 'cloudflare',
  off: true,
  kinds: () => [
    cloudflareCredentials,
    tunnel,
    clusterTunnel,
    tunnelBinding,
    tunnelIngressClassConfig,
    tunnelGatewayClassConfig,
    dnsRecord,
    virtualNetwork,
    networkRoute,
    gatewayRule,
    r2Bucket,
  ],
  controllers: () => [],
  settings: Object.values(settings),
}
