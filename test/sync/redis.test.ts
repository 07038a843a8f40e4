import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoreOptions } from '../../src/sync/store.ts'
import { redisStore } from '../../src/sync/stores/redis/store.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { freePort } from '../cluster/control-plane.ts'
import { until } from '../cluster/until.ts'
import { aKey } from '../support/builders/keys.ts'
import { storeOptions } from '../support/builders/store-options.ts'
import { notes } from '../support/notes.ts'
import { follow } from './follower.ts'
import { type Redis, startRedis } from './redis.ts'
import { tlsFiles } from './tls-files.ts'

const { signal } = new AbortController()

function storeAt(redis: Redis, options: Partial<StoreOptions> = {}) {
  const log = notes()
  const store = redisStore(storeOptions({ nodes: [redis.node], ...options }), { clock: systemClock, log })
  onTestFinished(() => store.close())
  const read = async (...keys: readonly string[]) => {
    const { values } = await store.read(keys.map(aKey), signal)
    return Object.fromEntries([...values].sort())
  }
  return { ...store, log, read }
}

describe('reads of a real redis', () => {
  it('SY-REDIS-4 a string, the fields of a hash, and what is below a key', async () => {
    const redis = await startRedis()
    await redis.ask(
      'MSET',
      '/text',
      '1',
      '/text/below',
      '2',
      '/app/a',
      '3',
      '/app/b/c',
      '4',
      '/apple',
      '5',
      '/app-x',
      '6',
    )
    await redis.ask('HSET', '/hash', 'one', '1', 'two/deep', '2')
    await redis.ask('HSET', '/app/hash', 'field', '7')
    const { read } = storeAt(redis)

    expect(await read('/text')).toEqual({ '/text': '1' })
    expect(await read('/text/')).toEqual({ '/text/below': '2' })
    expect(await read('/hash')).toEqual({ '/hash/one': '1', '/hash/two/deep': '2' })
    const app = { '/app/a': '3', '/app/b/c': '4', '/app/hash/field': '7' }
    expect(await read('/app')).toEqual(app)
    expect(await read('/app/*')).toEqual(app)
    expect(await read('/none')).toEqual({})
    expect(Object.keys(await read('/'))).toHaveLength(9)
    expect(await read('/app', '/hash', '/text')).toEqual({ ...app, ...(await read('/hash')), '/text': '1' })
  })

  it('SY-REDIS-5 takes stars and brackets of a key as they are, and skips lists with one warning', async () => {
    const redis = await startRedis()
    await redis.ask(
      'MSET',
      '/a[1]/x',
      'right',
      '/a1/x',
      'wrong',
      '/b*/x',
      'right',
      '/bb/x',
      'wrong',
      '/c\\-^/x',
      'right',
    )
    await redis.ask('RPUSH', '/a[1]/list', 'hidden')
    const { read, log } = storeAt(redis)
    for (let turn = 0; turn < 2; turn++) {
      expect(await read('/a[1]')).toEqual({ '/a[1]/x': 'right' })
    }
    expect(await read('/b*')).toEqual({ '/b*/x': 'right' })
    expect(await read('/c\\-^')).toEqual({ '/c\\-^/x': 'right' })
    expect(log.lines.filter(({ name }) => name === '/a[1]/list')).toHaveLength(1)
    expect(JSON.stringify(log.lines)).not.toContain('hidden')
  })

  it('walks 3,000 keys, and a hash of 3,000 fields', async () => {
    const redis = await startRedis()
    const numbers = Array.from({ length: 3_000 }, (_, index) => String(index))
    await redis.ask('MSET', ...numbers.flatMap((each) => [`/many/${each}`, each]))
    await redis.ask('HSET', '/hash', ...numbers.flatMap((each) => [each, each]))
    const values = await storeAt(redis).read('/many', '/hash')
    expect(Object.keys(values)).toHaveLength(6_000)
    expect(values['/many/2999']).toBe('2999')
  })

  it('SY-REDIS-3 another separator', async () => {
    const redis = await startRedis()
    await redis.ask('MSET', 'app:a', '1', 'app:b:c', '2', 'apple', '3')
    const { read } = storeAt(redis, { separator: ':' })
    expect(await read('/app')).toEqual({ '/app/a': '1', '/app/b/c': '2' })
    expect(Object.keys(await read('/'))).toEqual(['/app/a', '/app/b/c', '/apple'])
  })

  it('SY-REDIS-1 a database, a socket, a URL, and the first node that connects', async () => {
    const redis = await startRedis()
    await redis.ask('SET', '/a', 'zero')
    const { node } = redis
    const other = storeAt(redis, { nodes: [`${node}/3`] })
    expect(await other.read('/a')).toEqual({})
    for (const nodes of [[redis.socket], [`redis://${node}/0`], ['127.0.0.1:1', node]]) {
      expect(await storeAt(redis, { nodes }).read('/a')).toEqual({ '/a': 'zero' })
    }
    await expect(storeAt(redis, { nodes: ['127.0.0.1:1'] }).read('/a')).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: 'redis at 127.0.0.1:1: it cannot be reached (ECONNREFUSED)',
    })
    await expect(storeAt(redis, { nodes: [`${node}/99`] }).read('/a')).rejects.toThrow('no database of this number')
  })

  it('SY-REDIS-2 TLS with a client certificate, by rediss:// or by the options', async () => {
    const { client, flags } = await tlsFiles()
    const port = await freePort()
    const [cert = '', key = ''] = flags.map((flag) => flag.split('=')[1] ?? '')
    const files = [`--tls-cert-file ${cert}`, `--tls-key-file ${key}`, `--tls-ca-cert-file ${client.ca}`]
    const redis = await startRedis({ flags: [`--tls-port ${port}`, ...files] })
    await redis.ask('SET', '/a', '1')
    const pair = { clientCert: client.cert, clientKey: client.key }

    for (const node of [`rediss://127.0.0.1:${port}`, `127.0.0.1:${port}`]) {
      const options = { nodes: [node], clientCaKeys: client.ca, ...pair }
      expect(await storeAt(redis, options).read('/a')).toEqual({ '/a': '1' })
    }
    const stranger = storeAt(redis, { nodes: [`rediss://127.0.0.1:${port}`], ...pair })
    await expect(stranger.read('/a')).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  })

  it('SY-REDIS-2 a user, the old password, and client_key as password with a warning', async () => {
    const redis = await startRedis({ flags: ['--requirepass secret'], auth: ['AUTH', 'secret'] })
    await redis.ask('SET', '/a', '1')
    await redis.ask('ACL', 'SETUSER', 'app', 'on', '>word', '~/*', '&*', '+@read', '+psubscribe', '+ping', '+select')
    expect(await storeAt(redis, { password: 'secret' }).read('/a')).toEqual({ '/a': '1' })
    expect(await storeAt(redis, { username: 'app', password: 'word' }).read('/a')).toEqual({ '/a': '1' })
    const deprecated = storeAt(redis, { clientKey: 'secret' })
    expect(await deprecated.read('/a')).toEqual({ '/a': '1' })
    expect(deprecated.log.lines).toMatchObject([{ level: 'warn' }])
    expect(JSON.stringify(deprecated.log.lines)).not.toContain('secret')

    const refusals = [
      { options: {}, why: 'it wants a password' },
      { options: { password: 'wrong' }, why: 'username or password are wrong' },
    ]
    for (const { options, why } of refusals) {
      const failure = storeAt(redis, options).read('/a')
      await expect(failure).rejects.toMatchObject({ code: 'STORE_REFUSED', retry: false })
      await expect(failure).rejects.toThrow(why)
    }
    const follower = follow(redisStore, { nodes: [redis.node], username: 'app', password: 'word' }, [aKey('/a')])
    await follower.sees({ '/a': '1' }, 5) // though it may not ask for the configuration (SY-REDIS-9)
    await redis.ask('SET', '/a', '2')
    await follower.sees({ '/a': '2' }, 5)
  })
})

describe('a follower of a real redis', () => {
  it('SY-REDIS-8 sees each change of two keys, and none of others', async () => {
    const redis = await startRedis()
    const follower = follow(redisStore, { nodes: [redis.node] }, [aKey('/one'), aKey('/two')])
    await until('it listens', () => follower.changes === 1)
    await redis.ask('SET', '/one/a', '1')
    await redis.ask('SET', '/two', '2')
    await follower.sees({ '/one/a': '1', '/two': '2' }, 5)
    await redis.ask('HSET', '/one/h', 'f', 'v')
    await redis.ask('APPEND', '/two', '2')
    await follower.sees({ '/one/a': '1', '/one/h/f': 'v', '/two': '22' }, 5)
    await redis.ask('RENAME', '/one/a', '/one/b')
    await redis.ask('SETRANGE', '/two', '0', '3')
    await follower.sees({ '/one/b': '1', '/one/h/f': 'v', '/two': '32' }, 5)
    await redis.ask('UNLINK', '/one/h')
    await redis.ask('PEXPIRE', '/two', '200')
    await follower.sees({ '/one/b': '1' }, 5)

    const { changes } = follower
    await redis.ask('SET', '/three', '1')
    await redis.ask('SET', '/one-x', '1')
    await redis.ask('EXPIRE', '/one/b', '1000')
    await redis.ask('SET', '/one/c', '1')
    await follower.sees({ '/one/b': '1', '/one/c': '1' }, 5)
    expect(follower.changes).toBe(changes + 1)
    expect(follower.failures).toEqual([])
  })

  it('SY-REDIS-9 is told that the server sends no events, with what to set', async () => {
    const redis = await startRedis({ events: false })
    await expect(storeAt(redis).watch([aKey('/a')], () => {}, signal)).rejects.toMatchObject({
      code: 'STORE_SENDS_NO_CHANGES',
      message: expect.stringContaining('set notify-keyspace-events to KA'),
    })
    await redis.ask('CONFIG', 'SET', 'notify-keyspace-events', 'Kg$hxe')
    const follower = follow(redisStore, { nodes: [redis.node] }, [aKey('/a')])
    await redis.ask('SET', '/a', '1')
    await follower.sees({ '/a': '1' }, 5)
    expect(await redis.ask('CONFIG', 'GET', 'notify-keyspace-events')).toMatch(/g\$hxe/) // as it was set
  })

  it('goes on after redis was killed and started again, three times', async () => {
    const redis = await startRedis()
    const follower = follow(redisStore, { nodes: [redis.node] }, [aKey('/a')])
    for (let round = 1; round <= 3; round++) {
      await redis.kill()
      await redis.start()
      await redis.ask('SET', '/a', String(round))
      await follower.sees({ '/a': String(round) })
    }
  })

  it('SY-REDIS-7 goes on after its subscriber was killed', async () => {
    const redis = await startRedis()
    const follower = follow(redisStore, { nodes: [redis.node] }, [aKey('/a')])
    for (const value of ['1', '2', '3']) {
      const before = follower.changes
      await redis.ask('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await redis.ask('SET', '/a', value)
      await follower.sees({ '/a': value })
      await until('it listens again', () => follower.changes > before)
    }
  })

  it('SY-REDIS-1 comes back within 45 s from a redis that hung for 25 s without closing', async () => {
    const redis = await startRedis()
    await redis.ask('SET', '/a', '1')
    const follower = follow(redisStore, { nodes: [redis.node] }, [aKey('/a')])
    await follower.sees({ '/a': '1' })
    redis.signal('SIGSTOP')
    await until('it has found it out', () => follower.failures.length > 0, { seconds: 25 })
    redis.signal('SIGCONT')
    await redis.ask('SET', '/a', '2')
    await follower.sees({ '/a': '2' })
  })
})
