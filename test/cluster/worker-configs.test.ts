import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDraftOfTConfig } from '../support/builders/configs.ts'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { at } from '../support/builders/trees.ts'
import { rested, workplaceIn } from './at-work.ts'
import { inWords } from './audited.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { until } from './until.ts'

// The life of one configuration, with webhook and worker.

const cluster = theCluster()
const namespace = 'configs'
const { audit, create, list, merge, remove } = workplaceIn(cluster, namespace)
const limits = (tconfigHistory: number) => ({ texitedPod: 48, tconfigHistory, timageRelease: 48 })
/** In the order in which they come. */
const VERSIONS = Array.from({ length: 13 }, (_, i) => `v${String(i + 1).padStart(2, '0')}`)
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  await create('tframeworkconfigs', aTFrameworkConfig({ namespace, recordLimit: limits(12) }))
  worker = product.worker('configs-worker')
  await worker.start()
}, 120_000)
afterAll(async () => {
  await worker.stop()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall()
}, 180_000)

/** The names of all versions, with a star for one in force, and of those whose labels say something else or that are marked. */
async function history(): Promise<string> {
  const configs = await list('tconfigs')
  const words = configs.map((config) => {
    const [name, activated] = [at(config, 'metadata.name'), at(config, 'activated')]
    const { 'tars.io/Activated': label, ...labels } = Object(at(config, 'metadata.labels'))
    const isMarked = ['Deactivate', 'Deactivating', 'Deleting'].some((mark) => `tars.io/${mark}` in labels)
    return `${name}${activated === true ? '*' : ''}${String(activated) === label && !isMarked ? '' : '!'}`
  })
  return words.toSorted().join(' ')
}
const becomes = (wanted: readonly string[]) =>
  until(`there is ${wanted.join(' ')}`, async () => {
    const found = await history()
    if (found === wanted.join(' ')) return true
    throw new Error(found)
  })
const inForce = (active: string, versions: readonly string[]) =>
  becomes(versions.map((each) => (each === active ? `${each}*` : each)))

describe('the life of a configuration', () => {
  it('TC-R1 each version that is created active is in force, and the one before it is kept', async () => {
    for (const [i, name] of VERSIONS.entries()) {
      await create('tconfigs', { ...aDraftOfTConfig(), metadata: { name } })
      await inForce(name, VERSIONS.slice(0, i + 1))
    }
  })

  it('TC-R4, TF-R2 a lower limit of the history takes the oldest, and never the one in force', async () => {
    const writes = audit()
    await merge('tframeworkconfigs', 'tars-framework', { recordLimit: limits(10) })
    await inForce('v13', VERSIONS.slice(2))
    await rested(worker)
    expect(writes().map(inWords)).toEqual(['delete tconfigs 200', 'delete tconfigs 200'])
  })

  it('TC-R1 a rollback brings an old version into force, and loses none', async () => {
    await merge('tconfigs', 'v05', { activated: true })
    await inForce('v05', VERSIONS.slice(2))
    await rested(worker)
    expect(await history()).toBe(VERSIONS.slice(2).join(' ').replace('v05', 'v05*'))
  })

  it('the deletion of a version that is not in force takes that one alone', async () => {
    expect(await remove('tconfigs', 'v04')).toMatchObject({ status: 200 })
    await rested(worker)
    await inForce('v05', ['v03', ...VERSIONS.slice(4)])
  })

  it('TC-R2 the deletion of the version in force takes its whole history', async () => {
    expect(await remove('tconfigs', 'v05')).toMatchObject({ status: 200 })
    await becomes([])
  })
})
