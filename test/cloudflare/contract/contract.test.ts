import Cloudflare, { APIError, ConflictError, NotFoundError, RateLimitError } from 'cloudflare'
import { describe, expect, it } from 'vitest'
import { CloudflareClient } from '../../../src/remote/cloudflare/client.ts'
import type { CloudflareCall, CloudflareMethod } from '../../../src/remote/cloudflare/port.ts'
import { CALLS, type LoggedCall } from '../double/server.ts'
import { type DoubleWorld, doubleWorld, idIn, TOKEN } from '../world.ts'
import { CONTRACT } from './calls.ts'
import type { Scene } from './scene.ts'

async function sceneOf({ ask, account: { id: account }, zone: { id: zone } }: DoubleWorld): Promise<Scene> {
  const made = async (path: string, body: object) => idIn(await ask('POST', path, body))
  const of = (path: string) => `/accounts/${account}${path}`
  const record = await made(`/zones/${zone}/dns_records`, { type: 'A', name: 'a', content: '192.0.2.1' })
  const tunnel = await made(of('/cfd_tunnel'), { name: 't', config_src: 'cloudflare' })
  const network = await made(of('/teamnet/virtual_networks'), { name: 'n' })
  const rule = await made(of('/gateway/rules'), { name: 'r', action: 'block' })
  await ask('POST', of('/r2/buckets'), { name: 'a-b' })
  const route = await made(of('/teamnet/routes'), { network: '10.0.0.0/8', tunnel_id: tunnel })
  return { account, zone, record, tunnel, network, route, rule, bucket: 'a-b' }
}

const published = ({ double }: DoubleWorld) =>
  new Cloudflare({ baseURL: double.url, apiToken: TOKEN, apiKey: null, apiEmail: null, maxRetries: 0 })
const ours = ({ double: { url } }: DoubleWorld) => new CloudflareClient({ url, requestsPerFiveMinutes: 900 })

/** What another client sends: `{account}` aside, which is that of its own double. */
function sent({ method, path, query, body, status }: LoggedCall, scene: Scene) {
  const ids = Object.entries(scene).filter(([, id]) => id.length > 3)
  const named = (text: string) => ids.reduce((rest, [name, id]) => rest.replaceAll(id, `<${name}>`), text)
  return named(JSON.stringify({ method, path, query, body, status }))
}

/** A tunnel and a network are deleted when nothing uses them any more. */
async function freed(world: DoubleWorld, { account, route }: Scene): Promise<void> {
  await world.ask('DELETE', `/accounts/${account}/teamnet/routes/${route}`)
  world.double.log.splice(0)
}
const isDeletionOfUsed = (call: string) => call.startsWith('DELETE') && /cfd_tunnel|virtual_networks/.test(call)

describe('CF-TST-17 CF-DBL-10 the published client and ours send the same', () => {
  it.each(CONTRACT)('$call', async ({ call, params, query, body, published: ask }) => {
    const logs: string[] = []
    for (const client of ['published', 'ours'] as const) {
      await using world = await doubleWorld()
      const scene = await sceneOf(world)
      world.double.log.splice(0)
      if (isDeletionOfUsed(call)) await freed(world, scene)
      if (client === 'published') await ask(published(world), scene)
      else {
        const [method, path] = call.split(' ') as [CloudflareMethod, string]
        const own: CloudflareCall<unknown> = { method, path, is: (_): _ is unknown => true }
        const question = { access: { token: TOKEN }, params: params(scene), ...(query && { query }) }
        await ours(world).ask(own, { ...question, ...(body && { body: body(scene) }) })
      }
      expect(world.double.log, client).toHaveLength(1)
      logs.push(...world.double.log.map((each) => sent(each, scene)))
    }
    expect(logs[1]).toBe(logs[0])
    expect(logs[0]).toContain('"status":200')
  })

  it('for every call of the double', () => {
    expect(CONTRACT.map(({ call }) => call).sort()).toEqual([...CALLS].sort())
  })
})

describe('CF-DBL-10 the published client gets', () => {
  it('typed answers, and all pages of a list', async () => {
    await using world = await doubleWorld()
    const client = published(world)
    for (let at = 0; at < 5; at += 1) {
      const record = await client.dns.records.create({
        ...{ zone_id: world.zone.id, type: 'TXT', name: 'a', content: `"${at}"`, ttl: 1 },
      })
      expect(record).toMatchObject({ name: 'a.example.com', content: `"${at}"`, meta: {}, tags: [], proxiable: false })
    }
    const found = await Array.fromAsync(client.dns.records.list({ zone_id: world.zone.id, per_page: 2 }))
    expect(found.map(({ content }) => content)).toEqual(['"0"', '"1"', '"2"', '"3"', '"4"'])
  })

  it('its own classes of errors, with the codes', async () => {
    await using world = await doubleWorld()
    const client = published(world)
    const { id: account_id } = world.account
    await client.zeroTrust.tunnels.cloudflared.create({ account_id, name: 't' })
    const failing = [
      { call: client.zeroTrust.tunnels.cloudflared.create({ account_id, name: 't' }), of: ConflictError, code: 1013 },
      { call: client.r2.buckets.get('none', { account_id }), of: NotFoundError, code: 10006 },
    ]
    for (const { call, of, code } of failing) {
      const error: unknown = await call.then(undefined, (cause: unknown) => cause)
      expect(error).toBeInstanceOf(of)
      expect(error instanceof APIError && error.errors).toMatchObject([{ code }])
    }
    world.double.limits.set('first', { remaining: 0 })
    await expect(client.user.tokens.verify()).rejects.toBeInstanceOf(RateLimitError)
  })
})
