import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
const namespace = 'outage'
const path = `/apis/k8s.tars.io/v1beta2/namespaces/${namespace}/ttemplates`
const MANY = 500
let product: Product

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expect(await create('root', 'root')).toMatchObject({ status: 201 })
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s'])
  await product.uninstall()
}, 120_000)

function create(name: string, parent: string): Promise<Answer> {
  const spec = { parent, content: '<tars/>' }
  return cluster.request('POST', path, {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTemplate',
    metadata: { name },
    spec,
  })
}

/** Several at a time, as a cluster has it; which of the names were taken. */
async function createAll(
  names: readonly string[],
  afterEach: () => void = () => undefined,
): Promise<readonly string[]> {
  const left = [...names]
  const taken: string[] = []
  async function work(): Promise<void> {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const { status, body } = await create(name, 'root')
      if (status === 201) taken.push(name)
      else
        expect({ status, body }).toMatchObject({ status: 500, body: { message: expect.stringContaining('webhook') } })
      afterEach()
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return taken
}

describe('the webhook is stopped and started again in the middle of 500 creates', () => {
  it('each create is stored complete or fails visibly, and repeating the failed ones ends with exactly 500', async () => {
    const names = Array.from({ length: MANY }, (_, i) => `t-${i}`)
    let done = 0
    const outage = Promise.withResolvers<void>()
    const restarted = outage.promise.then(restart)
    const taken = new Set(
      await createAll(names, () => {
        done += 1
        if (done === 100) outage.resolve()
      }),
    )
    await restarted
    const failed = names.filter((name) => !taken.has(name))
    expect(failed.length, 'the outage was felt').toBeGreaterThan(0)
    expect(taken.size, 'before and after it creates went through').toBeGreaterThanOrEqual(100)
    expect(await createAll(failed)).toHaveLength(failed.length)
    expect(await labelsOfAll()).toEqual(Object.fromEntries(names.map((name) => [name, { 'tars.io/Parent': 'root' }])))
  }, 180_000)
})

/** Down until some creates must have met it, then up again while others still come. */
async function restart(): Promise<void> {
  await product.webhook.stop()
  await sleep(300)
  await product.webhook.start()
}

async function labelsOfAll(): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await cluster.kubectl(['get', 'tt', `--namespace=${namespace}`, '-o', 'json'])
  const { items } = JSON.parse(stdout)
  return Object.fromEntries(
    items
      .filter(({ metadata }: { metadata: { name: string } }) => metadata.name !== 'root')
      .map(({ metadata }: { metadata: { name: string; labels: unknown } }) => [metadata.name, metadata.labels]),
  )
}
