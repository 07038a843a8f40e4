import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { mutated, nacosWith } from './admitting.ts'

const bare = (spec: Tree | undefined) => ({ ...nacosWith(), spec })
async function specOf(spec: Tree, prev?: Tree) {
  return mutated(bare(spec), prev && bare(prev))
}

describe('what is filled in', () => {
  const overlay = { containers: [{ name: 'n' }] }
  it.each([
    {
      name: 'NC-ADM-05 podSpec becomes PodSpec',
      spec: { type: 'cluster', replicas: 3, k8sWrapper: { podSpec: overlay } },
      becomes: { type: 'cluster', replicas: 3, k8sWrapper: { PodSpec: overlay } },
    },
    {
      name: 'NC-ADM-05 not where PodSpec is there too',
      spec: { type: 'cluster', replicas: 3, k8sWrapper: { podSpec: overlay, PodSpec: {} } },
      becomes: { type: 'cluster', replicas: 3, k8sWrapper: { podSpec: overlay, PodSpec: {} } },
    },
    { name: 'NC-ADM-06 NC-ADM-07 a missing type', spec: {}, becomes: { type: 'standalone', replicas: 1 } },
    { name: 'NC-ADM-06 an empty type', spec: { type: '' }, becomes: { type: 'standalone', replicas: 1 } },
    {
      name: 'NC-ADM-07 the replicas of a cluster',
      spec: { type: 'cluster' },
      becomes: { type: 'cluster', replicas: 3 },
    },
    {
      name: 'NC-ADM-07 no replicas that are there',
      spec: { type: 'cluster', replicas: 5 },
      becomes: { type: 'cluster', replicas: 5 },
    },
    {
      name: 'NC-ADM-07 on update the replicas that were there',
      spec: { type: 'cluster' },
      prev: { type: 'cluster', replicas: 7 },
      becomes: { type: 'cluster', replicas: 7 },
    },
    {
      name: 'NC-ADM-07 none on update where there were none',
      spec: { type: 'cluster' },
      prev: { type: 'cluster' },
      becomes: { type: 'cluster' },
    },
    {
      name: 'NC-ADM-08 the keys of named sources',
      spec: { type: 'cluster', replicas: 3, userConfigRef: { name: 'a' }, internalConfigRef: { name: 'b', key: '' } },
      becomes: {
        ...{ type: 'cluster', replicas: 3 },
        userConfigRef: { name: 'a', key: 'user.properties' },
        internalConfigRef: { name: 'b', key: 'internal.properties' },
      },
    },
    {
      name: 'NC-ADM-08 no key of a source without a name, and none that is there',
      spec: { type: 'cluster', replicas: 3, userConfigRef: {}, internalConfigRef: { name: 'b', key: 'k' } },
      becomes: { type: 'cluster', replicas: 3, userConfigRef: {}, internalConfigRef: { name: 'b', key: 'k' } },
    },
    {
      name: 'NC-ADM-09 nothing else',
      spec: { type: 'cluster', replicas: 3, database: {}, certification: { enabled: true }, postgres: { host: 'a' } },
      becomes: {
        type: 'cluster',
        replicas: 3,
        database: {},
        certification: { enabled: true },
        postgres: { host: 'a' },
      },
    },
  ])('$name', async ({ spec, prev, becomes }) => {
    const object = await specOf(spec, prev)
    expect(object).toEqual(bare(becomes))
    expect(await mutated(structuredClone(object), prev && bare(prev))).toEqual(object)
  })

  it('NC-ADM-09 nothing of an object without a spec', async () => {
    expect(await mutated(bare(undefined))).toEqual(bare(undefined))
  })
})
