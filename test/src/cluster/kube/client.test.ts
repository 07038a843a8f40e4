import { describe, expect, it } from 'vitest'
import { LIVE_READ_MS } from '../../../../src/admission/deadline.ts'
import { kubeClient } from '../../../../src/cluster/kube/client.ts'
import type { KubeObject } from '../../../../src/cluster/port.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import { type Call, statusOf } from '../../../support/fakes/api-server.ts'
import { client, clock, connection, faultOf, GADGETS, metrics, REF, server, startServer } from './client-on-script.ts'

const DEMO = { namespace: 'demo' }

describe('get', () => {
  it('gives what is stored', async () => {
    server.always((call) => call.json(200, aGadget({ color: 'blue' })))
    expect(await client.get(GADGET, REF)).toMatchObject({ metadata: { name: 'g' }, spec: { color: 'blue' } })
  })

  it('asks for one object by its name, which may hold anything', async () => {
    const found = client.get(GADGET, { namespace: 'demo', name: 'a/b?c' })
    const call = await server.next()
    expect(call).toMatchObject({ method: 'GET', path: `${GADGETS}/a%2Fb%3Fc`, query: {} })
    call.status(404, 'NotFound')
    expect(await found).toBeUndefined()
  })

  it.each(['', '.', '..', 'a'.repeat(254)])(
    'does not let %j lead out of its place: nothing has such a name',
    async (name) => {
      expect(await client.get(GADGET, { namespace: 'demo', name })).toBeUndefined()
      expect(server.connections).toBe(0)
    },
  )

  it('gives the metadata alone of an object that another version has written', async () => {
    const strange = { ...aGadget(), spec: 'nothing that we know' }
    server.always((call) => call.json(200, strange))
    expect(await client.get(GADGET, REF)).toEqual({ metadata: strange.metadata })
  })
})

it.each(['.', '..'])('a namespace %j leads nowhere either', async (namespace) => {
  expect(await client.get(GADGET, { namespace, name: 'g' })).toBeUndefined()
  expect(await client.list(GADGET, { namespace })).toEqual([])
  expect(await faultOf(client.remove(GADGET, { namespace, name: 'g' }))).toMatchObject({ code: 'GONE' })
  expect(server.connections).toBe(0)
})

describe('list', () => {
  it('asks for labels, as of now, and reads page after page', async () => {
    const found = client.list(GADGET, { namespace: 'demo', labels: { app: 'echo', tier: '' } })
    const first = await server.next()
    expect(first).toMatchObject({ path: GADGETS, query: { labelSelector: 'app=echo,tier=', limit: '500' } })
    expect(first.query).not.toHaveProperty('resourceVersion')
    first.json(200, pageOf(['a', 'b'], 'more'))
    const second = await server.next()
    expect(second.query).toMatchObject({ labelSelector: 'app=echo,tier=', continue: 'more' })
    second.json(200, pageOf(['c']))
    expect((await found).map(({ metadata }) => metadata.name)).toEqual(['a', 'b', 'c'])
  })

  it('asks for metadata alone where nothing else is wanted, and tells nothing else', async () => {
    const found = client.list(GADGET, { ...DEMO, metadataOnly: true })
    const call = await server.next()
    expect(call.headers.accept).toBe(
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    )
    call.json(200, pageOf(['a'])) // whole objects: it does not know that form
    expect((await found).map((each) => Object.keys(each))).toEqual([['metadata']])
  })

  it('reads all of them, whole, for a computed value', async () => {
    const index = { valuesOf: ({ metadata }: KubeObject) => [metadata.name] }
    const found = client.list(GADGET, { ...DEMO, limit: 1, metadataOnly: true, by: { index, value: 'b' } })
    const call = await server.next()
    expect(call.query).toMatchObject({ limit: '500' })
    expect(call.headers.accept).toBe('application/json')
    call.json(200, pageOf(['a', 'b']))
    expect(await found).toEqual([{ metadata: expect.objectContaining({ name: 'b' }) }])
  })

  it('reads no page beyond as many as suffice', async () => {
    const found = client.list(GADGET, { ...DEMO, limit: 2 })
    const first = await server.next()
    expect(first.query).toMatchObject({ limit: '2' })
    first.json(200, pageOf(['a'], 'more')) // a page may hold fewer
    const second = await server.next()
    expect(second.query).toMatchObject({ continue: 'more' })
    second.json(200, pageOf(['b', 'c'], 'still more'))
    expect((await found).map(({ metadata }) => metadata.name)).toEqual(['a', 'b'])
    expect(server.connections).toBe(1)
  })

  it('is empty for a resource that the API server does not know', async () => {
    server.always((call) => call.text(404, '404 page not found\n'))
    expect(await client.list(GADGET, DEMO)).toEqual([])
  })

  it('is empty, and not asked for, with a value that no label can have', async () => {
    expect(await client.list(GADGET, { ...DEMO, labels: { app: 'not a label' } })).toEqual([])
    expect(server.connections).toBe(0)
  })

  it('begins anew when its continue token has expired', async () => {
    const found = client.list(GADGET, DEMO)
    answer(await server.next(), 200, pageOf(['a'], 'more'))
    answer(await server.next(), 410, statusOf(410, 'Expired'))
    const again = await server.next()
    expect(again.query).not.toHaveProperty('continue')
    again.json(200, pageOf(['a', 'b']))
    expect(await found).toHaveLength(2)
  })

  it('is given up when its continue tokens expire again and again', async () => {
    server.always((call) => call.status(410, 'Expired'))
    expect(await faultOf(client.list(GADGET, DEMO))).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retry: true })
  })
})

describe('a look-up that is not answered', () => {
  it.each([
    { name: 'rights are missing', status: 403, reason: 'Forbidden' },
    { name: 'the token has run out', status: 401, reason: 'Unauthorized' },
    { name: 'there are too many of them', status: 429, reason: 'TooManyRequests' },
    { name: 'the API server fails', status: 500, reason: 'InternalError' },
    { name: 'etcd is away', status: 504, reason: 'Timeout' },
  ])('because $name may be tried again, and says what was asked of what', async ({ status, reason }) => {
    server.always((call) => call.status(status, reason, { message: 'User "tars-webhook" cannot …' }))
    for (const [verb, look] of [
      ['get', client.get(GADGET, REF)],
      ['list', client.list(GADGET, DEMO)],
    ] as const) {
      const fault = await faultOf(look)
      expect(fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retry: true })
      expect(fault.message).toContain(`cannot ${verb} gadgets.test.tars.io`)
      expect(fault.message).toContain(`${status} ${reason}`)
      expect(fault.message).not.toContain('tars-webhook')
    }
  })

  it('because there is no server says where it was looked for', async () => {
    await server.stop()
    const fault = await faultOf(client.get(GADGET, REF))
    expect(fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retry: true })
    expect(fault.message).toBe(
      `cannot get gadgets.test.tars.io demo/g: no answer from the API server at ${server.url} (ECONNREFUSED)`,
    )
    await startServer()
  })

  it.each([
    { name: 'a text', answer: (call: Call) => call.text(200, '<html>') },
    { name: 'something else', answer: (call: Call) => call.json(200, { items: [] }) },
    { name: 'broken JSON', answer: (call: Call) => call.json(200, undefined) },
  ])('because there came $name from something else than an API server may be tried again', async ({ answer }) => {
    server.always(answer)
    expect(await faultOf(client.get(GADGET, REF))).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retry: true })
    expect(await faultOf(client.list(GADGET, DEMO))).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retry: true })
  })

  it('because the question is wrong is not tried again', async () => {
    server.always((call) => call.status(400, 'BadRequest'))
    expect(await faultOf(client.list(GADGET, DEMO))).toMatchObject({ code: 'CLUSTER_REFUSED', retry: false })
  })

  it.each([
    { name: 'than a look-up may (SV-4)', parts: {}, ms: LIVE_READ_MS, words: 'within 0.9 s' },
    { name: 'than it is told', parts: { readTimeoutMs: 700 }, ms: 700, words: 'within 0.7 s' },
  ])('takes no longer $name', async ({ parts, ms, words }) => {
    const fault = faultOf(kubeClient({ connection, metrics, ...parts }).get(GADGET, REF))
    await server.next()
    clock.advance(ms)
    const message = `cannot get gadgets.test.tars.io demo/g: no answer from the API server at ${server.url} ${words}`
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', retry: true, message })
  })
})

it('look-ups are counted by kind and by what came of them', async () => {
  const answers = [() => 200, () => 404, () => 403].map((status) => (call: Call) => answer(call, status(), aGadget()))
  for (const each of answers) {
    server.always(each)
    await client.get(GADGET, REF).catch(() => {})
  }
  const { values } = await metrics.liveReads.get()
  expect(values.map(({ labels, value }) => [labels, value])).toEqual([
    [{ kind: 'Gadget', outcome: 'found' }, 1],
    [{ kind: 'Gadget', outcome: 'absent' }, 1],
    [{ kind: 'Gadget', outcome: 'failed' }, 1],
  ])
})

function pageOf(names: readonly string[], next?: string) {
  const items = names.map((name) => ({ ...aGadget(), metadata: { name, namespace: 'demo' } }))
  return { kind: 'GadgetList', metadata: { resourceVersion: '100', ...(next && { continue: next }) }, items }
}

function answer(call: Call, status: number, body: unknown): void {
  call.json(status, body)
}
