import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installedKinds } from '../support/kinds.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { objectsIn } from './sample.ts'

const cluster = theCluster()
const GOOD = 'manifests/samples/good'
const BAD = 'manifests/samples/bad'
/** What others refer to comes first, as whoever sets up a framework would have it. */
const FIRST = ['tframeworkconfig.yaml', 'ttemplates.yaml', 'ttree.yaml', 'tservers.yaml']
let product: Product

beforeAll(async () => {
  product = await install(cluster)
}, 120_000)
afterAll(async () => {
  await product.uninstall()
}, 120_000)

async function applied(path: string, namespace: string, ...flags: readonly string[]) {
  return cluster.kubectl(['apply', `--namespace=${namespace}`, '-f', '-', ...flags], { stdin: objectsIn(path) })
}

describe('the good samples, the seed’s own examples among them', () => {
  const namespace = 'samples'
  const files = readdirSync(GOOD)
  const inOrder = [...FIRST.filter((file) => files.includes(file)), ...files.filter((file) => !FIRST.includes(file))]
  beforeAll(async () => expectDone(await cluster.kubectl(['create', 'namespace', namespace])))

  it.each(inOrder)('%s is admitted', async (file) => {
    expect(await applied(`${GOOD}/${file}`, namespace)).toMatchObject({ code: 0 })
  })
  it.each(inOrder)('%s may be applied again', async (file) => {
    expect(await applied(`${GOOD}/${file}`, namespace)).toMatchObject({ code: 0 })
  })
  it('there is one of every kind of ours', async () => {
    const names = (await cluster.kubectl(['get', 'tars,nacos', `--namespace=${namespace}`, '-o', 'name'])).stdout
    const missing = installedKinds.filter(
      ({ resource, definition }) => definition && !names.includes(`${resource.kind.toLowerCase()}.`),
    )
    expect(missing.map(({ resource }) => resource.kind)).toEqual([])
  })
  it('with all of them inside, the namespace is deleted and does not hang (W-7, W-15, U-26)', async () => {
    expectDone(await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=55s']))
  })
})

it('SY-FIT-3 the pods of sync are admitted where pod security is restricted, without a warning', async () => {
  const namespace = 'sync-pods'
  const levels = ['enforce', 'warn'].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await cluster.kubectl(['label', 'namespace', namespace, ...levels]))
  for (const file of ['init-container', 'sidecar']) {
    expect(await applied(`manifests/sync/${file}.yaml`, namespace)).toMatchObject({ code: 0, stderr: '' })
  }
  await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false'])
})

describe('the bad samples', () => {
  it.each(readdirSync(BAD))('%s is refused by the rule that its first line names', async (file) => {
    const [, rule = ''] = /^# Refused by ([^\s,:]+)/.exec(readFileSync(`${BAD}/${file}`, 'utf8')) ?? []
    const namespace = `bad-${file.replace(/\.yaml$/, '')}`
    expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
    const { code, stderr } = await applied(`${BAD}/${file}`, namespace)
    await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false'])
    expect(stderr).toMatch(new RegExp(`\\(${rule}[,)]`)) // alone, or with the rule of another kind that found it
    expect(code).toBe(1)
  })
})
