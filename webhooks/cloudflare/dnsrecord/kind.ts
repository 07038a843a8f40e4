import { cloudflareKind } from '../define.ts'
import { claimOfRecord } from './claim.ts'
import { DNS_RECORD } from './schema.ts'
import { rules } from './validate.ts'

export const dnsRecord = cloudflareKind({
  resource: DNS_RECORD,
  description: 'A DNS record of a zone at Cloudflare.',
  shortNames: ['dnsrec'],
  id: 'recordId',
  claims: { own: { resource: DNS_RECORD, claim: claimOfRecord } },
  rules,
})
