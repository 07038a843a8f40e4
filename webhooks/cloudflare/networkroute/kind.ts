import { cloudflareKind } from '../define.ts'
import { claimOfRoute } from './claim.ts'
import { NETWORK_ROUTE } from './schema.ts'
import { rules } from './validate.ts'

export const networkRoute = cloudflareKind({
  resource: NETWORK_ROUTE,
  description: 'A route of a private network through a tunnel.',
  shortNames: ['netroute'],
  id: 'routeId',
  claims: { own: { resource: NETWORK_ROUTE, claim: claimOfRoute } },
  rules,
})
