import { isTree, type Tree } from '../../../src/schema.ts'
import { ApiError, pageOf } from './answer.ts'
import { type DoubleCall, type DoubleRoutes, isTrue, textOf, zoneOf } from './routing.ts'
import { type DoubleRecord, type DoubleZone, hexId, now } from './state.ts'

/** API reference, "Zones" and "DNS Records for a Zone"; codes as in the public reports that the specification lists. */
export const DNS: DoubleRoutes = {
  'GET /zones': ({ state, query, credential }) => {
    const own = [...state.zones.values()].filter(({ account }) => credential.accounts.includes(account))
    const named = own.filter(({ name }) => !query.has('name') || name === query.get('name')?.toLowerCase())
    return pageOf(
      named.map((zone) => shownZone(zone, state.accounts.get(zone.account)?.name ?? '')),
      query,
    )
  },
  'GET /zones/{zone}/dns_records': (call) => pageOf(listed(zoneOf(call), call.query), call.query),
  'POST /zones/{zone}/dns_records': (call) => ({ result: stored(zoneOf(call), newRecord(call)) }),
  'GET /zones/{zone}/dns_records/{id}': (call) => ({ result: recordOf(call) }),
  'PUT /zones/{zone}/dns_records/{id}': (call) => {
    const { id, created_on } = recordOf(call)
    return { result: stored(zoneOf(call), { ...newRecord(call), id, created_on }) }
  },
  'PATCH /zones/{zone}/dns_records/{id}': (call) => {
    const before = recordOf(call)
    const after = newRecord({ ...call, body: { ...before, ...call.body } })
    return { result: stored(zoneOf(call), { ...after, id: before.id, created_on: before.created_on }) }
  },
  'DELETE /zones/{zone}/dns_records/{id}': (call) => {
    const { id } = recordOf(call)
    zoneOf(call).records.delete(id)
    return { result: { id } }
  },
}

/** 81044: Record does not exist. */
function recordOf(call: DoubleCall): DoubleRecord {
  const record = zoneOf(call).records.get(call.params.id ?? '')
  if (record === undefined) throw new ApiError(404, 81044, 'Record does not exist.')
  return record
}

/** Filters of the API reference; they are case-insensitive. */
function listed({ records }: DoubleZone, query: URLSearchParams): readonly DoubleRecord[] {
  const wanted = (name: string) => query.get(name)?.toLowerCase()
  const [name, type, begin] = [wanted('name.exact'), wanted('type'), wanted('comment.startswith')]
  return [...records.values()].filter(
    (record) =>
      (name === undefined || record.name === name) &&
      (type === undefined || record.type.toLowerCase() === type) &&
      (begin === undefined || (record.comment ?? '').toLowerCase().startsWith(begin)),
  )
}

/** API reference: these alone pass through the proxy. */
const PROXIABLE = ['A', 'AAAA', 'CNAME']
function newRecord(call: DoubleCall): DoubleRecord {
  const { body } = call
  const zone = zoneOf(call)
  const type = textOf(body.type)
  const proxied = isTrue(body.proxied)
  const data = isTree(body.data) ? body.data : undefined
  const comment = commentIn(body, zone)
  if (type === '' || textOf(body.name) === '') throw new ApiError(400, 1004, 'DNS Validation Error')
  if (proxied && !PROXIABLE.includes(type)) throw new ApiError(400, 9004, 'This record type cannot be proxied.')
  return {
    ...{ id: hexId(), name: fullName(textOf(body.name), zone), type },
    content: data === undefined ? textOf(body.content) : Object.values(data).join(' '),
    ttl: proxied ? 1 : Number(body.ttl ?? 1), // a proxied record has the TTL "Auto"
    ...{ proxied, proxiable: PROXIABLE.includes(type), comment },
    tags: Array.isArray(body.tags) ? body.tags : [],
    ...(typeof body.priority === 'number' && { priority: body.priority }),
    ...(data && { data }),
    ...{ settings: {}, meta: {}, created_on: now(), modified_on: now() },
  }
}

/** Names are answered in lower case, and with the zone. */
function fullName(written: string, { name: zone }: DoubleZone): string {
  const name = written.toLowerCase().replace(/\.$/, '')
  if (name === '@') return zone
  return name === zone || name.endsWith(`.${zone}`) ? name : `${name}.${zone}`
}

/** "DNS record comments": 100 characters on Free plans, 500 on others; code 9313. */
function commentIn({ comment }: Tree, { plan }: DoubleZone): string | null {
  const most = plan === 'free' ? 100 : 500
  const text = textOf(comment)
  if ([...text].length > most)
    throw new ApiError(
      400,
      9313,
      `DNS record has a comment that is too long. Comments have a maximum of ${most} characters.`,
    )
  if (/[\r\n]/.test(text)) throw new ApiError(400, 1004, 'DNS Validation Error')
  return text === '' ? null : text
}

const ADDRESSES = ['A', 'AAAA']
/** A and AAAA stand together, neither stands with a CNAME (81053), and no record stands twice (81058). */
function stored({ records }: DoubleZone, record: DoubleRecord): DoubleRecord {
  const others = [...records.values()].filter(({ id, name }) => id !== record.id && name === record.name)
  const isSame = (other: DoubleRecord) => other.type === record.type && other.content === record.content
  if (others.some(isSame)) throw new ApiError(400, 81058, 'An identical record already exists.')
  if (others.some((other) => excludes(other, record) || excludes(record, other)))
    throw new ApiError(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.')
  records.set(record.id, record)
  return record
}
const excludes = (one: DoubleRecord, other: DoubleRecord) =>
  one.type === 'CNAME' && [...ADDRESSES, 'CNAME'].includes(other.type)

function shownZone({ id, name, account, plan }: DoubleZone, accountName: string) {
  const date = '2026-01-01T00:00:00Z'
  return {
    ...{ id, name, status: 'active', paused: false, type: 'full', development_mode: 0 },
    account: { id: account, name: accountName },
    owner: { id: null, type: 'user', email: null },
    plan: { id: plan, name: plan === 'free' ? 'Free Website' : 'Pro Website', legacy_id: plan },
    meta: {},
    name_servers: ['a.ns.cloudflare.com', 'b.ns.cloudflare.com'],
    ...{ original_name_servers: null, original_registrar: null, original_dnshost: null },
    ...{ activated_on: date, created_on: date, modified_on: date, permissions: [] },
  }
}
