import type { ControllerRemotes, Family } from '../kit/controller.ts'
import type { Settings } from '../kit/schema.ts'
import { RemoteAccounts } from './access/accounts.ts'
import { Networks } from './access/networks.ts'
import { Zones } from './access/zones.ts'
import { credentialsController } from './credentials/controller.ts'
import { cloudflareCredentials } from './credentials/kind.ts'
import { dnsRecord } from './dnsrecord/kind.ts'
import { dnsRecordRemote } from './dnsrecord/remote.ts'
import { keptBy } from './engine/kept.ts'
import { contending } from './engine/rivals.ts'
import { tunnelGatewayClassConfig } from './gatewayclass/kind.ts'
import { gatewayRule } from './gatewayrule/kind.ts'
import { gatewayRuleRemote } from './gatewayrule/remote.ts'
import { tunnelIngressClassConfig } from './ingressclass/kind.ts'
import { METRICS } from './metrics.ts'
import { networkRoute } from './networkroute/kind.ts'
import { networkRouteRemote } from './networkroute/remote.ts'
import { r2Bucket } from './r2bucket/kind.ts'
import { r2BucketRemote } from './r2bucket/remote.ts'
import * as settingsOfFamily from './settings.ts'
import { clusterTunnel, tunnel } from './tunnel/kind.ts'
import { tunnelOfCluster, tunnelOfNamespace } from './tunnel/remote.ts'
import { tunnelBinding } from './tunnelbinding/kind.ts'
import { tunnelConfigController } from './tunnelconfig/controller.ts'
import { virtualNetwork } from './virtualnetwork/kind.ts'
import { virtualNetworkRemote } from './virtualnetwork/remote.ts'

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
  controllers,
  settings: Object.values(settingsOfFamily),
  metrics: METRICS,
}

/** The kinds whose objects have one of Cloudflare each. */
const KEPT = [
  keptBy(tunnelOfNamespace, [contending(tunnelOfCluster)]),
  keptBy(tunnelOfCluster, [contending(tunnelOfNamespace)]),
  keptBy(dnsRecordRemote),
  keptBy(virtualNetworkRemote),
  keptBy(networkRouteRemote),
  keptBy(gatewayRuleRemote),
  keptBy(r2BucketRemote),
]

/** They share what they know of accounts and zones. */
function controllers({ cloudflare: open }: ControllerRemotes, settings: Settings) {
  const api = open({
    url: settings.get(settingsOfFamily.CLOUDFLARE_API_URL),
    requestsPerFiveMinutes: settings.get(settingsOfFamily.CLOUDFLARE_REQUESTS_PER_FIVE_MINUTES),
  })
  const tick = () => api.tick()
  const known = { zones: new Zones(tick, settings), networks: new Networks(tick, settings) }
  const parts = { accounts: new RemoteAccounts(api, settings), ...known, settings, tick }
  return [
    credentialsController(
      parts,
      KEPT.map(({ users }) => users),
    ),
    ...KEPT.map(({ controller }) => controller(parts)),
    tunnelConfigController({ accounts: parts.accounts, settings, pacing: api }),
  ]
}
