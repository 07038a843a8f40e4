import { beforeEach, describe, expect, it } from 'vitest'
import { Refused } from '../../../../src/cluster/port.ts'
import { MOST_BYTES } from '../../../../webhooks/cloudflare/aggregation/shared-config-map.ts'
import { sourceKey } from '../../../../webhooks/cloudflare/aggregation/sources.ts'
import { A, aConfigMap, aStore, B, ID } from '../../../support/tunnel-store.ts'

let store: ReturnType<typeof aStore>
beforeEach(() => {
  store = aStore()
})

describe('CF-AGG-19 the size', () => {
  const large = (bytes: number) => ({ kind: 'Ingress', note: 'x'.repeat(bytes) })
  const put = (key: string, bytes: number) =>
    store.own.configs.writeSourceConfig(ID, key, large(bytes), store.own.context)

  it('a source that would make it too large is rejected, and all others are written', async () => {
    const answers = await Promise.all([put(A, 500_000), put(B, 600_000), put('Ingress/demo/c', 10)])
    expect(answers.map(({ outcome }) => outcome)).toEqual(['written', 'rejected', 'written'])
    expect(answers[1]).toMatchObject({ reason: 'TooLarge', message: expect.stringContaining(String(MOST_BYTES)) })
    expect(await store.keysStored()).toEqual([A, 'Ingress/demo/c'])
  })
  it('its version before stays, and what shrinks passes', async () => {
    store.memory.seed([aConfigMap({ sources: { [A]: large(600_000), [B]: large(600_000) } })])
    expect(await put(A, 700_000)).toMatchObject({ outcome: 'rejected' })
    expect(await put(A, 500_000)).toMatchObject({ outcome: 'written' })
    expect(await store.own.configs.removeSourceConfig(ID, B, store.own.context)).toMatchObject({ outcome: 'written' })
    expect(await store.keysStored()).toEqual([A])
  })
  it('other keys of the ConfigMap count', async () => {
    const data = { 'config.json': '{}', notes: 'x'.repeat(900_000) }
    store.memory.seed([aConfigMap({}, { data, binaryData: { more: 'YQ==' } })])
    expect(await put(A, 200_000)).toMatchObject({ outcome: 'rejected', reason: 'TooLarge' })
    expect(await put(A, 100)).toMatchObject({ outcome: 'written' })
  })
  it.each([
    new Refused({
      code: 422,
      reason: 'Invalid',
      message: 'ConfigMap is invalid: []: Too long: may not be more than 1048576 bytes',
    }),
    new Refused({ code: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large' }),
  ])('what the API server finds too large counts as such: $status.code', async (refusal) => {
    store.own.failing.push(refusal)
    expect(await store.write(A)).toMatchObject({ outcome: 'rejected', reason: 'TooLarge', attempts: 1 })
  })
})

describe('the tunnel itself', () => {
  const key = sourceKey('ClusterTunnel', '', 'main')
  const owner = {
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'ClusterTunnel',
    name: 'main',
    uid: 'u',
    controller: true,
  }
  const assertion = {
    key,
    source: { kind: 'ClusterTunnel', settings: { warpRouting: true } },
    identity: { accountId: 'other', tunnelName: 'main', credentialsRef: { name: 'c' } },
    owner,
  }
  const assert = () => store.own.configs.setTunnelSettings(ID, assertion, store.own.context)

  it('says which account, and owns the ConfigMap', async () => {
    await store.write(A)
    expect(await assert()).toMatchObject({ outcome: 'written' })
    const { found, content } = await store.stored()
    expect(content).toMatchObject({
      accountId: 'other',
      tunnelId: ID,
      tunnelName: 'main',
      credentialsRef: { name: 'c' },
    })
    expect(found?.metadata.ownerReferences).toEqual([owner])
    expect(await assert()).toMatchObject({ outcome: 'unchanged' })
  })
  it('an owner of its identity under another kind goes', async () => {
    store.memory.seed([
      aConfigMap(
        { sources: {} },
        {},
        {
          ownerReferences: [
            { ...owner, kind: 'Tunnel' },
            { ...owner, uid: 'v', controller: false },
          ],
        },
      ),
    ])
    await assert()
    const kinds = (await store.stored()).found?.metadata.ownerReferences?.map(({ kind, uid }) => `${kind} ${uid}`)
    expect(kinds).toEqual(['ClusterTunnel v', 'ClusterTunnel u'])
  })
  it('CF-AGG-05 when it goes, its source and its ownership go in one update, and the others stay', async () => {
    await Promise.all([store.write(A), assert()])
    store.own.calls.splice(0)
    const drop = () => store.own.configs.dropOwner(ID, { key, uid: 'u' }, store.own.context)
    expect(await drop()).toMatchObject({ outcome: 'written' })
    const { found, content } = await store.stored()
    expect(found?.metadata.ownerReferences ?? []).toEqual([])
    expect(content).toMatchObject({ accountId: 'other', tunnelId: ID })
    expect(await store.keysStored()).toEqual([A])
    expect(await drop()).toMatchObject({ outcome: 'unchanged' })
    expect(store.own.calls).toEqual(['replace'])
  })
  it('CF-AGG-05 a ConfigMap that nobody else needs is left to the garbage collector', async () => {
    await assert()
    await store.own.configs.dropOwner(ID, { key, uid: 'u' }, store.own.context)
    const { found, content } = await store.stored()
    expect([found?.metadata.ownerReferences?.length, content.sources]).toEqual([1, {}])
  })
  it('CF-AGG-05 without an owner none is written', async () => {
    const { owner: _, ...plain } = assertion
    await store.own.configs.setTunnelSettings(ID, plain, store.own.context)
    expect((await store.stored()).found?.metadata.ownerReferences ?? []).toEqual([])
  })
})
