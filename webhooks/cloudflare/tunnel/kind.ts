import { cloudflareKind } from '../define.ts'
import { holdersAmong } from '../unique.ts'
import { claimOfTunnel } from './claim.ts'
import { CLUSTER_TUNNEL, TUNNEL } from './schema.ts'
import { mutations, rules } from './validate.ts'

const ofNamespace = { resource: TUNNEL, claim: claimOfTunnel }
const ofCluster = { resource: CLUSTER_TUNNEL, claim: claimOfTunnel }
const COMMON = { id: 'tunnelId', mutate: mutations, rules }

export const tunnel = cloudflareKind({
  ...COMMON,
  resource: TUNNEL,
  description: 'A tunnel of an account at Cloudflare, for one namespace.',
  shortNames: [],
  claims: { own: ofNamespace, others: [ofCluster], holders: [holdersAmong(ofCluster)] },
})
export const clusterTunnel = cloudflareKind({
  ...COMMON,
  resource: CLUSTER_TUNNEL,
  description: 'A tunnel of an account at Cloudflare, for all namespaces.',
  shortNames: [],
  claims: { own: ofCluster, others: [ofNamespace], holders: [holdersAmong(ofNamespace)] },
})
