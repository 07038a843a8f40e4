import { beforeEach, describe, expect, it } from 'vitest'
import type { Built, Sink } from '../../../../src/cluster/port.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
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
  until,
  watching,
} from './cluster-on-script.ts'

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

  it('hears after 90 s of what changed while the connection was silent, and had no end (NC-TST-29)', async () => {
    await clusterWith({ resource: GADGET, keeps: KEEPS })
    cluster.watcher.watch(GADGET, KEEPS, sink)
    await listed('100', labelled('echo', '99'))
    await watching('100')
    const closing = server.nextClosing()
    clock.advance(90_000)
    await closing
    await clock.pass(100)
    await listed('1100', labelled('echo', '1100')) // to see at which version the store is
    await listed('1100', labelled('echo', '1100'))
    await until(() => notes.length > 3)
    expect(notes).toEqual(['begin', 'add 99', 'done', 'begin', 'add 1100', 'done'])
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
  it('NC-WCH-11 when everything that is kept has been listed, and not before', async () => {
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

  it('NC-MOD-04 though a CRD is missing; what it will define is found when it is there', async () => {
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

const OTHER = { ...GADGET, plural: 'others', kind: 'Other' }

function another(resourceVersion: string): Built {
  const { metadata, ...body } = labelled('echo', resourceVersion)
  return { ...body, metadata: { ...metadata, uid: 'another' } }
}
