import { expect, it } from 'vitest'
import type { Built, Gvr } from '../../../src/cluster/port.ts'
import { resource } from '../../../src/cluster/resource.ts'
import { object } from '../../../src/schema.ts'
import type { Bench } from './bench.ts'

const NAMES: Gvr = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' }
const CONFIGMAP = resource(NAMES, object({}))

/** The garbage collector of the API server. */
export function collecting({ cluster, at }: Bench): void {
  async function create(name: string, ...owners: readonly Built[]): Promise<Built> {
    const ownerReferences = owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: metadata.name,
      uid: metadata.uid ?? '',
    }))
    return cluster().create(CONFIGMAP, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...at(name), ownerReferences },
    })
  }
  it('CL-5 removes what an owner leaves behind, and what that leaves behind', async () => {
    const owner = await create('owner')
    const dependent = await create('dependent', owner)
    await create('of-dependent', dependent)
    await create('other')
    await cluster().remove(CONFIGMAP, at('owner'))
    await expect.poll(() => cluster().get(CONFIGMAP, at('dependent')), SOON).toBeUndefined()
    await expect.poll(() => cluster().get(CONFIGMAP, at('of-dependent')), SOON).toBeUndefined()
    expect(await cluster().get(CONFIGMAP, at('other'))).toBeDefined()
  })
  it('CL-5 keeps what has another owner, without the reference', async () => {
    const [first, second] = [await create('first'), await create('second')]
    await create('dependent', first, second)
    await cluster().remove(CONFIGMAP, at('first'))
    await expect.poll(() => ownersOf('dependent'), SOON).toEqual(['second'])
  })
  it('CL-5 keeps the dependents of a removal that orphans, without the reference', async () => {
    await create('dependent', await create('owner'))
    await cluster().remove(CONFIGMAP, at('owner'), { propagationPolicy: 'Orphan' })
    await expect.poll(() => cluster().get(CONFIGMAP, at('owner')), SOON).toBeUndefined()
    await expect.poll(() => ownersOf('dependent'), SOON).toEqual([])
  })
  const ownersOf = async (name: string) => {
    const { metadata } = { metadata: undefined, ...(await cluster().get(CONFIGMAP, at(name))) }
    return metadata && (metadata.ownerReferences ?? []).map((owner) => owner.name)
  }
}
/** The API server collects after a moment. */
const SOON = { timeout: 20_000 }
