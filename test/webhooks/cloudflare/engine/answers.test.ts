import { describe, expect, it } from 'vitest'
import { DNS_RECORD } from '../../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { idIn, OTHER_TOKEN } from '../../../cloudflare/world.ts'
import { aCloudflare, aSecret } from '../../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'
import { CONTRACT, objectOf, pathOf, refOf } from './contract.ts'

const A = { namespace: 'demo', name: 'a' }
const B = { namespace: 'demo', name: 'b' }

describe('CF-TST-13 an answer to a creation', () => {
  it.each([
    { name: '81053', fault: { do: 'answer', status: 400, code: 81053 } },
    { name: '81057', fault: { do: 'answer', status: 400, code: 81057 } },
    { name: '81058', fault: { do: 'answer', status: 400, code: 81058 } },
    { name: '200 without success', fault: { do: 'no success' } },
    { name: '503', fault: { do: 'answer', status: 503 } },
    { name: 'HTML', fault: { do: 'html' } },
    { name: 'none, although the record was made', fault: { do: 'reset after' } },
  ] as const)('$name: it is tried once, and looked up before the next time', async ({ fault }) => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord'))
    world.double.faults.plan({ method: 'POST', ...fault })
    expect(await world.settled()).toMatchObject({ calls: ['POST /dns_records'], reasons: ['CreateFailed'] })
    expect(await world.ready(DNS_RECORD, A)).toMatch(/^APIError: /)
    world.double.log.splice(0)
    await world.settled()
    expect(await world.ready(DNS_RECORD, A)).toBe('Synced')
    expect(world.zone.records.size).toBe(1)
    expect(world.double.log.findIndex(({ path }) => path === world.records)).toBe(1) // behind the list of zones
    expect(world.double.log.find(({ path }) => path === world.records)?.method).toBe('GET')
  })

  it('429 pauses the calls of its credentials, and those of no other', async () => {
    const theirs = { name: 'api.example.net', cloudflare: { credentialsRef: { name: 'second' } } }
    await using world = await cloudflareWorld(
      aCloudflare('DNSRecord'),
      aCloudflare('DNSRecord', { name: 'www.example.com' }, { name: 'c' }),
      aCloudflare('DNSRecord', theirs, { name: 'b' }),
      aCloudflare('CloudflareCredentials', { secretRef: { name: 'own' } }, { name: 'second' }),
      aSecret({ CLOUDFLARE_API_TOKEN: OTHER_TOKEN }, { name: 'own' }),
    )
    const [, other] = world.double.state.accounts.keys()
    const zone = world.double.state.addZone({ account: other ?? '', name: 'example.net' })
    world.double.limits.set('first', { remaining: 0 })
    await world.settled()
    expect(await world.ready(DNS_RECORD, A)).toMatch(
      /^RateLimited: Cloudflare API rate limit reached, next attempt at /,
    )
    expect(await world.ready(DNS_RECORD, B)).toBe('Synced')
    expect(zone.records.size).toBe(1)
    expect(world.double.log.filter(({ status }) => status === 429)).toHaveLength(1)
    world.double.limits.set('first')
    await world.settled()
    expect(world.zone.records.size).toBe(2)
    expect(world.double.writes()).toHaveLength(3)
  })

  it.each([
    { many: 99, pages: ['1'] },
    { many: 100, pages: ['1'] },
    { many: 101, pages: ['1', '2'] },
  ])('a zone of $many records is read in $pages.length pages, to the last of them', async ({ many, pages }) => {
    const last = `r${many - 1}.example.com`
    await using world = await cloudflareWorld()
    let id = ''
    for (let at = 0; at < many; at += 1) {
      const record = { name: `r${at}.example.com`, type: 'CNAME', content: 'b.example.net', ttl: 1, proxied: false }
      id = idIn(await world.ask('POST', world.records, { ...record, comment: '[managed-by:DNSRecord/demo/a]' }))
    }
    world.cluster.seed([aCloudflare('DNSRecord', { name: last }, { annotations: { [ANNOTATIONS.remoteId]: id } })])
    world.double.log.splice(0)
    await world.settled()
    const reads = world.double.log.filter(({ path }) => path.startsWith(world.records))
    expect(reads.map(({ query }) => query.page)).toEqual(pages)
    expect(await world.ready(DNS_RECORD, A)).toBe('Synced')
  })
})

const SOFT = CONTRACT.filter(({ kind }) => ['ClusterTunnel', 'Tunnel', 'VirtualNetwork', 'NetworkRoute'].includes(kind))
describe('CF-TST-15 what is kept although it was deleted', () => {
  it.each(SOFT)('a $kind of that name is no candidate, and stays as it is', async (row) => {
    await using world = await cloudflareWorld(objectOf(row, { [ANNOTATIONS.adoptionPolicy]: 'IfExists' }))
    const id = idIn(await world.ask('POST', pathOf(row, world), row.others))
    await world.ask('DELETE', `${pathOf(row, world)}/${id}`)
    const { account } = world
    const dead = () => [account.tunnels, account.networks, account.routes].map((all) => JSON.stringify(all.get(id)))
    const before = dead()
    expect(before.join('')).toContain('"deleted_at":"')
    expect(await world.settled()).toMatchObject({ calls: [`POST ${row.collection}`], reasons: ['Created'] })
    expect(dead()).toEqual(before)
    expect(await world.ready(row.resource, refOf(row))).toBe('Synced')
  })
})
