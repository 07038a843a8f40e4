import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { redisStore } from '../../src/sync/stores/redis/store.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { aKey } from '../support/builders/keys.ts'
import { storeOptions } from '../support/builders/store-options.ts'
import { notes } from '../support/notes.ts'
import { startRedis } from './redis.ts'

const { signal } = new AbortController()

async function reading(timeoutMs: number) {
  const redis = await startRedis()
  await redis.ask('SET', '/a', '1')
  const store = redisStore(storeOptions({ nodes: [redis.node], timeoutMs }), { clock: systemClock, log: notes() })
  onTestFinished(() => store.close())
  const read = async () => Object.fromEntries((await store.read([aKey('/a')], signal)).values)
  expect(await read()).toEqual({ '/a': '1' })
  return { redis, read }
}

it('SY-CLI-10 one answer of redis takes the backend-timeout at most; the next read has a connection of its own', async () => {
  const { redis, read } = await reading(500)
  redis.signal('SIGSTOP')
  await expect(read()).rejects.toMatchObject({
    code: 'STORE_UNREACHABLE',
    message: `redis at ${redis.node}: it has not answered within 500 ms, the backend-timeout`,
  })
  redis.signal('SIGCONT')
  expect(await read()).toEqual({ '/a': '1' })
})

it('SY-CLI-10 an answer may take longer than the pings, if the backend-timeout says so', async () => {
  const { redis, read } = await reading(60_000)
  redis.signal('SIGSTOP')
  const answer = read()
  await sleep(9_000) // a ping goes out within 3 s, and 5 s of silence would follow
  redis.signal('SIGCONT')
  expect(await answer).toEqual({ '/a': '1' })
})
