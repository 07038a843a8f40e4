import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { OpenStore } from '../../src/sync/store.ts'
import { etcdStore } from '../../src/sync/stores/etcd/store.ts'
import { redisStore } from '../../src/sync/stores/redis/store.ts'
import { aKey } from '../support/builders/keys.ts'
import { startEtcd } from './etcd.ts'
import { follow } from './follower.ts'
import { type Gate, gateTo } from './gate.ts'
import { ownUse, type Use } from './own-use.ts'
import { startRedis } from './redis.ts'
import { tlsFiles } from './tls-files.ts'

const ROUNDS = 50
const MIB = 1024 * 1024

interface Beside {
  readonly port: number
  put(value: string): Promise<unknown>
  hang(): void
  goOn(): void
}

/** Each round takes the store away in one of three ways and waits until a change that was made meanwhile is seen. */
async function rounds(open: OpenStore, store: Beside, options: (gate: Gate) => object): Promise<void> {
  const gate = await gateTo(store.port)
  const follower = follow(open, { timeoutMs: 500, ...options(gate) }, [aKey('/a')])
  await store.put('first')
  await follower.sees({ '/a': 'first' })
  let before: Use | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const value = String(round)
    if (round % 10 === 9) {
      store.hang()
      await sleep(1_000)
      store.goOn()
    }
    await gate.shut()
    await store.put(value)
    await gate.open()
    await follower.sees({ '/a': value })
    if (round === 10) before = ownUse()
  }
  const after = ownUse()
  expect(after.descriptors).toBeLessThanOrEqual((before?.descriptors ?? 0) + 4)
  expect(after.bytes).toBeLessThan((before?.bytes ?? 0) + 4 * MIB)
}

it('etcd that goes and comes fifty times leaves no descriptors and no memory behind', async () => {
  const etcd = await startEtcd()
  await rounds(
    etcdStore,
    {
      port: etcd.port,
      put: (value) => etcd.put({ '/a': value }),
      hang: () => etcd.signal('SIGSTOP'),
      goOn: () => etcd.signal('SIGCONT'),
    },
    (gate) => ({ nodes: [`127.0.0.1:${gate.port}`] }),
  )
})

it('etcd over TLS, too', async () => {
  const tls = await tlsFiles()
  const etcd = await startEtcd({ tls })
  const { ca, cert, key } = tls.client
  await rounds(
    etcdStore,
    {
      port: etcd.port,
      put: (value) => etcd.put({ '/a': value }),
      hang: () => etcd.signal('SIGSTOP'),
      goOn: () => etcd.signal('SIGCONT'),
    },
    (gate) => ({ nodes: [`127.0.0.1:${gate.port}`], clientCaKeys: ca, clientCert: cert, clientKey: key }),
  )
})

it('redis that goes and comes fifty times leaves no descriptors and no memory behind', async () => {
  const redis = await startRedis()
  await rounds(
    redisStore,
    {
      port: redis.port,
      put: (value) => redis.ask('SET', '/a', value),
      hang: () => redis.signal('SIGSTOP'),
      goOn: () => redis.signal('SIGCONT'),
    },
    (gate) => ({ nodes: [`127.0.0.1:${gate.port}`] }),
  )
})
