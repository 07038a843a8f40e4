import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Etcd, startEtcd } from './etcd.ts'
import { type Gate, gateTo } from './gate.ts'
import { type Product, startProduct, useOf } from './product.ts'
import { type Redis, startRedis } from './redis.ts'
import { type TlsFiles, tlsFiles } from './tls-files.ts'

/**
 * A short form goes once through all faults. `SYNC_ROUNDS=50 npm run test:sync -- rounds` goes on, for 25 minutes: after
 * many faults in a row a watch is begun again after up to 30 s.
 */
const ROUNDS = Number(process.env.SYNC_ROUNDS ?? 5)
const WARM = Math.min(10, ROUNDS - 2)
const MIB = 1024 * 1024

const ONE = { a: { keys: ['/app'], template: '{{getv "/app/a" "none"}}' } }

interface Fault {
  readonly name: string
  readonly happens: () => Promise<unknown>
}

async function hang({ signal }: Pick<Etcd | Redis, 'signal'>): Promise<void> {
  signal('SIGSTOP')
  await sleep(20_000)
  signal('SIGCONT')
}

const faultsOf = (etcd: Etcd, gate: Gate, tls: TlsFiles): readonly Fault[] => [
  { name: 'etcd is killed and started again', happens: () => etcd.kill().then(etcd.start) },
  { name: 'etcd hangs for 20 s', happens: () => hang(etcd) },
  {
    name: 'etcd is compacted while it cannot be reached',
    async happens() {
      await gate.shut()
      for (const value of ['x', 'y', 'z']) await etcd.put({ '/app/a': value })
      await etcd.compact()
      await gate.open()
    },
  },
  { name: 'etcd is emptied', happens: () => etcd.empty().then(etcd.start) },
  {
    name: 'all certificates are exchanged',
    async happens() {
      await etcd.kill()
      await tls.exchange()
      await etcd.start()
    },
  },
]

const faultsOfRedis = (redis: Redis): readonly Fault[] => [
  { name: 'redis is killed and started again', happens: () => redis.kill().then(redis.start) },
  { name: 'redis kills the subscriber', happens: () => redis.ask('CLIENT', 'KILL', 'TYPE', 'pubsub') },
  { name: 'redis hangs for 20 s', happens: () => hang(redis) },
]

/** After each fault the next changes are in the file within 45 s; memory and descriptors stay as they were. */
async function rounds(product: Product, faults: readonly Fault[], put: (value: string) => Promise<unknown>) {
  let before = useOf(product.pid)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const fault = faults[round % faults.length]
    await fault?.happens()
    const returned = performance.now()
    for (const value of [`${round} after ${fault?.name}`, `${round} later`]) {
      await put(value)
      await product.shows('a', value)
    }
    times.push((performance.now() - returned) / 1_000)
    if (round === WARM) before = useOf(product.pid)
  }
  const after = useOf(product.pid)
  console.info(`${Math.max(...times).toFixed(1)} s at most; ${JSON.stringify({ before, after })}`)
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 4)
  expect(after.bytes).toBeLessThan(before.bytes + 16 * MIB)
}

/** As in the image: by itself Node lets what is young grow before it collects. */
const ENV = { NODE_OPTIONS: '--max-semi-space-size=8' }

async function etcdRounds(): Promise<void> {
  const tls = await tlsFiles()
  const etcd = await startEtcd({ tls })
  const gate = await gateTo(etcd.port)
  const { ca, cert, key } = tls.client
  const files = [`-client-ca-keys=${ca}`, `-client-cert=${cert}`, `-client-key=${key}`]
  const product = await startProduct(
    ONE,
    ['-backend=etcdv3', `-node=https://127.0.0.1:${gate.port}`, '-watch', ...files],
    ENV,
  )
  await rounds(product, faultsOf(etcd, gate, tls), (value) => etcd.put({ '/app/a': value }))
}

async function redisRounds(): Promise<void> {
  const redis = await startRedis()
  const product = await startProduct(ONE, ['-backend=redis', `-node=${redis.node}`, '-watch'], ENV)
  await rounds(product, faultsOfRedis(redis), (value) => redis.ask('SET', '/app/a', value))
}

it(`${ROUNDS} faults of etcd, and as many of redis, leave sync as it was`, {
  timeout: 120_000 + ROUNDS * 90_000,
}, async () => {
  await Promise.all([etcdRounds(), redisRounds()])
})
