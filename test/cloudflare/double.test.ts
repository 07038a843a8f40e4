import { execFile } from 'node:child_process'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isTree } from '../../src/schema.ts'
import { unverified } from './double/answer.ts'
import { type DoubleWorld, doubleWorld, EMAIL, idIn, KEY, OTHER_TOKEN } from './world.ts'

let world: DoubleWorld
beforeEach(async () => {
  await world?.close()
  world = await doubleWorld()
})
afterAll(() => world.close())

const records = () => world.records
const of = (path: string) => `/accounts/${world.account.id}${path}`
const A = { type: 'A', name: 'api', content: '192.0.2.1' }
const heard = (...call: Parameters<DoubleWorld['heard']>) => world.heard(...call)

describe('CF-DBL-01 CF-DBL-02 the double', () => {
  it('starts alone, prints its address and takes commands', async () => {
    const child = execFile(process.execPath, ['test/cloudflare/double.ts', '--port', '0'])
    const [address] = await Array.fromAsync(child.stdout?.take(1) ?? [])
    const command = (name: string, body: object) =>
      fetch(`${String(address).trim()}/__double/${name}`, { method: 'POST', body: JSON.stringify(body) })
    const { id } = Object(await (await command('account', { name: 'a' })).json())
    await command('zone', { account: id, name: 'example.com', plan: 'paid' })
    const shown: unknown = await (await command('state', {})).json()
    child.kill()
    expect(shown).toMatchObject({ accounts: [{ id }], zones: [{ name: 'example.com', plan: 'paid' }] })
    expect(id).toMatch(/^[0-9a-f]{32}$/)
  })

  it('answers 501 to what no public source tells', () => {
    expect(unverified('x')).toMatchObject({ status: 501, message: 'unverified: x' })
  })
})

describe('CF-DBL-03 the double refuses', () => {
  it.each([
    { name: 'a wrong token', headers: { authorization: 'Bearer x' }, answer: '403 10000' },
    { name: 'a key without its address', headers: { authorization: '', 'x-auth-key': KEY }, answer: '403 10000' },
    { name: 'the token of another account', headers: { authorization: `Bearer ${OTHER_TOKEN}` }, answer: '403 9109' },
    { name: 'a path that is none', path: '/zones/x/y', answer: '404 7003' },
    { name: 'a method that is none', method: 'PUT', answer: '405 10405' },
    { name: 'a body that is no JSON', method: 'POST', headers: { 'content-type': 'text/plain' }, answer: '400 6003' },
    { name: 'a page that is none', query: '?per_page=0', answer: '400 1004' },
  ])('$name', async ({ method = 'GET', path = records(), query = '', headers = {}, answer }) => {
    const body = method === 'GET' ? undefined : A
    expect(await heard(method, path + query, body, headers)).toBe(answer)
  })

  it('no key with its address', async () => {
    const headers = { authorization: '', 'x-auth-key': KEY, 'x-auth-email': EMAIL }
    expect(await heard('GET', '/user/tokens/verify', undefined, headers)).toBe(200)
  })

  it('no list, which it answers in pages', async () => {
    for (let at = 0; at < 3; at += 1) await world.ask('POST', records(), { ...A, content: `192.0.2.${at}` })
    const { body } = await world.ask('GET', `${records()}?page=2&per_page=2`)
    expect(body).toMatchObject({ success: true, errors: [], messages: [], result: [{ content: '192.0.2.2' }] })
    expect(body.result_info).toEqual({ page: 2, per_page: 2, count: 1, total_count: 3, total_pages: 2 })
  })
})

describe('CF-DBL-04 of records', () => {
  it.each([
    { name: 'A beside another A', other: { ...A, content: '192.0.2.2' }, answer: 200 },
    { name: 'AAAA beside A', other: { ...A, type: 'AAAA', content: '2001:db8::1' }, answer: 200 },
    { name: 'CNAME beside A', other: { ...A, type: 'CNAME', content: 'b.example.com' }, answer: '400 81053' },
    { name: 'the same again', other: { ...A, name: 'API.example.com.' }, answer: '400 81058' },
    { name: 'one without a name', other: { ...A, name: '' }, answer: '400 1004' },
    { name: 'a TXT through the proxy', other: { ...A, type: 'TXT', proxied: true }, answer: '400 9004' },
    { name: 'a comment of 101 characters', other: { ...A, name: 'b', comment: 'a'.repeat(101) }, answer: '400 9313' },
    { name: 'a comment of two lines', other: { ...A, name: 'b', comment: 'a\nb' }, answer: '400 1004' },
  ])('$name', async ({ other, answer }) => {
    await world.ask('POST', records(), A)
    expect(await heard('POST', records(), other)).toBe(answer)
  })

  it('the limit of a comment is that of the plan, and stands in the message', async () => {
    const on = (zone: string, many: number) =>
      world.ask('POST', `/zones/${zone}/dns_records`, { ...A, comment: 'a'.repeat(many) })
    expect((await on(world.paid.id, 500)).status).toBe(200)
    expect(JSON.stringify((await on(world.paid.id, 501)).body)).toContain('500')
  })

  it('are created, replaced, patched, read and deleted', async () => {
    const id = idIn(await world.ask('POST', records(), { ...A, name: 'Api', comment: 'x' }))
    const one = `${records()}/${id}`
    expect((await world.ask('GET', one)).result).toMatchObject({ name: 'api.example.com', comment: 'x', ttl: 1 })
    expect((await world.ask('PUT', one, { ...A, ttl: 60 })).result).toMatchObject({ id, comment: null, ttl: 60 })
    expect((await world.ask('PATCH', one, { proxied: true })).result).toMatchObject({ id, proxied: true, ttl: 1 })
    expect((await world.ask('DELETE', one)).result).toEqual({ id })
    expect(await heard('GET', one)).toBe('404 81044')
  })

  it('are filtered', async () => {
    const names = async (query: string) => {
      const { result } = await world.ask('GET', `${records()}?${query}`)
      return Array.isArray(result) ? result.map((each) => (isTree(each) ? `${each.name} ${each.type}` : '')) : []
    }
    await world.ask('POST', records(), { ...A, comment: '[managed-by:x]' })
    await world.ask('POST', records(), { ...A, type: 'TXT', content: 'a b' })
    await world.ask('POST', records(), {
      type: 'SRV',
      name: '_a._tcp',
      data: { priority: 0, weight: 0, port: 1, target: 'a' },
    })
    expect(await names('name.exact=API.example.com')).toEqual(['api.example.com A', 'api.example.com TXT'])
    expect(await names('type=SRV')).toEqual(['_a._tcp.example.com SRV'])
    expect(await names('comment.startswith=[MANAGED-by:')).toEqual(['api.example.com A'])
  })

  it('stand in zones that are found by name', async () => {
    expect((await world.ask('GET', '/zones?name=Example.com')).result).toMatchObject([
      { id: world.zone.id, account: { id: world.account.id } },
    ])
    expect((await world.ask('GET', '/zones?name=example.net')).result).toEqual([])
  })
})

describe('CF-DBL-05 of tunnels, networks and routes', () => {
  const tunnels = () => of('/cfd_tunnel')
  const networks = () => of('/teamnet/virtual_networks')
  const routes = () => of('/teamnet/routes')
  async function routed() {
    const tunnel_id = idIn(await world.ask('POST', tunnels(), { name: 't', config_src: 'cloudflare' }))
    const virtual_network_id = idIn(await world.ask('POST', networks(), { name: 'n', comment: '' }))
    const route = idIn(await world.ask('POST', routes(), { network: '10.0.0.0/8', tunnel_id, virtual_network_id }))
    return { tunnel_id, virtual_network_id, route }
  }
  const count = async (path: string) => {
    const { result } = await world.ask('GET', path)
    return Array.isArray(result) ? result.length : 0
  }

  it('the names of the living are unique', async () => {
    const { tunnel_id, virtual_network_id } = await routed()
    expect(await heard('POST', tunnels(), { name: 't' })).toBe('409 1013')
    expect(await heard('POST', networks(), { name: 'n' })).toBe('409 1013')
    const again = { network: '10.0.0.0/8', tunnel_id, virtual_network_id }
    expect(await heard('POST', routes(), again)).toBe('409 1014')
    expect(await heard('POST', routes(), { network: '10.0.0.0/8', tunnel_id })).toBe(200)
  })

  it('those in use stay, and the deleted ones are listed unless asked otherwise', async () => {
    const { tunnel_id, virtual_network_id, route } = await routed()
    expect(await heard('DELETE', `${tunnels()}/${tunnel_id}`)).toBe('400 1022')
    expect(await heard('DELETE', `${networks()}/${virtual_network_id}`)).toBe('400 0')
    expect(await heard('DELETE', `${routes()}/${route}`)).toBe(200)
    expect(await heard('DELETE', `${networks()}/${virtual_network_id}`)).toBe(200)
    const { account } = world
    for (const tunnel of account.tunnels.values()) tunnel.connections = 1
    expect(await heard('DELETE', `${tunnels()}/${tunnel_id}`)).toBe('400 1022')
    for (const tunnel of account.tunnels.values()) tunnel.connections = 0
    expect(await heard('DELETE', `${tunnels()}/${tunnel_id}`)).toBe(200)
    for (const path of [`${tunnels()}?name=t`, `${networks()}?name=n`, `${routes()}?network_subset=10.0.0.0/8`]) {
      expect([await count(path), await count(`${path}&is_deleted=false`)]).toEqual([1, 0])
    }
    expect((await world.ask('GET', `${tunnels()}/${tunnel_id}`)).result).toMatchObject({
      deleted_at: expect.any(String),
    })
  })

  it('are changed', async () => {
    const { tunnel_id, virtual_network_id, route } = await routed()
    const changed = async (path: string, body: object) => (await world.ask('PATCH', path, body)).result
    expect(await changed(`${tunnels()}/${tunnel_id}`, { name: 'u' })).toMatchObject({ id: tunnel_id, name: 'u' })
    const network = `${networks()}/${virtual_network_id}`
    expect(await changed(network, { is_default_network: true })).toMatchObject({ name: 'n', is_default_network: true })
    expect(await changed(`${routes()}/${route}`, { network: '10.0.0.0/16' })).toMatchObject({ tunnel_name: 'u' })
    expect(await changed(`${routes()}/${route}`, { comment: 'a'.repeat(101) })).toBeNull()
    expect(await changed(network, { comment: 'a'.repeat(257) })).toBeNull()
    for (const path of [tunnels(), networks(), routes()]) expect(await heard('GET', `${path}/x`)).toBe('404 1003')
  })
})

describe('CF-DBL-06 of configurations', () => {
  const LAST = { service: 'http_status:404' }
  it.each([
    {
      name: 'rules and the last one',
      ingress: [{ hostname: 'a.example.com', service: 'http://a' }, LAST],
      answer: 200,
    },
    { name: 'none', ingress: [], answer: '400 1056' },
    { name: 'a last one with a hostname', ingress: [{ hostname: 'a', service: 'http://a' }], answer: '400 1056' },
    { name: 'an early one without', ingress: [{ service: 'http://a' }, LAST], answer: '400 1056' },
    { name: 'a bad service', ingress: [{ hostname: 'a', service: 'x' }, LAST], answer: '400 1056' },
    { name: 'a bad hostname', ingress: [{ hostname: 'a*', service: 'http://a' }, LAST], answer: '400 1056' },
  ])('$name', async ({ ingress, answer }) => {
    const id = idIn(await world.ask('POST', of('/cfd_tunnel'), { name: 't' }))
    expect(await heard('PUT', of(`/cfd_tunnel/${id}/configurations`), { config: { ingress } })).toBe(answer)
  })

  it('the last writer wins, and the version grows', async () => {
    const id = idIn(await world.ask('POST', of('/cfd_tunnel'), { name: 't' }))
    const path = of(`/cfd_tunnel/${id}/configurations`)
    expect((await world.ask('GET', path)).result).toMatchObject({ config: null, version: 0 })
    await world.ask('PUT', path, { config: { ingress: [LAST], a: 1 } })
    await world.ask('PUT', path, { config: { ingress: [LAST] } })
    expect((await world.ask('GET', path)).result).toMatchObject({ config: { ingress: [LAST] }, version: 2 })
    await world.ask('DELETE', of(`/cfd_tunnel/${id}`))
    expect(await heard('PUT', path, { config: { ingress: [LAST] } })).toBe('404 1003')
  })
})

describe('CF-DBL-01 of gateway rules and buckets', () => {
  it('a rule is replaced as a whole, and its expressions come back in another form', async () => {
    const rule = { name: 'r', action: 'block', description: 'x', traffic: ' any(a)  and  b ' }
    const id = idIn(await world.ask('POST', of('/gateway/rules'), rule))
    const one = of(`/gateway/rules/${id}`)
    expect((await world.ask('GET', one)).result).toMatchObject({ traffic: 'any(a) and b', description: 'x' })
    expect((await world.ask('PUT', one, { name: 'r', action: 'allow' })).result).toMatchObject({ description: '' })
    expect(await heard('DELETE', one)).toBe(200)
    expect(await heard('GET', one)).toBe('404 2006')
    expect(await heard('POST', of('/gateway/rules'), { name: 'r' })).toBe('400 2001')
  })

  it('a bucket has its name, and stays while it holds something', async () => {
    const buckets = of('/r2/buckets')
    expect(await heard('POST', buckets, { name: 'a-b', locationHint: 'weur' })).toBe(200)
    expect(await heard('POST', buckets, { name: 'a-b' })).toBe('409 10004')
    expect(await heard('POST', buckets, { name: '-' })).toBe('400 10005')
    expect((await world.ask('GET', buckets)).result).toMatchObject({ buckets: [{ name: 'a-b', location: 'WEUR' }] })
    await fetch(`${world.double.origin}/__double/objects`, {
      method: 'POST',
      body: JSON.stringify({ bucket: 'a-b', many: 1 }),
    })
    expect(await heard('DELETE', `${buckets}/a-b`)).toBe('409 10008')
    for (const bucket of world.account.buckets.values()) bucket.objects = 0
    expect(await heard('DELETE', `${buckets}/a-b`)).toBe(200)
    expect(await heard('GET', `${buckets}/a-b`)).toBe('404 10006')
  })
})
