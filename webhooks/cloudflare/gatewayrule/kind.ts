import { cloudflareKind } from '../define.ts'
import { claimOfRule } from './claim.ts'
import { GATEWAY_RULE } from './schema.ts'
import { rules } from './validate.ts'

export const gatewayRule = cloudflareKind({
  resource: GATEWAY_RULE,
  description: 'A rule of the gateway of an account at Cloudflare.',
  shortNames: ['gwrule'],
  id: 'ruleId',
  claims: { own: { resource: GATEWAY_RULE, claim: claimOfRule } },
  rules,
})
