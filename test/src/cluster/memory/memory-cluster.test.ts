import { describe, expect, it } from 'vitest'
import { definitionsOf } from '../../../../src/cluster/memory/definitions.ts'
import type { Built, Gvr } from '../../../../src/cluster/port.ts'
import { OURSELVES } from '../../../../src/process/identities.ts'
import { asCluster } from '../../../../src/process/memory-cluster.ts'
import type { Tree } from '../../../../src/schema.ts'
import { clusterContract } from '../../../contracts/cluster-contract.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget, aKind, DEFINED } from '../../../support/builders/gadgets.ts'
import { admittingCluster, clusterOf, NOW } from '../../../support/clusters.ts'

clusterContract('the cluster in memory', async () => {
  const cluster = admittingCluster()
  return {
    cluster,
    author: cluster,
    namespace: 'demo',
    holding: async (needs, scope) => asCluster(cluster, needs, OURSELVES, scope),
  }
})

const AT = { namespace: 'demo', name: 'g' }
const SECRET: Gvr = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' }
const aSecret: Built = { apiVersion: 'v1', kind: 'Secret', metadata: AT, data: { 'tls.crt': 'YQ==' } }

/** Told at once, of what there is. */
function now(cluster: ReturnType<typeof clusterOf>, of: Gvr): Promise<Built | undefined> {
  const { promise, resolve } = Promise.withResolvers<Built | undefined>()
  cluster.follow(of, AT, resolve)
  return promise
}

describe('a seed', () => {
  it('is kept word for word, however it would be refused', async () => {
    const { metadata, ...body } = aGadget({ count: 99 })
    const meta = { ...metadata, uid: 'u', resourceVersion: '7', deletionTimestamp: NOW, labels: { 'not a key': '?' } }
    const seed = { ...body, metadata: meta, status: { any: 'thing' } }
    expect(await now(clusterOf(seed), GADGET)).toEqual(seed)
  })

  it('gets the identity and the version that it lacks', async () => {
    const { metadata } = (await now(clusterOf(aGadget()), GADGET)) ?? {}
    expect(metadata).toEqual({ ...AT, uid: expect.any(String), resourceVersion: '2' })
  })

  it('is older than what is written later', async () => {
    const { metadata, ...body } = aGadget()
    const cluster = clusterOf({ ...body, metadata: { ...metadata, resourceVersion: '41' } })
    const { metadata: next } = await cluster.patch(GADGET, AT, [{ op: 'add', path: '/spec/count', value: 5 }])
    expect(next.resourceVersion).toBe('42')
  })

  it('is of any kind, and of any version of it', async () => {
    expect(await now(clusterOf(aSecret), SECRET)).toMatchObject({ data: { 'tls.crt': 'YQ==' } })
    expect(await now(clusterOf({ ...aGadget(), apiVersion: 'test.tars.io/v1alpha1' }), GADGET)).toBeDefined()
  })

  it('has metadata that can be read', () => {
    const labels: Built = JSON.parse('{"kind":"Gadget","metadata":{"name":"g","labels":{"a":1}}}')
    expect(() => clusterOf(labels)).toThrow('cannot hold Gadget g: json: cannot unmarshal number into Go struct field')
  })

  it('may stay wrong where an update does not touch it', async () => {
    const cluster = clusterOf(aGadget({ count: 99, tags: ['a', 'b', 'c', 'd'], settings: { a: 'too long' } }))
    await cluster.patch(GADGET, AT, [{ op: 'add', path: '/spec/settings/b', value: 'fits' }])
    await expect(cluster.patch(GADGET, AT, [{ op: 'replace', path: '/spec/count', value: 98 }])).rejects.toThrow(
      'spec.count: Invalid value: 98',
    )
    await expect(cluster.patch(GADGET, AT, [{ op: 'remove', path: '/spec/tags/0' }])).resolves.toBeDefined()
  })

  it('may stay wrong item by item where items have names', async () => {
    const cluster = clusterOf(aGadget({ rivets: [{ name: 'a', side: 'left', depth: 10 }, { name: 'b' }] }))
    const merge = (...rivets: readonly Tree[]) => cluster.merge(GADGET, AT, { spec: { rivets } })
    await merge({ name: 'c' }, { name: 'a', depth: 10 })
    const other = merge({ name: 'c' }, { name: 'a', depth: 11 })
    await expect(other).rejects.toThrow('spec.rivets[1].depth: Invalid value: 11')
    const elsewhere = merge({ name: 'a', side: 'right', depth: 10 })
    await expect(elsewhere).rejects.toThrow('spec.rivets[0].depth: Invalid value: 10')
  })

  it('may have items of one name, and even get more of them', async () => {
    const twice = [{ name: 'a' }, { name: 'a' }]
    const cluster = clusterOf(aGadget({ rivets: twice }))
    await cluster.merge(GADGET, AT, { spec: { rivets: [...twice, { name: 'b' }, { name: 'b' }] } })
    await cluster.merge(GADGET, AT, { spec: { rivets: [{ name: 'b' }] } })
    const again = cluster.merge(GADGET, AT, { spec: { rivets: twice } })
    await expect(again).rejects.toThrow('spec.rivets[1]: Duplicate value: {"name":"a","side":"left"}')
  })

  it('keeps its status, whoever writes the object', async () => {
    const status = { phase: 'Ready' }
    const cluster = clusterOf({ ...aGadget(), status })
    const { metadata, ...body } = await cluster.merge(GADGET, AT, { spec: { count: 5 }, status: { phase: 'Mine' } })
    expect(body).toMatchObject({ spec: { count: 5 }, status })
    expect(await cluster.replace(GADGET, { ...aGadget(), metadata })).toMatchObject({ status })
    expect(await cluster.patch(GADGET, AT, [{ op: 'remove', path: '/status' }])).toMatchObject({ status })
  })

  it('may stay wrong as a list, but not item by item', async () => {
    const cluster = clusterOf(aGadget({ parts: [{ name: '' }, { name: 'b' }] }))
    await cluster.patch(GADGET, AT, [{ op: 'add', path: '/spec/count', value: 5 }])
    const touched = cluster.patch(GADGET, AT, [{ op: 'replace', path: '/spec/parts/1/name', value: 'c' }])
    await expect(touched).rejects.toThrow('spec.parts[0].name')
  })
})

describe('a kind without a definition', () => {
  it('is kept as it is', async () => {
    const cluster = clusterOf()
    await cluster.create(SECRET, { ...aSecret, any: { field: null } }, { fieldValidation: 'Strict' })
    expect(await now(cluster, SECRET)).toMatchObject({ data: { 'tls.crt': 'YQ==' }, any: { field: null } })
  })

  it('has metadata like every other', async () => {
    const cluster = clusterOf()
    const bad = { ...aSecret, metadata: { ...AT, labels: { a: 'no such value' } } }
    await expect(cluster.create(SECRET, bad)).rejects.toMatchObject({ status: { code: 422 } })
  })
})

describe('a kind of ours that has no definition of ours', () => {
  it('is kept as it is: others say what it is', async () => {
    const { definition: _, ...theirs } = DEFINED
    expect(definitionsOf([theirs])).toEqual([])
    expect(definitionsOf([DEFINED])).toMatchObject([{ kind: 'Gadget', status: true }])
  })

  it('has no rules in CEL that nobody stated', () => {
    const definition = { description: 'Plain.', writers: 'authors' as const, shortNames: [], columns: [] }
    expect(definitionsOf([aKind({ definition })])[0]).not.toHaveProperty('identity')
  })
})

describe('what is handed out', () => {
  it('cannot be changed', async () => {
    const cluster = clusterOf()
    const created = await cluster.create(GADGET, aGadget({ tags: ['a'] }))
    expect(() => Object.assign(created.metadata, { name: 'other' })).toThrow(TypeError)
    const found = await cluster.get(GADGET, AT)
    expect(() => Object.assign(found?.spec?.tags ?? {}, { 0: 'b' })).toThrow(TypeError)
  })

  it('does not change with what was handed in', async () => {
    const cluster = clusterOf()
    const tags = ['a']
    await cluster.create(GADGET, aGadget({ tags }))
    tags[0] = 'b'
    expect(await cluster.get(GADGET, AT)).toMatchObject({ spec: { tags: ['a'] } })
  })
})
