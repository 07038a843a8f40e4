import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { etcdStore } from '../../src/sync/stores/etcd/store.ts'
import { until } from '../cluster/until.ts'
import { aKey } from '../support/builders/keys.ts'
import { startEtcd, startEtcdCluster } from './etcd.ts'
import { withUsers } from './etcd-users.ts'
import { follow } from './follower.ts'
import { gateTo } from './gate.ts'
import { tlsFiles } from './tls-files.ts'

const KEYS = [aKey('/app')]

describe('a follower of a real etcd', () => {
  it('SY-ETCD-6 SY-ETCD-12 sees what is put and deleted, and not what happens to neighbours', async () => {
    const etcd = await startEtcd()
    const follower = follow(etcdStore, { nodes: [etcd.endpoint] }, KEYS)
    await until('it watches', () => follower.changes === 1)
    await etcd.put({ '/app/a': '1', '/app/b': '2' })
    await follower.sees({ '/app/a': '1', '/app/b': '2' }, 5)
    await etcd.remove('/app/a')
    await follower.sees({ '/app/b': '2' }, 5)

    const before = follower.changes
    await etcd.put({ '/app-x': '1', '/apple': '1', '/other': '1' })
    await etcd.put({ '/app/c': '3' })
    await follower.sees({ '/app/b': '2', '/app/c': '3' }, 5)
    expect(follower.changes).toBe(before + 1)
    expect(follower.failures).toEqual([])
  })

  it('SY-ETCD-8 goes on after etcd was killed and started again, three times', async () => {
    const etcd = await startEtcd()
    const follower = follow(etcdStore, { nodes: [etcd.endpoint] }, KEYS)
    for (let round = 1; round <= 3; round++) {
      await etcd.kill()
      await etcd.start()
      await etcd.put({ '/app/a': String(round) })
      await follower.sees({ '/app/a': String(round) })
    }
  })

  it('SY-ETCD-4 comes back within 45 s from an etcd that hung for 20 s without closing', async () => {
    const etcd = await startEtcd()
    await etcd.put({ '/app/a': '1' })
    const follower = follow(etcdStore, { nodes: [etcd.endpoint] }, KEYS)
    await follower.sees({ '/app/a': '1' })
    etcd.signal('SIGSTOP')
    await sleep(20_000)
    expect(follower.failures.length).toBeGreaterThan(0) // the keepalive found it out
    etcd.signal('SIGCONT')
    await etcd.put({ '/app/a': '2' })
    await follower.sees({ '/app/a': '2' })
  })

  it('SY-ETCD-9 goes on after a compaction while it was away', async () => {
    const etcd = await startEtcd()
    const gate = await gateTo(etcd.port)
    await etcd.put({ '/app/a': '1' })
    const follower = follow(etcdStore, { nodes: [`127.0.0.1:${gate.port}`] }, KEYS)
    await follower.sees({ '/app/a': '1' })
    await gate.shut()
    for (let value = 0; value <= 5; value++) await etcd.put({ '/app/a': String(value) })
    await etcd.compact()
    await gate.open()
    await follower.sees({ '/app/a': '5' })
    await until('it says why', () => follower.failures.some(({ message }) => /compacted/.test(message)))
    const { length } = follower.failures
    await etcd.put({ '/app/a': '6' })
    await follower.sees({ '/app/a': '6' })
    await sleep(1_500)
    expect(follower.failures).toHaveLength(length) // it goes on after the compaction, and does not meet it again
  })

  it('SY-ETCD-11 goes on at the beginning of a store that was emptied', async () => {
    const etcd = await startEtcd()
    for (let value = 0; value <= 20; value++) await etcd.put({ '/app/a': String(value) })
    const follower = follow(etcdStore, { nodes: [etcd.endpoint] }, KEYS)
    await follower.sees({ '/app/a': '20' })
    await etcd.put({ '/app/a': '21' })
    await follower.sees({ '/app/a': '21' })
    await etcd.empty()
    await etcd.start()
    await follower.sees({})
    await etcd.put({ '/app/b': 'new' })
    await follower.sees({ '/app/b': 'new' })
    await etcd.put({ '/app/b': 'newer' })
    await follower.sees({ '/app/b': 'newer' }, 5)
  })

  it('SY-ETCD-2 goes on after its token has ended', async () => {
    const etcd = await startEtcd({ flags: ['--auth-token-ttl=2'] })
    await withUsers(etcd)
    const keys = [aKey('/app/')]
    const follower = follow(etcdStore, { nodes: [etcd.endpoint], username: 'app', password: 'secret' }, keys)
    await until('it watches', () => follower.changes === 1)
    for (const value of ['1', '2']) {
      await sleep(3_500)
      const { token } = await etcd.ask('/v3/auth/authenticate', { name: 'root', password: 'root' })
      await etcd.put({ '/app/a': value }, token)
      await follower.sees({ '/app/a': value })
    }
    expect(follower.failures).toEqual([])
  })

  it('SY-ETCD-13 leaves a member without a leader, and one that was killed', async () => {
    const [first, ...others] = await startEtcdCluster(3)
    const [second] = others
    if (first === undefined || second === undefined) throw new Error('there are no members')
    await first.put({ '/app/a': '1' })
    const follower = follow(etcdStore, { nodes: [first.endpoint, second.endpoint] }, KEYS)
    await follower.sees({ '/app/a': '1' })
    for (const other of others) other.signal('SIGSTOP')
    await until('it says why', () => follower.failures.some(({ message }) => message.includes('it has no leader')))
    for (const other of others) other.signal('SIGCONT')
    await until('there is a leader again', () => first.put({ '/app/a': '2' }).then(() => true))
    await follower.sees({ '/app/a': '2' })

    await first.kill()
    await until('the others have a leader', () => second.put({ '/app/a': '3' }).then(() => true))
    await follower.sees({ '/app/a': '3' })
  })

  it('SY-ETCD-10 a watch that is refused is not asked for again and again', async () => {
    const etcd = await startEtcd()
    await withUsers(etcd)
    const follower = follow(etcdStore, { nodes: [etcd.endpoint], username: 'app', password: 'secret' }, [
      aKey('/other'),
    ])
    await until('it was refused', () => follower.failures.length > 0)
    expect(follower.failures[0]).toMatchObject({ code: 'STORE_REFUSED', retry: false })
    expect(follower.changes).toBe(0)
  })

  it('SY-ETCD-1 takes exchanged certificates from the same files', async () => {
    const tls = await tlsFiles()
    const etcd = await startEtcd({ tls })
    const { ca, cert, key } = tls.client
    const options = { nodes: [etcd.endpoint], clientCaKeys: ca, clientCert: cert, clientKey: key }
    const follower = follow(etcdStore, options, KEYS)
    await etcd.put({ '/app/a': '1' })
    await follower.sees({ '/app/a': '1' })
    await etcd.kill()
    await tls.exchange()
    await etcd.start()
    await etcd.put({ '/app/a': '2' })
    await follower.sees({ '/app/a': '2' })
  })
})
