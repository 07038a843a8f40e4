import { status } from '@grpc/grpc-js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StoreOptions } from '../../../../../src/sync/store.ts'
import { etcdStore } from '../../../../../src/sync/stores/etcd/store.ts'
import type { Clock } from '../../../../../src/timing/clock.ts'
import { systemClock } from '../../../../../src/timing/clock.ts'
import { HandClock } from '../../../../../src/timing/hand-clock.ts'
import { aKey } from '../../../../support/builders/keys.ts'
import { storeOptions } from '../../../../support/builders/store-options.ts'
import {
  because,
  canceled,
  compactedAt,
  created,
  event,
  foundAt,
  header,
  type Opened,
  scriptedEtcd,
  watchId,
} from '../../../../support/fakes/etcd.ts'
import { notes } from '../../../../support/notes.ts'

const { signal } = new AbortController()

function storeAt(
  endpoint: string,
  { clock = systemClock, ...options }: Partial<StoreOptions> & { clock?: Clock } = {},
) {
  const store = etcdStore(storeOptions({ nodes: [endpoint], ...options }), { clock, log: notes() })
  onTestFinished(() => store.close())
  return store
}

/** Begins a watch with its number, at this revision. */
const begin = (opened: Opened, revision: bigint, id = BigInt(opened.asked.length - 1)) =>
  opened.answer(header(revision), watchId(id), created)

describe('a watch', () => {
  it('SY-ETCD-13 asks for a leader, SY-ETCD-6 on one stream for all keys, and tells when it listens to all', async () => {
    const etcd = await scriptedEtcd({ watch: (opened) => begin(opened, 5n) })
    const ending = new AbortController()
    let changes = 0
    const keys = ['/a', '/b', '/b/c', '/c/'].map(aKey)
    await storeAt(etcd.endpoint).watch(
      keys,
      () => {
        changes++
        ending.abort()
      },
      ending.signal,
    )

    expect(etcd.opened).toHaveLength(1)
    expect(etcd.opened[0]?.metadata.get('hasleader')).toEqual(['true'])
    expect(etcd.opened[0]?.asked.map(({ from }) => from)).toEqual(['/a', '/b', '/c/'])
    expect(changes).toBe(1)
  })

  it('SY-ETCD-8 SY-SEED-7 goes on where its events ended, not where a later stream began', async () => {
    const etcd = await scriptedEtcd({
      watch(opened) {
        begin(opened, 10n * BigInt(etcd.opened.length))
        if (etcd.opened.length === 1) opened.answer(header(12n), watchId(0n), event('/a', 12n))
        opened.end()
      },
    })
    const store = storeAt(etcd.endpoint)
    let changes = 0
    for (let turn = 0; turn < 3; turn++) {
      await expect(store.watch([aKey('/a')], () => changes++, signal)).rejects.toMatchObject({ retry: true })
    }
    expect(etcd.opened.map(({ asked }) => asked[0]?.start)).toEqual([0n, 13n, 13n])
    expect(changes).toBe(4)
  })

  it.each([
    {
      name: 'SY-ETCD-8 a notification of progress is reached',
      answer: [header(30n), watchId(0n)],
      next: 31n,
      changes: 1,
    },
    {
      name: 'SY-ETCD-9 SY-SEED-8 a compaction is gone on from, and may have hidden a change',
      answer: [header(0n), watchId(0n), canceled, compactedAt(40n)],
      next: 41n,
      changes: 2,
    },
    {
      name: 'SY-ETCD-7 events are of earlier revisions than the store, and are gone on from',
      answer: [header(30n), watchId(0n), event('/a', 12n)],
      next: 13n,
      changes: 2,
    },
    {
      name: 'SY-ETCD-11 a revision that goes back begins at the present one',
      answer: [header(3n), watchId(0n), event('/a', 3n)],
      next: 0n,
      changes: 2,
    },
    {
      name: 'SY-ETCD-11 another cluster begins at the present revision',
      answer: [header(50n, 8n), watchId(0n), event('/a', 50n)],
      next: 0n,
      changes: 2,
    },
    {
      name: 'SY-ETCD-6 an event of a neighbour is reached and tells nothing',
      answer: [header(20n), watchId(0n), event('/a-b', 20n)],
      next: 21n,
      changes: 1,
    },
  ])('$name', async ({ answer, next, changes }) => {
    const etcd = await scriptedEtcd({
      watch(opened) {
        if (etcd.opened.length > 1) return opened.end()
        begin(opened, 10n)
        opened.answer(...answer)
        opened.end()
      },
    })
    const store = storeAt(etcd.endpoint)
    let seen = 0
    const watched = () => store.watch([aKey('/a')], () => seen++, signal)
    await expect(watched()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retry: true })
    await expect(watched()).rejects.toMatchObject({ retry: true })
    expect(etcd.opened[1]?.asked[0]?.start).toBe(next)
    expect(seen).toBe(changes)
  })

  it('SY-ETCD-10 that the server refuses is refused, with what to do', async () => {
    const etcd = await scriptedEtcd({
      watch: (opened) =>
        opened.answer(header(5n), watchId(-1n), created, canceled, because('etcdserver: permission denied')),
    })
    await expect(storeAt(etcd.endpoint).watch([aKey('/a')], () => {}, signal)).rejects.toMatchObject({
      code: 'STORE_REFUSED',
      retry: false,
      message: expect.stringContaining('grant its role those of the resources'),
    })
  })

  it('that does not begin within five seconds ends', async () => {
    const clock = new HandClock(new Date())
    const etcd = await scriptedEtcd({ watch: () => clock.goOn(5_000) })
    await expect(storeAt(etcd.endpoint, { clock }).watch([aKey('/a')], () => {}, signal)).rejects.toMatchObject({
      code: 'STORE_UNREACHABLE',
      message: `etcd at ${etcd.endpoint}: it does not answer in time`,
    })
  })

  it('of no keys waits without a stream', async () => {
    const etcd = await scriptedEtcd({})
    const ending = new AbortController()
    await storeAt(etcd.endpoint).watch([], () => ending.abort(), ending.signal)
    expect(etcd.opened).toEqual([])
  })
})

describe('an answer', () => {
  it.each([
    { name: 'that is none', answer: Buffer.from('nonsense'), why: 'its answer makes no sense' },
    { name: 'to nothing that was asked', answer: Buffer.alloc(0), why: 'other ranges' },
  ])('$name is an error', async ({ answer, why }) => {
    const etcd = await scriptedEtcd({ txn: () => answer })
    await expect(storeAt(etcd.endpoint).read([aKey('/a')], signal)).rejects.toThrow(why)
  })

  it('SY-ETCD-4 of more than 64 MiB is refused', async () => {
    const etcd = await scriptedEtcd({ txn: () => foundAt(1n, { '/a': 'x'.repeat(65 * 1024 * 1024) }) })
    await expect(storeAt(etcd.endpoint, { timeoutMs: 20_000 }).read([aKey('/a')], signal)).rejects.toMatchObject({
      code: 'STORE_ANSWER',
      message: expect.stringContaining('more than 64 MiB'),
    })
  })

  it('SY-FAIL-12 repeats no words of the server', async () => {
    const etcd = await scriptedEtcd({ txn: () => ({ code: status.UNKNOWN, details: 'secret EVIL words' }) })
    await expect(storeAt(etcd.endpoint).read([aKey('/a')], signal)).rejects.not.toThrow(/secret|words/)
  })

  it('SY-ETCD-4 is waited for as long as the options say', async () => {
    const etcd = await scriptedEtcd({ txn: () => foundAt(1n, {}) })
    await etcd.stop()
    const began = performance.now()
    await expect(storeAt(etcd.endpoint, { timeoutMs: 300 }).read([aKey('/a')], signal)).rejects.toMatchObject({
      retry: true,
    })
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
