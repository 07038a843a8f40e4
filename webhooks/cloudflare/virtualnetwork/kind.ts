import { cloudflareKind } from '../define.ts'
import { claimOfNetwork } from './claim.ts'
import { VIRTUAL_NETWORK } from './schema.ts'
import { rules } from './validate.ts'

export const virtualNetwork = cloudflareKind({
  resource: VIRTUAL_NETWORK,
  description: 'A virtual network of an account at Cloudflare.',
  shortNames: ['vnet'],
  id: 'virtualNetworkId',
  claims: { own: { resource: VIRTUAL_NETWORK, claim: claimOfNetwork } },
  rules,
})
