import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kubeCluster } from '../../../../src/cluster/kube/kube-cluster.ts'
import type { Need } from '../../../../src/cluster/needs.ts'
import type { Built, Cluster, Sink } from '../../../../src/cluster/port.ts'
import { type Metrics, metricsOf } from '../../../../src/process/metrics.ts'
import { logTo } from '../../../../src/telemetry/log.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import {
  type ApiServer,
  isNoWatch,
  isWatch,
  type Stream,
  scriptedApiServer,
} from '../../../support/fakes/api-server.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'

const QUIET = logTo({ write: () => {} }, 'silent')
const GADGETS = '/apis/test.tars.io/v1/gadgets'
const REF = { namespace: 'demo', name: 'g' }
const MAX_AGE = 150_000
const UNTIL_HEAD = 10_000

let server: ApiServer
let clock: ManualClock
let metrics: Metrics
let cluster: Cluster

beforeEach(async () => {
  server = await scriptedApiServer()
  clock = new ManualClock()
  metrics = metricsOf()
})
afterEach(async () => {
  cluster.stop()
  await server.stop()
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
    server = await scriptedApiServer()
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

describe('a sink that watches what is kept', () => {
  const notes: string[] = []
  const sink: Sink = {
    begin: () => void notes.push('begin'),
    add: (objects) => void notes.push(`add ${objects.map(({ metadata }) => metadata.resourceVersion)}`),
    done: () => void notes.push('done'),
    put: ({ metadata }) => void notes.push(`put ${metadata.resourceVersion}`),
    remove: ({ metadata }) => void notes.push(`remove ${metadata.labels?.app} ${metadata.resourceVersion}`),
  }
  const KEEPS = { byLabels: ['app'], fields: [] }
  beforeEach(() => notes.splice(0))

  it.each<{ name: string; there: readonly Built[]; removed: readonly string[] }>([
    { name: 'what is gone', there: [], removed: ['remove echo 99'] },
    { name: 'another object of the name', there: [another('130')], removed: ['remove echo 99'] },
    { name: 'nothing of what is still there', there: [labelled('echo', '130')], removed: [] },
  ])('hears by the next list of $name', async ({ there, removed }) => {
    await clusterWith({ resource: GADGET, keeps: KEEPS })
    cluster.watcher.watch(GADGET, KEEPS, sink)
    await listed('100', labelled('echo', '99'))
    const stream = await watching('100')
    expect(notes).toEqual(['begin', 'add 99', 'done'])
    stream.event('ERROR', { code: 410, reason: 'Expired' })
    await listed('130', ...there)
    await until(() => notes.length > 4)
    const now = there.map(({ metadata }) => metadata.resourceVersion).join()
    expect(notes).toEqual(['begin', 'add 99', 'done', ...removed, 'begin', `add ${now}`, 'done'])
  })

  it('has a list and a watch of its own where no cache keeps what it asks for', async () => {
    await clusterWith({ resource: GADGET, keeps: KEEPS })
    await listed('100')
    await watching('100')
    const own = cluster.watcher.watch(GADGET, { carrying: ['app', 'tier'], fields: ['spec'] }, sink)
    const list = await server.next(isNoWatch)
    expect(list.query).toMatchObject({ labelSelector: 'app,tier' })
    list.json(200, { metadata: { resourceVersion: '101' }, items: [] })
    const watch = await server.next(isWatch)
    expect(watch.query).toMatchObject({ labelSelector: 'app,tier', resourceVersion: '101' })
    watch.stream()
    const closing = server.nextClosing()
    own.stop()
    await closing
    expect(notes).toEqual(['begin', 'add ', 'done'])
  })
})

describe('a cluster is synced', () => {
  it('when everything that is kept has been listed, and not before', async () => {
    await clusterWith({ resource: GADGET, keeps: {} }, { resource: OTHER, keeps: {} })
    const other = await server.next(({ path }) => path.endsWith('others'))
    await listed('100')
    await until(() => cluster.states().some(({ synced }) => synced))
    expect(cluster.states()).toMatchObject([
      { kind: 'Gadget', synced: true },
      { kind: 'Other', synced: false },
    ])
    other.json(200, { metadata: { resourceVersion: '100' }, items: [] })
    await cluster.synced
    expect(cluster.states().every(({ synced }) => synced)).toBe(true)
  })

  it('though a CRD is missing; what it will define is found when it is there', async () => {
    await clusterWith({ resource: GADGET, keeps: {} })
    const list = await server.next()
    list.text(404, '404 page not found\n')
    await cluster.synced
    expect(await cluster.readers.cached.list(GADGET, { namespace: 'demo' })).toEqual([])
    await clock.pass(500)
    await listed('100', labelled('echo', '100'))
    await until(async () => (await cluster.readers.cached.get(GADGET, REF)) !== undefined)
  })

  it('once and for all, however old it grows', async () => {
    await clusterWith({ resource: GADGET, keeps: {} })
    await listed('100')
    await cluster.synced
    clock.advance(600_000)
    expect(cluster.states()).toEqual([{ kind: 'Gadget', synced: true, ageSeconds: 600 }])
    const { values } = await metrics.cacheAge.get()
    expect(values).toMatchObject([{ labels: { kind: 'Gadget' }, value: 600 }])
  })
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

describe('following one object', () => {
  const SECRET = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', scope: 'Namespaced' } as const
  const PAIR = { namespace: 'tars-system', name: 'pair' }
  const HOME = '/api/v1/namespaces/tars-system/secrets'
  let reported: (string | undefined)[]

  beforeEach(async () => {
    await clusterWith()
    reported = []
  })

  it('needs the rights to get and to watch it, and no others', async () => {
    follow()
    const get = await server.next()
    expect(get).toMatchObject({ method: 'GET', path: `${HOME}/pair`, query: {} })
    get.json(200, pair('7'))
    const watch = await server.next()
    expect(watch).toMatchObject({ path: HOME, query: { watch: '1', fieldSelector: 'metadata.name=pair' } })
    expect(watch.query).not.toHaveProperty('resourceVersion')
  })

  it('tells of it once at the start and once for each change', async () => {
    follow()
    const stream = await opened(pair('7'))
    stream.event('ADDED', pair('7'))
    stream.event('MODIFIED', pair('8'))
    stream.event('BOOKMARK', pair('20'))
    stream.event('DELETED', pair('21'))
    stream.event('ADDED', pair('22'))
    await until(() => reported.length === 4)
    expect(reported).toEqual(['7', '8', undefined, '22'])
  })

  it('tells that it is not there, and when it is', async () => {
    follow()
    const stream = await opened(undefined)
    await until(() => reported.length === 1)
    stream.event('ADDED', pair('9'))
    await until(() => reported.length === 2)
    expect(reported).toEqual([undefined, '9'])
  })

  it('tells that it went between the look and the watch', async () => {
    follow()
    await opened(pair('7'), undefined)
    await until(() => reported.length === 2)
    expect(reported).toEqual(['7', undefined])
  })

  it('goes on from the last bookmark, and from a fresh look when that is too old', async () => {
    follow()
    const stream = await opened(pair('7'))
    stream.event('BOOKMARK', pair('20'))
    stream.end()
    const resumed = await server.next()
    expect(resumed.query).toMatchObject({ watch: '1', resourceVersion: '20', fieldSelector: 'metadata.name=pair' })
    resumed.status(410, 'Expired')
    await opened(pair('30'))
    await until(() => reported.length === 2)
    expect(reported).toEqual(['7', '30'])
  })

  it.each([
    { name: 'it is another one', status: 200, version: '3' },
    { name: 'it is gone', status: 404, version: undefined },
  ])('looks anew after an outage, since in another store $name', async ({ status, version }) => {
    follow()
    const stream = await opened(pair('7'))
    stream.event('MODIFIED', pair('8'))
    await until(() => reported.length === 2)
    server.breakAll()
    await clock.pass(100)
    const get = await server.next(isNoWatch)
    if (version === undefined) get.status(status, 'NotFound')
    else get.json(status, pair(version))
    await until(() => reported.length === 3)
    expect(reported).toEqual(['7', '8', version])
  })

  it('survives a watch that breaks while it looks a second time', async () => {
    follow()
    const get = await server.next(isNoWatch)
    get.json(200, pair('7'))
    const watch = await server.next(isWatch)
    watch.stream()
    const second = await server.next(isNoWatch)
    watch.reset()
    await watch.closed
    second.json(200, pair('7'))
    await clock.pass(100)
    await opened(pair('8'))
    await until(() => reported.length === 2)
    expect(reported).toEqual(['7', '8'])
  })

  it('goes on when whoever is told throws, which is counted', async () => {
    cluster.watcher.follow(SECRET, PAIR, (object) => {
      reported.push(object?.metadata.resourceVersion)
      throw new Error('in the handler')
    })
    const stream = await opened(pair('7'))
    stream.event('MODIFIED', pair('8'))
    await until(() => reported.length === 2)
    const { values } = await metrics.handlerErrors.get()
    expect(values).toMatchObject([{ labels: { kind: 'Secret', class: 'WATCH' }, value: 2 }])
  })

  it('ends when it is stopped, whatever has arrived already', async () => {
    const following = cluster.watcher.follow(SECRET, PAIR, (object) => {
      reported.push(object?.metadata.resourceVersion)
      if (object?.metadata.resourceVersion === '8') following.stop()
    })
    const stream = await opened(pair('7'))
    const closing = server.nextClosing()
    stream.raw(['8', '9'].map((version) => `${JSON.stringify({ type: 'MODIFIED', object: pair(version) })}\n`).join(''))
    await closing
    expect(reported).toEqual(['7', '8'])
  })

  function follow() {
    return cluster.watcher.follow(SECRET, PAIR, (object) => void reported.push(object?.metadata.resourceVersion))
  }

  /** What is found by the first look, and by the second, which comes when the watch is open. */
  async function opened(...looks: readonly [Built | undefined, (Built | undefined)?]): Promise<Stream> {
    const answer = async (object: Built | undefined) => {
      const get = await server.next(isNoWatch)
      if (object === undefined) get.status(404, 'NotFound')
      else get.json(200, object)
    }
    await answer(looks[0])
    const stream = (await server.next(isWatch)).stream()
    await answer(looks.at(-1))
    return stream
  }

  function pair(resourceVersion: string): Built {
    return { apiVersion: 'v1', kind: 'Secret', metadata: { ...PAIR, resourceVersion } }
  }
})

const OTHER = { ...GADGET, plural: 'others', kind: 'Other' }
/** Jitter at its least halves it. */
const AFTER_SILENCE = 100

async function clusterWith(...reads: readonly Need[]): Promise<void> {
  cluster = await kubeCluster({ kubeconfig: server.kubeconfig(), reads, metrics, log: QUIET, clock })
}

async function listed(version: string, ...items: readonly Built[]): Promise<void> {
  const call = await server.next((each) => isNoWatch(each) && each.path === GADGETS)
  call.json(200, { metadata: { resourceVersion: version }, items })
}

async function watching(version: string): Promise<Stream> {
  const watch = await server.next(isWatch)
  expect(watch).toMatchObject({ path: GADGETS, query: { resourceVersion: version } })
  const stream = watch.stream()
  await clock.notWaitedFor(UNTIL_HEAD) // it has arrived
  return stream
}

function another(resourceVersion: string): Built {
  const { metadata, ...body } = labelled('echo', resourceVersion)
  return { ...body, metadata: { ...metadata, uid: 'another' } }
}

function labelled(app: string, resourceVersion: string): Built {
  const gadget = aGadget({ note: 'long' })
  return { ...gadget, metadata: { ...gadget.metadata, resourceVersion, labels: { app } } }
}

async function readsOf({ liveReads }: Metrics): Promise<number> {
  const { values } = await liveReads.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

/** Lets the event loop turn until it holds; no time passes. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}
