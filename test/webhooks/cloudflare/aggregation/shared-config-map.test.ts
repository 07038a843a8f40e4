import { beforeEach, describe, expect, it } from 'vitest'
import { Refused } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import { SHARED_CONFIG_MAP } from '../../../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { sourceKey } from '../../../../webhooks/cloudflare/aggregation/sources.ts'
import { A, AT, aConfigMap, aProcess, aStore, B, ID, LABELS, REF, source } from '../../../support/tunnel-store.ts'

let store: ReturnType<typeof aStore>
beforeEach(() => {
  store = aStore()
})

describe('CF-AGG-15 a source is written', () => {
  it('CF-AGG-01 CF-AGG-02 into a ConfigMap that is made for the tunnel', async () => {
    expect(await store.write(A)).toEqual({ outcome: 'written', attempts: 1 })
    const { found, content } = await store.stored()
    expect(found?.metadata).toMatchObject({ ...REF, labels: LABELS })
    expect(found?.metadata).not.toHaveProperty('ownerReferences')
    expect(content).toEqual({
      accountId: 'acc',
      tunnelId: ID,
      sources: { [A]: { ...source('a.b'), updatedAt: AT.toISOString() } },
    })
  })
  it('once: what stands so already is not written again', async () => {
    await store.write(A)
    expect(await store.write(A)).toEqual({ outcome: 'unchanged', attempts: 1 })
    expect(store.own.calls).toEqual(['create'])
  })
  it('those that come within a moment go out together', async () => {
    const answers = await Promise.all([
      store.write(A),
      store.write(B),
      store.own.configs.removeSourceConfig(ID, 'Ingress/x/y', store.own.context),
    ])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['written', 'written', 'unchanged'])
    expect(store.own.calls).toEqual(['create'])
    expect(await store.keysStored()).toEqual([A, B])
    await store.write(sourceKey('Ingress', 'demo', 'c'))
    expect(store.own.calls).toEqual(['create', 'replace'])
  })
  it('is removed, and the last one leaves none, so that nothing stays published', async () => {
    await Promise.all([store.write(A), store.write(B)])
    const remove = (key: string) => store.own.configs.removeSourceConfig(ID, key, store.own.context)
    expect(await remove(A)).toMatchObject({ outcome: 'written' })
    expect(await remove(A)).toMatchObject({ outcome: 'unchanged' })
    expect(await remove(B)).toMatchObject({ outcome: 'written' })
    expect((await store.stored()).content.sources).toEqual({})
  })
  it('removing from a ConfigMap that is not there is done already, and makes none', async () => {
    expect(await store.own.configs.removeSourceConfig(ID, A, store.own.context)).toMatchObject({ outcome: 'unchanged' })
    expect((await store.stored()).found).toBeUndefined()
  })
  it('CF-AGG-04 other keys of the data stay', async () => {
    store.memory.seed([aConfigMap({ sources: {} }, { data: { 'config.json': '{}', notes: 'mine' } })])
    await store.write(A)
    expect((await store.stored()).found?.data).toMatchObject({ notes: 'mine' })
  })
})

describe('CF-AGG-15 CF-TST-09 another writer comes first', () => {
  const conflict = new Fault('CONFLICT', 'another version')
  const exists = new Refused({ code: 409, reason: 'AlreadyExists', message: 'it exists' })
  const gone = new Fault('GONE', 'it is gone')
  const away = new Fault('CLUSTER_UNREACHABLE', '503')
  const limited = new Fault('OVERLOADED', '429', { retryAfterMs: 1_500 })

  it.each([
    { name: '409 Conflict', failures: [conflict, conflict], attempts: 3 },
    { name: '409 AlreadyExists', failures: [exists], attempts: 2 },
    { name: '404', failures: [gone], attempts: 2 },
    { name: '5xx', failures: [away, conflict, exists], attempts: 4 },
  ])('$name: it is read again', async ({ failures, attempts }) => {
    store.own.failing.push(...failures)
    expect(await store.write(A)).toEqual({ outcome: 'written', attempts })
    expect(await store.keysStored()).toEqual([A])
  })
  it('between the attempts it waits longer and longer, at least as long as the API server says', async () => {
    store.own.failing.push(conflict, conflict, limited, ...Array.from({ length: 6 }, () => conflict))
    await store.write(A)
    expect(store.own.pauses).toEqual([25, 10, 20, 1_500, 80, 160, 320, 500, 500, 500])
  })
  it('after 20 attempts, or 30 s, the change is given back', async () => {
    store.own.failing.push(...Array.from({ length: 30 }, () => conflict))
    await expect(store.write(A)).rejects.toBe(conflict)
    expect(store.own.calls).toHaveLength(20)
    store.own.failing.splice(0)
    store.own.failing.push(...Array.from({ length: 30 }, () => limited))
    await expect(store.write(A)).rejects.toBe(limited)
    expect(store.own.calls.length).toBeLessThan(20 + 22)
    expect(store.own.pauses.slice(-19).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(32_000)
  })
  it.each([
    { name: 'a refusal', cause: new Refused({ code: 403, reason: 'Forbidden', message: 'no' }) },
    { name: 'the lead is lost', cause: new Fault('NOT_LEADING', 'no leader') },
    { name: 'what nobody expects', cause: new Error('a mistake') },
  ])('$name ends it at once, for all that go out together', async ({ cause }) => {
    store.own.failing.push(cause)
    const answers = await Promise.allSettled([store.write(A), store.write(B)])
    expect(answers).toEqual([expect.objectContaining({ reason: cause }), expect.objectContaining({ reason: cause })])
    expect(store.own.calls).toEqual(['create'])
    expect(await store.write(A)).toMatchObject({ outcome: 'written' })
  })
  it('a worker that stops tries no more', async () => {
    store.own.failing.push(conflict, conflict)
    store.own.controller.abort()
    await expect(store.write(A)).rejects.toBe(conflict)
    expect(store.own.calls).toEqual(['create'])
  })
  it('writers of three processes, a syncer that annotates, and a deletion between: what is asserted again is there', async () => {
    const processes = Array.from({ length: 3 }, () => aProcess(store.memory))
    const keys = Array.from({ length: 6 }, (_, writer) => sourceKey('Ingress', 'demo', `w${writer}`))
    const assert = () =>
      keys.map(async (key, writer) => {
        const { configs, context } = processes[writer % 3] ?? store.own
        for (const hostname of ['a.b', 'c.d', 'e.f']) {
          await configs.writeSourceConfig(ID, key, source(hostname), context)
          await store.memory.merge(SHARED_CONFIG_MAP, REF, { metadata: { annotations: { 'a/b': key + hostname } } })
        }
      })
    await Promise.all(assert())
    expect((await store.keysStored()).toSorted()).toEqual(keys)
    const again = assert()
    await store.memory.remove(SHARED_CONFIG_MAP, REF)
    await Promise.allSettled(again)
    await Promise.all(assert())
    expect((await store.keysStored()).toSorted()).toEqual(keys)
  })
})

describe('CF-AGG-03 nonsense is never overwritten', () => {
  it.each(['{', '[]', '{"sources":1}'])('%s', async (content) => {
    store.memory.seed([aConfigMap(content)])
    expect(await store.write(A)).toMatchObject({ outcome: 'rejected', reason: 'ParseError' })
    expect((await store.memory.get(SHARED_CONFIG_MAP, REF))?.data).toEqual({ 'config.json': content })
    expect(store.own.calls).toEqual([])
  })
  it('CF-AGG-02 nor is a ConfigMap that is not ours', async () => {
    store.memory.seed([aConfigMap({}, {}, { labels: { a: 'b' } })])
    expect(await store.write(A)).toMatchObject({
      outcome: 'rejected',
      reason: 'ForeignConfigMap',
      message: expect.stringContaining('type=tunnel-config'),
    })
    expect(store.own.calls).toEqual([])
  })
})
