import { beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from '../cluster.ts'
import { expectDone } from '../product.ts'
import { type Installation, installed, WORKER } from './installed.ts'
import { template } from './load.ts'

const cluster = theCluster()
let ours: Installation

beforeAll(async () => {
  ours = await installed(cluster)
}, 120_000)

const create = (name: string, parent: string) =>
  cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(template(name, parent)) })

describe('the printed manifests, installed as they are', () => {
  it('become a Deployment whose pods are all ready', async () => {
    expect(await ours.pods()).toHaveLength(2)
  })
  it('become a Deployment of workers that are ready too, one of which leads', async () => {
    await ours.kubectl('rollout', 'status', `deployment/${WORKER}`, '--timeout=50s')
  })
  it('a template without its parent is refused through the Service, in our words', async () => {
    const { stderr } = await create('orphan', 'nowhere')
    expect(stderr).toBe(
      'The TTemplate "orphan" is invalid: spec.parent: TTemplate default/nowhere does not exist; ' +
        'create it first, or name another (TT-V2)\n',
    )
  })
  it('a good one is completed and stored', async () => {
    expectDone(await create('tree', 'tree'))
    expectDone(await create('branch', 'tree'))
    const { stdout } = await cluster.kubectl(['get', 'tt', 'branch', '-o', 'jsonpath={.metadata.labels}'])
    expect(JSON.parse(stdout)).toEqual({ 'tars.io/Parent': 'tree' })
  })
})
