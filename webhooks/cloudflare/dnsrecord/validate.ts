import type { Finding, Rule } from '../../kit/admission.ts'
import { isTree } from '../../kit/schema.ts'
import { normalName } from '../hostnames.ts'
import { isIpv4, isIpv6 } from '../networks.ts'
import { unmarked } from '../rules.ts'
import type { DnsRecord } from './schema.ts'

const PROXIABLE: readonly string[] = ['A', 'AAAA', 'CNAME']
/** Types without data. */
const PLAIN: readonly string[] = [...PROXIABLE, 'TXT', 'MX', 'NS']
const MOST_SHOWN = 100

/** A record of a source is not built by this worker, which says so; its rest is not looked at. */
const isWritten = ({ next }: { readonly next: DnsRecord }) => next.spec.sourceRef === undefined

export const rules: readonly Rule<DnsRecord>[] = [
  {
    id: 'CF-V-02',
    field: 'spec.content, spec.type',
    on: 'write',
    when: isWritten,
    check({ next: { spec } }) {
      const many = [spec.content, spec.data].filter((each) => each !== undefined).length
      const typed: readonly Finding[] = spec.type === undefined ? [{ path: 'spec.type', value: 'no type' }] : []
      return [...typed, ...(many === 1 ? [] : [{ path: 'spec.content', value: many === 0 ? 'neither' : 'both' }])]
    },
    message: ({ value }) => `a record has a type, and either content or data; it has ${value}`,
    examples: [{ path: '', value: 'both' }],
    remedy: 'name the type, and one of the two',
  },
  {
    id: 'CF-V-03',
    field: 'spec.proxied',
    on: 'write',
    check: ({ next: { spec } }) =>
      spec.proxied === true && !PROXIABLE.includes(spec.type ?? '')
        ? [{ path: 'spec.proxied', value: spec.type ?? '' }]
        : [],
    message: ({ value }) => `Cloudflare does not stand before records of type ${value}`,
    remedy: `leave it out; of ${PROXIABLE.join(', ')} alone it may be true`,
  },
  {
    id: 'CF-V-04',
    field: 'spec.content',
    on: 'write',
    when: isWritten,
    check: ({ next: { spec } }) =>
      fits(spec)
        ? []
        : [{ path: 'spec.content', value: (spec.content ?? '').slice(0, MOST_SHOWN), by: [spec.type ?? ''] }],
    message: ({ value, by = [] }) => `"${value}" does not fit a record of type ${by.join()}`,
    examples: [{ path: '', value: '<content>', by: ['A'] }],
    remedy: 'write an IPv4 address for A, an IPv6 address for AAAA, another hostname than its own for CNAME',
  },
  {
    id: 'CF-V-05',
    field: 'spec.priority, spec.data',
    on: 'write',
    when: isWritten,
    check: ({ next: { spec } }) => missingIn(spec),
    message: ({ value }) => `is missing: a record of type ${value} needs it`,
    examples: [{ path: '', value: 'MX' }],
    remedy: 'MX needs content and priority, and types of several parts, such as SRV and CAA, need data',
  },
  unmarked('spec.comment', ({ spec }) => [{ path: 'spec.comment', value: spec.comment }]),
]

type RecordSpec = DnsRecord['spec']
function fits({ name, type, content }: RecordSpec): boolean {
  switch (type) {
    case 'A':
      return isIpv4(content ?? '')
    case 'AAAA':
      return isIpv6(content ?? '')
    case 'CNAME':
      return content !== undefined && content !== '' && normalName(content) !== normalName(name)
    default:
      return true
  }
}

function missingIn({ type, priority, content, data }: RecordSpec): readonly Finding[] {
  if (type === undefined) return []
  if (type === 'MX' && content === undefined) return [{ path: 'spec.content', value: type }]
  if (type === 'MX' && priority === undefined) return [{ path: 'spec.priority', value: type }]
  const hasData = isTree(data) && Object.keys(data).length > 0
  return PLAIN.includes(type) || hasData ? [] : [{ path: 'spec.data', value: type }]
}
