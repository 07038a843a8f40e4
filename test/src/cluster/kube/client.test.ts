import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LIVE_READ_MS } from '../../../../src/admission/deadline.ts'
import { type KubeClient, kubeClient } from '../../../../src/cluster/kube/client.ts'
import { type Connection, connect } from '../../../../src/cluster/kube/wire/connection.ts'
import { storedOf } from '../../../../src/cluster/memory/memory-store.ts'
import { type Built, type Gvr, Refused } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import { type Metrics, metricsOf } from '../../../../src/process/metrics.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import { type ApiServer, type Call, scriptedApiServer, statusOf } from '../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'

const GADGETS = '/apis/test.tars.io/v1/namespaces/demo/gadgets'
const DEMO = { namespace: 'demo' }
const REF = { namespace: 'demo', name: 'g' }
const NODE: Gvr = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', scope: 'Cluster' }

let server: ApiServer
let clock: ManualClock
let connection: Connection
let metrics: Metrics
let client: KubeClient

beforeEach(async () => {
  server = await scriptedApiServer()
  clock = new ManualClock()
  metrics = metricsOf()
  connection = await connect(server.kubeconfig(), clock)
  client = kubeClient({ connection, metrics })
})
afterEach(async () => {
  connection.stop()
  await server.stop()
})

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
    server = await scriptedApiServer()
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

describe('writes', () => {
  const stored = storedOf(aStored())
  const operations = [{ op: 'add', path: '/metadata/labels/app', value: 'echo' }] as const

  it.each([
    {
      name: 'create',
      write: () => client.create(GADGET, stored),
      sent: { method: 'POST', path: GADGETS, body: JSON.stringify(stored) },
    },
    {
      name: 'replace',
      write: () => client.replace(GADGET, stored),
      sent: { method: 'PUT', path: `${GADGETS}/g`, body: JSON.stringify(stored) },
    },
    {
      name: 'patch',
      write: () => client.patch(GADGET, REF, operations),
      sent: {
        method: 'PATCH',
        path: `${GADGETS}/g`,
        body: JSON.stringify(operations),
        headers: { 'content-type': 'application/json-patch+json' },
      },
    },
    {
      name: 'patch of a core kind of cluster scope',
      write: () => client.patch(NODE, { namespace: '', name: 'n' }, operations),
      sent: { method: 'PATCH', path: '/api/v1/nodes/n' },
    },
  ])('$name gives what the API server made of it', async ({ write, sent }) => {
    const written = write()
    const call = await server.next()
    expect(call).toMatchObject(sent)
    call.json(200, { ...stored, unknown: 'field' })
    expect(await written).toEqual({ ...stored, unknown: 'field' })
  })

  it('remove deletes the object and nothing else', async () => {
    const removed = client.remove(GADGET, REF)
    const call = await server.next()
    expect(call).toMatchObject({ method: 'DELETE', path: `${GADGETS}/g`, body: '' })
    call.status(200, '')
    expect(await removed).toBeUndefined()
  })

  it('remove sends its options', async () => {
    const options = { preconditions: { uid: 'u' }, propagationPolicy: 'Orphan' } as const
    const removed = client.remove(GADGET, REF, options)
    const call = await server.next()
    expect(JSON.parse(call.body)).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', ...options })
    call.status(200, '')
    await removed
  })

  it('remove does not take a whole collection for want of a name', async () => {
    expect(await faultOf(client.remove(GADGET, { namespace: 'demo', name: '' }))).toMatchObject({ code: 'GONE' })
    expect(server.connections).toBe(0)
  })

  it('replace does not overwrite what it has not seen', async () => {
    const blind = client.replace(GADGET, storedOf(aGadget()))
    await expect(blind).rejects.toMatchObject({ status: { code: 422, details: { causes: [{ field: VERSION }] } } })
    expect(server.connections).toBe(0)
  })
  const VERSION = 'metadata.resourceVersion'

  const uid = { details: { causes: [{ reason: 'FieldValueInvalid', message: 'immutable', field: 'metadata.uid' }] } }
  it.each([
    { name: 'another version is stored', status: 409, reason: 'Conflict', code: 'CONFLICT', retry: true },
    { name: 'the object is gone', status: 404, reason: 'NotFound', code: 'GONE', retry: false },
    { name: 'another object stands there', status: 422, reason: 'Invalid', more: uid, code: 'GONE', retry: false },
    { name: 'there are too many', status: 429, reason: 'TooManyRequests', code: 'CLUSTER_UNREACHABLE', retry: true },
    { name: 'the API server fails', status: 500, reason: 'InternalError', code: 'CLUSTER_UNREACHABLE', retry: true },
  ])('are a fault $code when $name', async ({ status, reason, more, code, retry }) => {
    server.always((call) => call.status(status, reason, more))
    const fault = await faultOf(client.replace(GADGET, stored))
    expect(fault).toMatchObject({ code, retry })
    expect(fault.message).toContain('cannot replace gadgets.test.tars.io demo/g')
  })

  it.each([
    { name: 'exists already', status: 409, reason: 'AlreadyExists' },
    { name: 'is invalid', status: 422, reason: 'Invalid' },
    { name: 'was denied by a webhook', status: 403, reason: 'Forbidden' },
    { name: 'is too large', status: 413, reason: 'RequestEntityTooLarge' },
  ])('are refused in the words of the API server when what is written $name', async ({ status, reason }) => {
    const details = { kind: 'gadgets', causes: [{ reason: 'X', message: 'why', field: 'spec' }] }
    server.always((call) => call.status(status, reason, { message: 'in words', details }))
    const refused = await errorOf(client.create(GADGET, stored))
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ status: { code: status, reason, message: 'in words', details } })
  })

  it('are not sent twice when the answer is lost', async () => {
    const fault = faultOf(client.create(GADGET, stored))
    const call = await server.next()
    call.reset()
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
  })
})

function aStored(): Built {
  const gadget = aGadget()
  return { ...gadget, metadata: { ...gadget.metadata, resourceVersion: '7' } }
}

function pageOf(names: readonly string[], next?: string) {
  const items = names.map((name) => ({ ...aGadget(), metadata: { name, namespace: 'demo' } }))
  return { kind: 'GadgetList', metadata: { resourceVersion: '100', ...(next && { continue: next }) }, items }
}

function answer(call: Call, status: number, body: unknown): void {
  call.json(status, body)
}

async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (cause) => cause,
  )
}

async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const cause = await errorOf(promise)
  if (cause instanceof Fault) return cause
  throw new Error(`no fault, but ${cause}`)
}
