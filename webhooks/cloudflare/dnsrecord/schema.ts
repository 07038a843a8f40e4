import {
  anyObject,
  choice,
  flag,
  integer,
  type KubeObject,
  list,
  object,
  resource,
  type Shape,
  text,
} from '../../kit/schema.ts'
import { cloudflareDetails, statusOf, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const TYPES = [
  ...['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'NS', 'SRV', 'CAA', 'CERT', 'DNSKEY', 'DS', 'HTTPS', 'LOC', 'NAPTR'],
  ...['SMIMEA', 'SSHFP', 'SVCB', 'TLSA', 'URI'],
] as const

const record = object(
  {
    spec: object(
      { name: text({ doc: 'Its name: with the zone, or relative to it.', minLength: 1, maxLength: 255 }) },
      {
        type: choice(TYPES, { doc: 'Its type.' }),
        content: text({ doc: 'What it says; types with data have none.', maxLength: 4_096 }),
        data: anyObject({ doc: 'The parts of SRV, CAA and other structured types.' }),
        ttl: integer({ doc: 'Seconds, or 1: automatic.', minimum: 1, maximum: 86_400, default: 1 }),
        proxied: flag({ doc: 'Whether Cloudflare stands before it; A, AAAA and CNAME alone.', default: false }),
        priority: integer({ doc: 'Of MX, SRV and URI.', minimum: 0, maximum: 65_535 }),
        comment: text({ doc: 'A comment beside the mark of its owner.', maxLength: 100 }),
        tags: list(text({ doc: 'Tag.', maxLength: 100 }), { doc: 'Tags, on paid plans.', maxItems: 20 }),
        sourceRef: anyObject({ doc: 'Kept, and refused by the worker: content or data says what the record is.' }),
        addressSelection: choice(['First', 'All', 'PreferIPv4', 'PreferIPv6'], { doc: 'Kept; of sourceRef.' }),
        sourceDeletionPolicy: choice(['Delete', 'Orphan'], { doc: 'Kept; of sourceRef.' }),
        cloudflare: cloudflareDetails,
      },
      'A DNS record.',
    ),
  },
  {
    status: statusOf({
      ...textsOfStatus('recordId', 'zoneId', 'fqdn', 'resolvedType', 'resolvedContent', 'sourceResourceVersion'),
      resolvedAddresses: list(text({ doc: 'Address.', maxLength: 64 }), { doc: 'Kept.', maxItems: 100 }),
      managedRecordIds: list(text({ doc: 'Id.', maxLength: 64 }), { doc: 'Kept.', maxItems: 100 }),
    }),
  },
)
export type DnsRecord = KubeObject & Shape<typeof record>
export const DNS_RECORD = resource(cloudflareResource('DNSRecord', 'dnsrecords'), record)
