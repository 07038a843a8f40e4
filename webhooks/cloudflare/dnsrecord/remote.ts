import { anyObject, flag, integer, list, nullable, object, type Shape, type Tree, text } from '../../kit/schema.ts'
import { isObstacle } from '../access/account.ts'
import type { PlaceAround, RemoteTable } from '../engine/table.ts'
import { normalName } from '../hostnames.ts'
import { networkIn } from '../networks.ts'
import { CLOUDFLARE_DNS_COMMENT_LIMIT } from '../settings.ts'
import { claimOfRecord } from './claim.ts'
import { DNS_RECORD, type DnsRecord } from './schema.ts'
import { rules } from './validate.ts'

const record = object(
  { id: text({ doc: 'Id.' }), name: text({ doc: 'Name.' }), type: text({ doc: 'Type.' }) },
  {
    content: nullable(text({ doc: 'Content.' })),
    ttl: integer({ doc: 'Seconds, or 1.' }),
    proxied: flag({ doc: 'Whether Cloudflare stands before it.' }),
    priority: nullable(integer({ doc: 'Priority.' })),
    data: nullable(anyObject({ doc: 'Parts of a structured type.' })),
    comment: nullable(text({ doc: 'Comment.' })),
    tags: list(text({ doc: 'Tag.' }), { doc: 'Tags.' }),
  },
)

/** Of these a name has one of each at most, and a CNAME stands alone. */
const SINGLE: readonly string[] = ['A', 'AAAA', 'CNAME']
const COMMENT_TOO_LONG = 9313

export const dnsRecordRemote: RemoteTable<DnsRecord, Shape<typeof record>> = {
  resource: DNS_RECORD,
  noun: 'record',
  finalizer: 'dnsrecord.networking.cloudflare-operator.io/finalizer',
  claim: claimOfRecord,
  details: ({ spec }) => spec?.cloudflare ?? {},
  rules,
  notBuilt: ({ spec }) => (spec.sourceRef === undefined ? [] : ['spec.sourceRef']),
  paths: { collection: '/zones/{zone}/dns_records', object: '/zones/{zone}/dns_records/{id}' },
  updates: 'PUT',
  replaces: (before, wanted) => before.type !== wanted.type,
  answer: record,
  remoteOf: ({ id, comment, name, type, content, ttl, proxied, priority, data, tags }) => ({
    ...{ id, text: comment ?? '' },
    fields: defined({ name, type, content, ttl, proxied, priority, data, tags }),
    told: { resolvedType: type, resolvedContent: content ?? '' },
  }),
  mark: {
    field: 'comment',
    limit: (settings, { known: { commentLimit } }) =>
      Math.min(settings.get(CLOUDFLARE_DNS_COMMENT_LIMIT), Number(commentLimit ?? Number.POSITIVE_INFINITY)),
    comment: ({ spec }) => spec.comment,
  },
  codes: { exists: [81053, 81057, 81058], gone: [81044], busy: [] },
  learns: ({ codes, message }, { known: { zone = '' } }, zones) => {
    if (codes.includes(COMMENT_TOO_LONG)) zones.learnCommentLimit(zone, limitIn(message))
  },
  place,
  wanted: ({ spec: { type = '', content, data, ttl = 1, proxied = false, priority, tags } }, { known }) =>
    defined({
      ...{ name: known.fqdn, type, content: data === undefined ? content : undefined, data, priority, tags },
      ttl: proxied ? 1 : ttl,
      proxied: SINGLE.includes(type) ? proxied : undefined,
    }),
  normal: normalised,
  find: ({ spec }, { known }) => ({
    query: { 'name.exact': known.fqdn ?? '' },
    isIt: ({ fields }) => isMeant(fields, spec),
  }),
  /** The filter takes letters of any case, and an earlier operator's marks are not among them. */
  listing: { query: { 'comment.startswith': '[managed-by:' } },
  status: {
    id: 'recordId',
    states: { ready: 'Active', pending: 'Error', error: 'Error', deleting: 'Error' },
    of: ({ told }, { known }) => ({ ...told, zoneId: known.zone, fqdn: known.fqdn }),
  },
}

const defined = (fields: Tree): Tree =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null))

/** What was made stays in its zone, whatever zones are there at its end (CF-OWN-14). */
async function place({ spec, status }: DnsRecord, { account, zones, isTerminating }: PlaceAround) {
  if (isTerminating && status?.zoneId && status.fqdn) return at(status.zoneId, status.fqdn)
  const found = await zones.of(spec.name, spec.cloudflare ?? {}, account)
  return isObstacle(found) ? found : at(found.zone.id, found.fqdn, zones.commentLimitOf(found.zone.id))
}
const at = (zone: string, fqdn: string, limit?: number) => ({
  params: { zone },
  known: { zone, fqdn, ...(limit !== undefined && { commentLimit: String(limit) }) },
})

const FREE = 100
/** The error says how long a comment may be in that zone (CF-OWN-06). */
function limitIn(message: string): number {
  const [, digits] = /\b9313\b\D*(\d{2,3})\b/.exec(message) ?? []
  return Number(digits ?? FREE)
}

/** CF-ONE-01: another record of a single-valued type is in the way; of the others a name may have many. */
function isMeant(fields: Tree, { type, content, data }: DnsRecord['spec']): boolean {
  const its = String(fields.type)
  if (type === 'CNAME') return SINGLE.includes(its)
  if (type !== undefined && SINGLE.includes(type)) return its === type || its === 'CNAME'
  if (its !== type) return false
  const wanted = normalised(data === undefined ? { type, content } : { type, data })
  const there = normalised(fields)
  return (
    JSON.stringify(data === undefined ? wanted.content : sorted(wanted.data)) ===
    JSON.stringify(data === undefined ? there.content : sorted(there.data))
  )
}
const sorted = (data: unknown) => Object.entries(Object(data)).sort(([one], [other]) => (one < other ? -1 : 1))

/** As Cloudflare may have written the same in another way (CF-ONE-04). */
function normalised(fields: Tree): Tree {
  const { type, name, content } = fields
  const text = typeof content === 'string' ? contentOf(String(type), content) : undefined
  return defined({ ...fields, name: typeof name === 'string' ? normalName(name) : undefined, content: text })
}
function contentOf(type: string, content: string): string {
  switch (type) {
    case 'AAAA':
      return networkIn(`${content}/128`)?.text ?? content
    case 'CNAME':
    case 'MX':
    case 'NS':
      return normalName(content)
    case 'TXT':
      return unquoted(content)
    default:
      return content
  }
}
/** `"a" "b"` is the text `ab` in two strings. */
const unquoted = (text: string) =>
  /^".*"$/s.test(text) ? text.slice(1, -1).replaceAll(/" +"/g, '').replaceAll('\\"', '"') : text
