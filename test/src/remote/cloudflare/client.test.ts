import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CloudflareClient, openCloudflare } from '../../../../src/remote/cloudflare/client.ts'
import type { CloudflareCall, CloudflareFault } from '../../../../src/remote/cloudflare/port.ts'
import { unaskedCloudflare } from '../../../../src/remote/cloudflare/unasked.ts'
import { answering, refusing, result, scriptedApi } from '../../../support/fakes/scripted-api.ts'

interface Item {
  readonly id: string
}
const isItem = (value: unknown): value is Item => typeof Object(value).id === 'string'
const isItems = (value: unknown): value is readonly Item[] => Array.isArray(value) && value.every(isItem)

const GET_ITEM: CloudflareCall<Item> = { method: 'GET', path: '/zones/{zone}/items/{id}', is: isItem }
const PUT_ITEM: CloudflareCall<Item> = { ...GET_ITEM, method: 'PUT' }
const LIST: CloudflareCall<readonly Item[]> = { method: 'GET', path: '/zones/{zone}/items', is: isItems }

const TOKEN = 'very-secret-token'
const access = { token: TOKEN }
const params = { zone: 'z', id: 'i' }

type Api = Awaited<ReturnType<typeof scriptedApi>>
const clientOf = ({ url }: Pick<Api, 'url'>, more = {}) =>
  new CloudflareClient({ url, requestsPerFiveMinutes: 900, ...more })
const faultOf = (promise: Promise<unknown>): Promise<CloudflareFault> =>
  promise.then(
    () => Promise.reject(new Error('it was answered')),
    (fault: CloudflareFault) => fault,
  )

describe('CF-API-01 a call is sent', () => {
  it('with its parameters, its query, its body and a token', async () => {
    await using api = await scriptedApi(result({ id: 'i', more: 1 }))
    const question = {
      access,
      params: { zone: 'a/b?c#d', id: 'i' },
      query: { exact: true, name: 'a&b' },
      body: { a: 1 },
    }
    expect(await clientOf(api).ask(PUT_ITEM, question)).toEqual({ id: 'i', more: 1 })
    expect(api.heard).toMatchObject([
      {
        method: 'PUT',
        path: '/client/v4/zones/a%2Fb%3Fc%23d/items/i?exact=true&name=a%26b',
        body: '{"a":1}',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      },
    ])
  })

  it('with a key and its address', async () => {
    await using api = await scriptedApi(result({ id: 'i' }))
    await clientOf(api).ask(GET_ITEM, { access: { key: 'k', email: 'a@example.com' }, params })
    expect(api.heard[0]?.headers).toMatchObject({ 'x-auth-key': 'k', 'x-auth-email': 'a@example.com' })
    expect(api.heard[0]?.headers).not.toHaveProperty('authorization')
  })

  it.each(['', '.', '..', undefined])('not with a parameter that would be another path: %s', async (zone) => {
    await using api = await scriptedApi(result({ id: 'i' }))
    const asked = clientOf(api).ask(GET_ITEM, { access, params: { ...(zone !== undefined && { zone }), id: 'i' } })
    await expect(asked).rejects.toMatchObject({ code: 'USAGE' })
    expect(api.heard).toEqual([])
  })

  it.each(['http://api.cloudflare.com/client/v4', 'http://127.0.0.1.example.com/', 'ftp://127.0.0.1/'])(
    'not in plain text to another machine: %s',
    (url) => {
      expect(() => openCloudflare({ url, requestsPerFiveMinutes: 900 })).toThrow('begins with https://')
    },
  )

  it.each(['https://api.cloudflare.com/client/v4', 'http://localhost:1', 'http://[::1]:1/'])('but to %s', (url) => {
    expect(() => openCloudflare({ url, requestsPerFiveMinutes: 900 })).not.toThrow()
  })
})

describe('CF-API-01 an answer counts', () => {
  const SUCCESS = { success: true, errors: [], messages: [] }
  const CHAINED = { code: 1004, message: 'DNS Validation Error', error_chain: [{ code: 9005, message: 'Bad content' }] }
  it.each([
    { name: 'a refusal', answer: refusing(400, 81053, 'exists'), code: 'REMOTE_REFUSED', codes: [81053] },
    { name: 'not found', answer: refusing(404, 81044, 'no such record'), code: 'REMOTE_REFUSED', codes: [81044] },
    { name: 'a refused token', answer: refusing(401, 10000, 'Authentication'), code: 'REMOTE_DENIED', codes: [10000] },
    { name: 'a missing right', answer: refusing(403, 9109, 'Unauthorized'), code: 'REMOTE_DENIED', codes: [9109] },
    { name: 'its own outage', answer: refusing(500, 1000, 'Internal'), code: 'REMOTE_FAILED', codes: [1000] },
    { name: '200 without success', answer: refusing(200, 1000, 'Internal'), code: 'REMOTE_FAILED', codes: [1000] },
    {
      name: 'the root of a chain',
      answer: answering(400, { ...SUCCESS, success: false, errors: [CHAINED] }),
      code: 'REMOTE_REFUSED',
      codes: [9005],
    },
    {
      name: 'errors of another shape',
      answer: answering(400, { success: false, errors: 'x' }),
      code: 'REMOTE_REFUSED',
    },
    {
      name: 'an error of another shape',
      answer: answering(400, { success: false, errors: [1, {}] }),
      code: 'REMOTE_REFUSED',
      codes: [0],
    },
    {
      name: 'HTML of a gateway',
      answer: answering(502, '<html>', { 'content-type': 'text/html' }),
      code: 'REMOTE_FAILED',
    },
    { name: 'half JSON', answer: answering(200, '{"success":true,"result":{'), code: 'REMOTE_FAILED' },
    { name: 'nothing', answer: answering(200, ''), code: 'REMOTE_FAILED' },
    { name: 'another JSON', answer: answering(200, [1]), code: 'REMOTE_FAILED' },
    { name: 'a result of another shape', answer: result({ id: 1 }), code: 'REMOTE_FAILED' },
    { name: 'no result', answer: answering(200, SUCCESS), code: 'REMOTE_FAILED' },
    { name: 'a timeout of the API', answer: refusing(408, 0, ''), code: 'REMOTE_FAILED', codes: [0] },
  ])('$name', async ({ answer, code, codes = [] }) => {
    await using api = await scriptedApi(answer)
    expect(await faultOf(clientOf(api).ask(GET_ITEM, { access, params }))).toMatchObject({ code, codes })
    expect(api.heard).toHaveLength(1)
  })

  it('and its words are passed on, in one line of a bounded length', async () => {
    await using api = await scriptedApi(refusing(400, 1004, `a\nb\u0000${'c'.repeat(10_000)}`))
    const { message } = await faultOf(clientOf(api).ask(GET_ITEM, { access, params }))
    expect(message).toMatch(/^Cloudflare answers 400 to GET \/zones\/\{zone\}\/items\/\{id\}: 1004 a b c{250,300}$/)
  })
})

describe('CF-API-01 the credentials go nowhere else', () => {
  it.each([
    { name: 'into the words of an error that quotes them', answer: refusing(400, 1, `bad token ${TOKEN}`) },
    { name: 'into an error of a shape', answer: result(TOKEN) },
    { name: 'into an error of a gateway', answer: answering(502, TOKEN) },
  ])('$name', async ({ answer }) => {
    await using api = await scriptedApi(answer)
    const fault = await faultOf(clientOf(api).ask(GET_ITEM, { access, params }))
    expect(inspect(fault, { depth: 10 })).not.toContain(TOKEN)
  })

  it('into the error of a connection', async () => {
    const api = await scriptedApi()
    await api[Symbol.asyncDispose]()
    const fault = await faultOf(clientOf(api).ask(GET_ITEM, { access, params }))
    expect(fault).toMatchObject({ code: 'REMOTE_FAILED', message: expect.stringContaining('ECONNREFUSED') })
    expect(inspect(fault, { depth: 10 })).not.toContain(TOKEN)
  })

  it('to the host of a redirect', async () => {
    await using other = await scriptedApi(result({ id: 'i' }))
    await using api = await scriptedApi(answering(307, '', { location: other.url }))
    const fault = await faultOf(clientOf(api).ask(PUT_ITEM, { access, params, body: {} }))
    expect(fault).toMatchObject({ code: 'REMOTE_FAILED', httpStatus: 307 })
    expect(other.heard).toEqual([])
  })

  it('and where nothing is asked, nothing is sent', async () => {
    const nowhere = unaskedCloudflare({ url: 'https://example.com', requestsPerFiveMinutes: 1 })
    await expect(nowhere.ask(GET_ITEM, { access })).rejects.toMatchObject({ code: 'REMOTE_FAILED' })
    await expect(nowhere.list(LIST, { access })).rejects.toMatchObject({ code: 'REMOTE_FAILED' })
    expect(nowhere.tick()).toBe(0)
  })
})

describe('CF-API-02 a list is read', () => {
  const items = (many: number) => Array.from({ length: many }, (_, at) => ({ id: String(at) }))
  const info = (total_count: number) => ({ total_count })
  const paths = ({ heard }: Api) => heard.map(({ path }) => path.split('?')[1])
  it.each([
    { name: 'of nothing', pages: [[]], total: 0 },
    { name: 'of a page that is not full', pages: [items(99)], total: 99 },
    { name: 'of a full page', pages: [items(100)], total: 100 },
    { name: 'of a full page and one item', pages: [items(100), items(1)], total: 101 },
    { name: 'of a short page, whatever the count says', pages: [items(3)], total: 1_000 },
  ])('$name', async ({ pages, total }) => {
    await using api = await scriptedApi(...pages.map((page) => result(page, info(total))))
    const found = await clientOf(api).list(LIST, { access, params, query: { name: 'a' } })
    expect(found).toEqual(pages.flat())
    expect(paths(api)).toEqual(pages.map((_, at) => `name=a&page=${at + 1}&per_page=100`))
  })

  it('that never ends to a bound', async () => {
    const fetch = async () => Response.json({ success: true, result: items(100), result_info: info(1e9) })
    const client = clientOf({ url: 'https://example.com' }, { fetch, requestsPerFiveMinutes: 1e9 })
    await expect(client.list(LIST, { access, params })).rejects.toThrow('more than 500 pages')
  })
})
