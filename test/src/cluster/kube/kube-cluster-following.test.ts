import { beforeEach, describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { isNoWatch, isWatch, type Stream } from '../../../support/fakes/api-server.ts'
import { clock, cluster, clusterWith, metrics, server, until } from './cluster-on-script.ts'

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
