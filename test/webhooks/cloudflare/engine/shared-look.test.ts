import { describe, expect, it } from 'vitest'
import { CloudflareFault } from '../../../../src/remote/cloudflare/port.ts'
import type { RemoteCalls } from '../../../../webhooks/cloudflare/engine/calls.ts'
import { SharedLook } from '../../../../webhooks/cloudflare/engine/shared-look.ts'
import type { RemoteFound } from '../../../../webhooks/cloudflare/engine/table.ts'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { idIn } from '../../../cloudflare/world.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'

const MANY = 120
type World = Awaited<ReturnType<typeof cloudflareWorld>>
const readsOf = ({ double, records: path }: World) =>
  double.log.filter(({ method, path: asked }) => method === 'GET' && asked.startsWith(path))

/** Records that are there, and their objects as a worker left them. */
async function manyRecords(world: World): Promise<void> {
  for (let at = 0; at < MANY; at += 1) {
    const record = { name: `r${at}.example.com`, type: 'CNAME', content: 'b.example.net' }
    const comment = `[managed-by:DNSRecord/demo/r${at}]`
    const id = idIn(await world.ask('POST', world.records, { ...record, ttl: 1, proxied: false, comment }))
    const annotations = { [ANNOTATIONS.remoteId]: id, [ANNOTATIONS.remoteOrigin]: 'created' }
    world.cluster.seed([aCloudflare('DNSRecord', record, { name: `r${at}`, annotations })])
  }
  world.double.log.splice(0)
}

describe('CF-ONE-06 the records of a zone are compared by one list', () => {
  it(`in one call a page, ${MANY} of them, and what differs alone is read by itself`, async () => {
    await using world = await cloudflareWorld()
    await manyRecords(world)
    expect(await world.settled()).toMatchObject({ calls: [], reasons: ['Synced'] })
    const pages = ['1', '2'].map((page) => [world.records, '[managed-by:', page])
    expect(readsOf(world).map(({ path, query }) => [path, query['comment.startswith'], query.page])).toEqual(pages)
    const [changed] = world.zone.records.values()
    Object.assign(changed ?? {}, { content: 'c.example.net' })
    world.double.log.splice(0)
    expect(await world.settled()).toMatchObject({ writes: [], reasons: ['DriftDetected', 'Updated'] })
    expect(readsOf(world).map(({ path }) => path)).toEqual([
      ...pages.map(([path]) => path),
      `${world.records}/${changed?.id}`,
    ])
  }, 30_000)
})

describe('a list for all objects of a place', () => {
  const account = { id: 'acc', credentials: 'main', ask: () => Promise.reject(), list: () => Promise.reject() }
  const place = { params: { zone: 'z' }, known: {} }
  const found: RemoteFound = { id: 'r', text: '', fields: {} }
  const signal = new AbortController().signal

  function world(find: () => Promise<readonly RemoteFound[]> = async () => [found]) {
    const asked: string[] = []
    const time = { now: 0 }
    const calls: RemoteCalls = {
      get: async () => undefined,
      find: (_, { params }) => {
        asked.push(params.zone ?? '')
        return find()
      },
      create: async () => found,
      update: async () => found,
      remove: async () => undefined,
    }
    const listed = new SharedLook({ query: {}, path: '/zones/{zone}/dns_records' }, calls, () => time.now, 1_000)
    return { asked, time, listed, around: listed.around(calls) }
  }

  it('is read once in its time, and once for each place', async () => {
    const { asked, time, listed } = world()
    const other = { params: { zone: 'y' }, known: {} }
    expect(await Promise.all([listed.find(account, place, 'r'), listed.find(account, place, 'r')])).toEqual([
      found,
      found,
    ])
    expect(await listed.find(account, other, 'else')).toBeUndefined()
    expect(asked).toEqual(['z', 'y'])
    time.now = 1_000
    await listed.find(account, place, 'r')
    expect(asked).toEqual(['z', 'y', 'z'])
  })
  it('is the same whatever account an object names, where the path has none', async () => {
    const { asked, listed } = world()
    for (const id of ['acc', 'other']) await listed.find({ ...account, id }, place, 'r')
    expect(asked).toEqual(['z'])
  })
  it('is kept for the places that were asked for last', async () => {
    const { asked, listed } = world()
    for (let at = 0; at <= 500; at += 1) await listed.find(account, { params: { zone: `z${at}` }, known: {} }, 'r')
    await listed.find(account, { params: { zone: 'z0' }, known: {} }, 'r')
    expect(asked).toHaveLength(502)
    expect(asked.at(-1)).toBe('z0')
  })
  it.each(['update', 'remove'] as const)('says nothing of what was written since, by %s', async (write) => {
    const { time, listed, around } = world()
    await listed.find(account, place, 'r')
    await (write === 'update'
      ? around.update(account, place, 'r', {}, signal)
      : around.remove(account, place, 'r', signal))
    expect(await listed.find(account, place, 'r')).toBeUndefined()
    time.now = 1_000
    expect(await listed.find(account, place, 'r')).toBe(found)
  })
  it('says nothing of what is written while it is read', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly RemoteFound[]>()
    const { listed, around } = world(() => promise)
    const asked = listed.find(account, place, 'r')
    await around.update(account, place, 'r', {}, signal)
    resolve([found])
    expect(await asked).toBeUndefined()
  })
  it('is read again after a failure', async () => {
    const failures = [new CloudflareFault('REMOTE_FAILED', 'outage')]
    const { listed } = world(async () => {
      const failure = failures.pop()
      if (failure !== undefined) throw failure
      return [found]
    })
    await expect(listed.find(account, place, 'r')).rejects.toThrow('outage')
    expect(await listed.find(account, place, 'r')).toBe(found)
  })
})
