import type { Claiming } from '../claims.ts'
import { cloudflareKind } from '../define.ts'
import { type CloudflareCredentials, CREDENTIALS } from './schema.ts'

/** CF-CRD-07: a cluster has one default. */
const claim: Claiming<CloudflareCredentials> = ({ spec }) =>
  spec?.isDefault === true
    ? {
        natural: 'default-credentials',
        keys: ['default-credentials'],
        words: 'the default',
        field: 'spec.isDefault',
      }
    : undefined

export const cloudflareCredentials = cloudflareKind({
  resource: CREDENTIALS,
  description: 'An account at Cloudflare, and the Secret with the token for it.',
  shortNames: ['cfcreds'],
  claims: { own: { resource: CREDENTIALS, claim }, refusedBy: 'CF-V-12' },
})
