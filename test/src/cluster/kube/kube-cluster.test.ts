import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Metrics } from '../../../../src/process/metrics.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import { isNoWatch, isWatch } from '../../../support/fakes/api-server.ts'
import {
  clock,
  cluster,
  clusterWith,
  labelled,
  listed,
  metrics,
  REF,
  server,
  startServer,
  until,
  watching,
} from './cluster-on-script.ts'

const MAX_AGE = 150_000

it.each([
  { what: 'whole objects', keeps: {}, limit: '100' },
  { what: 'metadata alone', keeps: { fields: [] }, limit: '500' },
])('a cache of $what lists pages of $limit at first', async ({ keeps, limit }) => {
  await clusterWith({ resource: GADGET, keeps })
  const list = await server.next()
  expect(list.query).toEqual({ limit })
  list.json(200, { metadata: { resourceVersion: '100' }, items: [] })
  await cluster.synced
})

it('all objects of a resource come in pages that grow while they are small, as an auditor wants them (WR-8)', async () => {
  await clusterWith()
  const pages = cluster.pages(GADGET, { namespace: 'demo', limit: 20 })[Symbol.asyncIterator]()
  const sizes = [
    { limit: '1', note: 'short' },
    { limit: '2', note: 'x'.repeat(200_000) },
    { limit: '2', note: 'x'.repeat(400_000) },
    { limit: '1', note: 'short' },
  ]
  for (const [i, { limit, note }] of sizes.entries()) {
    const page = pages.next()
    const call = await server.next()
    expect(call.query).toEqual({ limit, ...(i > 0 && { continue: `at ${i}` }) })
    const more = { resourceVersion: '100', ...(i + 1 < sizes.length && { continue: `at ${i + 1}` }) }
    call.json(200, { metadata: more, items: [aGadget({ note })] })
    expect((await page).value).toMatchObject([{ metadata: { name: 'g' } }])
  }
  expect(await pages.next()).toMatchObject({ done: true })
})

describe('a look-up', () => {
  it('is live until the resource has been listed once', async () => {
    await clusterWith({ resource: GADGET, keeps: {} })
    const list = await server.next()
    const found = cluster.readers.cached.get(GADGET, REF)
    const get = await server.next()
    get.json(200, aGadget())
    expect(await found).toMatchObject({ metadata: { name: 'g' } })
    list.json(200, { metadata: { resourceVersion: '100' }, items: [] })
    await cluster.synced
  })

  it('is answered from memory from then on, whatever becomes of the API server', async () => {
    await clusterWith({ resource: GADGET, keeps: { byLabels: ['app'], fields: ['spec.title'] } })
    await listed('100', labelled('echo', 'first'))
    await cluster.synced
    await server.stop()
    const { cached } = cluster.readers
    expect(await cached.get(GADGET, REF)).toEqual({
      metadata: expect.objectContaining({ name: 'g', labels: { app: 'echo' } }),
      spec: { title: 'a gadget' },
    })
    expect(await cached.list(GADGET, { namespace: 'demo', labels: { app: 'echo' } })).toHaveLength(1)
    expect(await cached.get(GADGET, { ...REF, name: 'none' })).toBeUndefined()
    await startServer()
  })

  it('sees what is written as soon as it is told', async () => {
    await clusterWith({ resource: GADGET, keeps: { byLabels: ['app'] } })
    await listed('100')
    const stream = await watching('100')
    const echoes = async () => {
      const found = await cluster.readers.cached.list(GADGET, { namespace: 'demo', labels: { app: 'echo' } })
      return found.length
    }
    stream.event('ADDED', labelled('echo', '101'))
    await until(async () => (await echoes()) === 1)
    stream.event('DELETED', labelled('echo', '102'))
    await until(async () => (await echoes()) === 0)
  })

  it('is right after an outage in which another store took the place of the old one', async () => {
    await clusterWith({ resource: GADGET, keeps: {} })
    await listed('100', labelled('echo', '100'))
    await watching('100')
    server.breakAll()
    await clock.pass(100)
    await listed('40')
    await listed('40')
    await until(async () => (await cluster.readers.cached.list(GADGET, { namespace: 'demo' })).length === 0)
    const { values } = await metrics.relists.get()
    expect(values).toMatchObject([{ labels: { kind: 'Gadget' }, value: 1 }])
  })

  it('gives the metadata alone of a kept object that another version has written', async () => {
    await clusterWith({ resource: GADGET, keeps: {} })
    await listed('100', { ...labelled('echo', '100'), spec: 'nothing that we know' })
    await cluster.synced
    expect(await cluster.readers.cached.list(GADGET, { namespace: 'demo' })).toEqual([
      { metadata: expect.objectContaining({ name: 'g' }) },
    ])
  })

  it('is live where nobody keeps the resource, and with the live reader always', async () => {
    await clusterWith({ resource: GADGET, asks: ['get'] })
    server.always((call) => call.json(200, aGadget()))
    await cluster.synced
    for (const reader of [cluster.readers.cached, cluster.readers.live])
      expect(await reader.get(GADGET, REF)).toBeDefined()
    expect(await readsOf(metrics)).toBe(2)
  })

  it('is live while the API server has not been heard for too long, and from memory again when it is', async () => {
    await clusterWith({ resource: GADGET, keeps: {} })
    await listed('100', labelled('echo', '100'))
    await watching('100')
    clock.advance(MAX_AGE + 1)
    const found = cluster.readers.cached.list(GADGET, { namespace: 'demo' })
    const live = await server.next((call) => isNoWatch(call) && call.path.includes('/demo/'))
    live.json(200, { metadata: { resourceVersion: '100' }, items: [] })
    expect(await found).toEqual([])

    await clock.pass(AFTER_SILENCE)
    await listed('150') // the look whether the store is as far as we are
    await listed('150', labelled('echo', '100'))
    await until(() => cluster.states().every(({ ageSeconds }) => ageSeconds === 0))
    expect(await cluster.readers.cached.list(GADGET, { namespace: 'demo' })).toHaveLength(1)
    expect(await readsOf(metrics)).toBe(1)
  })
})

describe('a resource of which nothing but metadata is looked up', () => {
  const METADATA = 'g=meta.k8s.io;v=v1,application/json'
  const lean = () => clusterWith({ resource: GADGET, keeps: { byLabels: ['app'], fields: [] } })
  const echo = async () => {
    const [found] = await cluster.readers.cached.list(GADGET, { namespace: 'demo', labels: { app: 'echo' } })
    return found
  }

  it('is listed and watched so, and a rule that asks for more finds nothing there', async () => {
    await lean()
    const list = await server.next()
    expect(list.headers.accept).toBe(`application/json;as=PartialObjectMetadataList;${METADATA}`)
    list.json(200, { metadata: { resourceVersion: '100' }, items: [bare('100')] })
    const watch = await server.next(isWatch)
    expect(watch.headers.accept).toBe(`application/json;as=PartialObjectMetadata;${METADATA}`)
    await cluster.synced
    expect(await echo()).toMatchObject({ metadata: { name: 'g', resourceVersion: '100' } })
    const stream = watch.stream()
    stream.event('MODIFIED', bare('101'))
    await until(async () => (await echo())?.metadata.resourceVersion === '101')
    expect((await echo())?.spec).toBeUndefined()
  })

  it('is kept so where the API server does not know that form and sends all', async () => {
    await lean()
    await listed('100', labelled('echo', '100'))
    const stream = await watching('100')
    expect(await echo()).not.toHaveProperty('spec')
    stream.event('MODIFIED', labelled('echo', '101'))
    await until(async () => (await echo())?.metadata.resourceVersion === '101')
    expect(await echo()).not.toHaveProperty('spec')
  })

  it('is whole for the live reader', async () => {
    await lean()
    await listed('100')
    await cluster.synced
    const found = cluster.readers.live.get(GADGET, REF)
    const get = await server.next(({ path }) => path.endsWith('/gadgets/g'))
    expect(get.headers.accept).toBe('application/json')
    get.json(200, aGadget())
    expect(await found).toMatchObject({ spec: { title: 'a gadget' } })
  })

  function bare(resourceVersion: string): Built {
    const { metadata } = labelled('echo', resourceVersion)
    return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata }
  }
})

describe('as whom we write', () => {
  const ASKED = { method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews' }

  it('the API server says', async () => {
    await clusterWith()
    const user = cluster.user()
    const call = await server.next()
    expect(call).toMatchObject(ASKED)
    expect(JSON.parse(call.body)).toEqual({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
    call.json(201, { status: { userInfo: { username: 'outside', groups: ['system:authenticated'] } } })
    expect(await user).toBe('outside')
  })
  it.each([
    { name: 'is too old for it', status: 404, body: {}, code: 'CLUSTER_REFUSED' },
    { name: 'does not let us ask', status: 403, body: { reason: 'Forbidden' }, code: 'CLUSTER_UNREACHABLE' },
    { name: 'names nobody', status: 201, body: { status: { userInfo: {} } }, code: 'CLUSTER_UNREACHABLE' },
  ])('an API server that $name leaves it open', async ({ status, body, code }) => {
    await clusterWith()
    server.always((call) => call.json(status, body))
    const says = expect.stringMatching(
      `^cannot create selfsubjectreviews.authentication.k8s.io: the API server answers ${status}`,
    )
    await expect(cluster.user()).rejects.toMatchObject({ code, message: says })
  })
  it('an API server that does not answer is not waited for', async () => {
    await clusterWith()
    const user = cluster.user()
    const call = await server.next()
    void clock.pass(900)
    await expect(user).rejects.toThrow(/^cannot create selfsubjectreviews\S+: no answer from .* within 0\.9 s$/)
    await call.closed
  })
})

describe('the OpenAPI document of a group and version', () => {
  it.each([
    { name: 'is as the API server answers', status: 200, body: { openapi: '3.0.0' }, found: { openapi: '3.0.0' } },
    { name: 'may not exist', status: 404, body: {}, found: undefined },
  ])('$name', async ({ status, body, found }) => {
    await clusterWith()
    const document = cluster.openApi('api/v1')
    const call = await server.next()
    expect(call).toMatchObject({ method: 'GET', path: '/openapi/v3/api/v1' })
    call.json(status, body)
    expect(await document).toEqual(found)
  })
  it('that is not to be had is a fault', async () => {
    await clusterWith()
    server.always((call) => call.json(403, { reason: 'Forbidden' }))
    const message = expect.stringMatching('^cannot get the OpenAPI document of api/v1: the API server answers 403')
    await expect(cluster.openApi('api/v1')).rejects.toMatchObject({ code: 'CLUSTER_UNREACHABLE', message })
  })
})
/** Jitter at its least halves it. */
const AFTER_SILENCE = 100

async function readsOf({ liveReads }: Metrics): Promise<number> {
  const { values } = await liveReads.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}
