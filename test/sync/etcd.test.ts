import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoreOptions } from '../../src/sync/store.ts'
import { etcdStore } from '../../src/sync/stores/etcd/store.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { aKey } from '../support/builders/keys.ts'
import { storeOptions } from '../support/builders/store-options.ts'
import { notes } from '../support/notes.ts'
import { base64, type Etcd, startEtcd } from './etcd.ts'
import { withUsers } from './etcd-users.ts'
import { tlsFiles } from './tls-files.ts'

const { signal } = new AbortController()

function storeAt(etcd: Etcd, options: Partial<StoreOptions> = {}) {
  const store = etcdStore(storeOptions({ nodes: [etcd.endpoint], ...options }), { clock: systemClock, log: notes() })
  onTestFinished(() => store.close())
  return store
}

/** A read takes them in three requests, and a writer in three transactions. */
const THIRDS = [0, 1, 2].map((third) => Array.from({ length: 100 }, (_, i) => `/k/${third * 100 + i}`))

/** Each third has one value. What is written first may be newer, by one. */
function areOfOneRevision(values: ReadonlyMap<string, string>): boolean {
  const thirds = THIRDS.map((keys) => [...new Set(keys.map((key) => Number(values.get(key))))])
  const [[first = Number.NaN] = [], , [last = Number.NaN] = []] = thirds
  return thirds.every(({ length }) => length === 1) && (first === last || first === last + 1)
}

describe('reads of a real etcd', () => {
  it('SY-ETCD-5 a key has itself and its children, and no neighbour; a slash at its end leaves itself out', async () => {
    const etcd = await startEtcd()
    await etcd.put({ '/app': '0', '/app/a': '1', '/app/b/c': '2', '/app-x': '3', '/apple': '4', '/other': '5' })
    const store = storeAt(etcd)
    const read = async (...keys: string[]) => [...(await store.read(keys.map(aKey), signal)).values]

    expect(await read('/app')).toEqual([
      ['/app', '0'],
      ['/app/a', '1'],
      ['/app/b/c', '2'],
    ])
    expect(await read('/app/')).toEqual([
      ['/app/a', '1'],
      ['/app/b/c', '2'],
    ])
    expect(await read('/')).toHaveLength(6)
    expect(await read('/none')).toEqual([])
    expect(await read('/app/a', '/app', '/other')).toHaveLength(4)
  })

  it('SY-ETCD-3 a read of 300 keys is of one revision while a writer goes on', async () => {
    const etcd = await startEtcd()
    const keys = Array.from({ length: 300 }, (_, index) => `/k/${String(index).padStart(3, '0')}`)
    const round = (value: number) => Object.fromEntries(keys.map((key) => [key, String(value)]))
    await etcd.put(round(0))
    const store = storeAt(etcd)
    const writing = etcd.put(round(1))
    const spreads: number[] = []
    for (let read = 0; read < 40; read++) {
      const { values } = await store.read(keys.map(aKey), signal)
      const seen = keys.map((key) => Number(values.get(key)))
      expect(seen).toEqual([...seen].sort((one, other) => other - one)) // what comes later in the round is not newer
      spreads.push(seen.filter((value) => value === 1).length)
    }
    await writing
    expect(spreads.some((many) => many > 0 && many < 300)).toBe(true)
  })

  it('SY-ETCD-3 SY-TEST-3 what a compaction overtakes is of one revision all the same, or to be tried again', async () => {
    const etcd = await startEtcd()
    const store = storeAt(etcd)
    const writeAll = async (value: number) => {
      for (const some of THIRDS) await etcd.putTogether(Object.fromEntries(some.map((key) => [key, String(value)])))
    }
    await writeAll(0)
    let isOver = false
    const writing = (async () => {
      for (let value = 1; !isOver; value++) await writeAll(value).then(etcd.compact)
    })()
    let whole = 0
    for (let turn = 0; turn < 40; turn++) {
      const found = await store.read(THIRDS.flat().map(aKey), signal).catch((error: unknown) => ({ error }))
      if ('error' in found) expect(found.error).toMatchObject({ retry: true })
      else expect(areOfOneRevision(found.values)).toBe(true)
      whole += 'values' in found ? 1 : 0
    }
    isOver = true
    await writing
    expect(whole).toBeGreaterThan(0)
  })

  it('values are bytes, and 8 MB of them come whole', async () => {
    const etcd = await startEtcd({ flags: ['--max-request-bytes=16777216'] })
    const odd = Buffer.from([0, 0xff, 0xfe, 10])
    const large = 'x'.repeat(8_000_000)
    await etcd.ask('/v3/kv/put', { key: base64('/odd'), value: odd.toString('base64') })
    await etcd.put({ '/large': large })
    const { values } = await storeAt(etcd).read([aKey('/')], signal)

    expect(values.get('/odd')).toBe(odd.toString('latin1'))
    expect(values.get('/large') === large).toBe(true)
  })

  it('SY-ETCD-4 the next endpoint is asked after one that fails', async () => {
    const etcd = await startEtcd()
    await etcd.put({ '/a': '1' })
    const store = storeAt(etcd, { nodes: ['127.0.0.1:1', etcd.endpoint] })

    await expect(store.read([aKey('/a')], signal)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: 'etcd at 127.0.0.1:1: it cannot be reached (ECONNREFUSED)',
    })
    expect([...(await store.read([aKey('/a')], signal)).values]).toEqual([['/a', '1']])
  })
})

describe('SY-ETCD-1 SY-SEED-12 TLS', () => {
  it('client certificates, with the CA of the file, by address', async () => {
    const tls = await tlsFiles()
    const etcd = await startEtcd({ tls })
    await etcd.put({ '/a': '1' })
    const { ca, cert, key } = tls.client
    const options = { clientCaKeys: ca, clientCert: cert, clientKey: key }

    expect([...(await storeAt(etcd, options).read([aKey('/a')], signal)).values]).toEqual([['/a', '1']])
    await expect(storeAt(etcd, { clientCaKeys: ca }).read([aKey('/a')], signal)).rejects.toMatchObject({ retry: true })
    await expect(storeAt(etcd).read([aKey('/a')], signal)).rejects.toThrow(/certificate/)
    await expect(storeAt(etcd, { ...options, clientCaKeys: key }).read([aKey('/a')], signal)).rejects.toThrow(
      'holds no certificates in PEM',
    )
    const insecure = { ...options, clientCaKeys: '', clientInsecure: true }
    expect((await storeAt(etcd, insecure).read([aKey('/a')], signal)).values.size).toBe(1)
  })
})

describe('SY-ETCD-2 SY-SEED-12 users', () => {
  it('get a token, and a new one when it has ended; a role may be granted the children of a key alone', async () => {
    const etcd = await startEtcd({ flags: ['--auth-token-ttl=2'] })
    await etcd.put({ '/app/a': '1' })
    await withUsers(etcd)
    const store = storeAt(etcd, { username: 'app', password: 'secret' })
    const read = async () => [...(await store.read([aKey('/app/')], signal)).values]

    expect(await read()).toEqual([['/app/a', '1']])
    await sleep(3_500) // the token ends after two seconds without use
    expect(await read()).toEqual([['/app/a', '1']])
    await expect(store.read([aKey('/app')], signal)).rejects.toMatchObject({
      code: 'STORE_REFUSED',
      message: expect.stringContaining('the user may not read all keys'),
    })
  })

  it.each([
    {
      name: 'a wrong password',
      options: { username: 'app', password: 'wrong' },
      why: 'username or password are wrong',
    },
    { name: 'no user', options: {}, why: 'set username and password' },
  ])('$name is refused for good, without the password in the message', async ({ options, why }) => {
    const etcd = await startEtcd()
    await withUsers(etcd)
    const failure = storeAt(etcd, options).read([aKey('/app/')], signal)
    await expect(failure).rejects.toMatchObject({ code: 'STORE_REFUSED', retry: false })
    await expect(failure).rejects.toThrow(why)
    await expect(failure).rejects.not.toThrow(/wrong"|'wrong'/)
  })

  it('a server without authentication takes a user, too', async () => {
    const etcd = await startEtcd()
    await etcd.put({ '/a': '1' })
    const store = storeAt(etcd, { username: 'app', password: 'secret' })
    expect((await store.read([aKey('/a')], signal)).values.size).toBe(1)
  })
})
