import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../../src/setting.ts'
import { RemoteAccounts } from '../../../../webhooks/cloudflare/access/accounts.ts'
import { type ZoneDetails, Zones } from '../../../../webhooks/cloudflare/access/zones.ts'
import { aCloudflare, aSecret } from '../../../support/builders/cloudflare.ts'
import { clusterOf } from '../../../support/clusters.ts'
import { ScriptedCloudflare } from '../../../support/fakes/cloudflare.ts'

const zone = (name: string) => ({ id: `id-of-${name}`, name })
const ZONES = ['example.com', 'sub.example.com', 'example.org'].map(zone)

async function world(zones: () => unknown = () => ZONES) {
  const cluster = clusterOf(aCloudflare('CloudflareCredentials', { isDefault: true }), aSecret())
  const api = new ScriptedCloudflare(zones)
  const settings = settingsOf({})
  const account = await new RemoteAccounts(api, settings).of({}, { cached: cluster, live: cluster })
  if ('message' in account) throw new Error(account.message)
  const known = new Zones(api.tick, settings)
  const found = async (name: string, details: ZoneDetails = {}) => {
    const zoned = await known.of(name, details, account)
    return 'zone' in zoned ? `${zoned.fqdn} in ${zoned.zone.name}` : `${zoned.reason}: ${zoned.message}`
  }
  return { api, found }
}

describe('CF-CRD-08 the zone of a record', () => {
  it.each<{ name: string; of: string; details?: ZoneDetails; is: string }>([
    { name: 'by its name', of: 'api.example.com', is: 'api.example.com in example.com' },
    { name: 'that is its name', of: 'Example.COM.', is: 'example.com in example.com' },
    { name: 'the longest one', of: 'a.b.sub.example.com', is: 'a.b.sub.example.com in sub.example.com' },
    {
      name: 'by its id',
      of: 'a.sub.example.com',
      details: { zoneId: 'id-of-example.com' },
      is: 'a.sub.example.com in example.com',
    },
    { name: 'by its domain', of: 'www', details: { domain: 'Example.com.' }, is: 'www.example.com in example.com' },
    {
      name: 'of a relative name of a service',
      of: '_sip._tcp',
      details: { domain: 'example.com' },
      is: '_sip._tcp.example.com in example.com',
    },
  ])('$name', async ({ of, details, is }) => {
    expect(await (await world()).found(of, details)).toBe(is)
  })

  it.each<{ name: string; of: string; details?: ZoneDetails; is: string }>([
    {
      name: 'that ends like a zone, without the dot',
      of: 'a.xexample.com',
      is: 'DependencyNotReady: no zone of a.xexample.com',
    },
    {
      name: 'of another zone than it names',
      of: 'a.example.org',
      details: { domain: 'example.com' },
      is: 'InvalidConfig: a.example.org is not in zone example.com',
    },
    {
      name: 'that is whole and has no zone',
      of: 'www.',
      details: { domain: 'example.com' },
      is: 'InvalidConfig: www is not in zone',
    },
    { name: 'that is relative to none', of: 'www', is: 'InvalidConfig: "www" has no zone' },
    {
      name: 'of a zone that is not there',
      of: 'a.example.com',
      details: { zoneId: 'x' },
      is: 'DependencyNotReady: no zone with id x',
    },
  ])('not of a name $name', async ({ of, details, is }) => {
    expect(await (await world()).found(of, details)).toContain(is)
  })

  it('is listed once for all names, until it is time for a new list', async () => {
    const { api, found } = await world()
    await Promise.all([found('a.example.com'), found('b.example.com')])
    api.now = 1_799_999
    await found('c.example.com')
    expect(api.asked).toEqual(['GET /zones'])
    api.now = 1_800_000
    await found('c.example.com')
    expect(api.asked).toHaveLength(2)
  })

  it('is looked for once more after 30 s where it is missing', async () => {
    const zones = [zone('example.com')]
    const { api, found } = await world(() => zones.slice())
    expect(await found('a.example.net')).toContain('DependencyNotReady')
    zones.push(zone('example.net'))
    api.now = 29_999
    expect(await found('a.example.net')).toContain('DependencyNotReady')
    expect(api.asked).toHaveLength(1)
    api.now = 30_000
    expect(await found('a.example.net')).toBe('a.example.net in example.net')
  })

  it('is asked for again after an answer that is none', async () => {
    const answers: unknown[] = ['no list', ZONES]
    const { found } = await world(() => answers.shift())
    await expect(found('a.example.com')).rejects.toThrow('another shape')
    expect(await found('a.example.com')).toContain('in example.com')
  })
})
