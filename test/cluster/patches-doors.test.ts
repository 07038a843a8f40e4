import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'patched'
const inNamespace = `--namespace=${namespace}`
const SAMPLE = readFileSync('manifests/samples/daemonsets/annotations.yaml', 'utf8')
const PATCHES = 'daemonset.kruise.io/patches'
let product: Product

const kubectl = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])
const applied = (stdin: string) => cluster.kubectl(['apply', '-f', '-', inNamespace], { stdin })
const plain = (name: string) => SAMPLE.slice(0, SAMPLE.indexOf('---')).replaceAll('nydus-daemonset', name)
const withoutPatches = (name: string) => plain(name).replace(/ {2}annotations:[\s\S]*?(?=^spec:)/m, '')

/** As a controller makes it, but for no Node. */
async function createdPod(name: string, owner?: string) {
  const uid = owner && (await kubectl('get', 'daemonset', owner, '-o', 'jsonpath={.metadata.uid}')).stdout
  const reference = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: owner, uid, controller: true }
  const metadata = { name, ...(owner && { ownerReferences: [reference] }) }
  const spec = { containers: [{ name: 'monitor', image: 'gpu-monitor' }] }
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec })
  return cluster.kubectl(['create', '-f', '-', inNamespace], { stdin })
}

/** How often the webhook was asked about pods. */
async function asked(): Promise<number> {
  const { metrics } = await product.webhook.ready()
  const shown = await (await fetch(`${metrics}/metrics`)).text()
  const lines = shown.match(/^tars_admission_review_duration_seconds_count\{webhook="pods\.[^}]*\} \d+$/gm) ?? []
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  const isThere = async () => (await kubectl('get', 'serviceaccount', 'default')).code === 0
  await until('the account that pods run as is there', isThere)
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

describe('DaemonSets on a real API server', () => {
  it('with the patches of the samples are admitted', async () => {
    expectDone(await applied(SAMPLE))
    expectDone(await applied(SAMPLE))
  })

  it('with a list that cannot be read are refused', async () => {
    const { code, stderr } = await kubectl('annotate', 'daemonset', 'gpu-monitor', '--overwrite', `${PATCHES}={`)
    expect(code).toBe(1)
    expect(stderr).toContain('(PATCH-V-02)')
  })

  it('have their pods refused where patches cannot be applied (PATCH-POD-30)', async () => {
    const { code, stderr } = await createdPod('owned', 'gpu-monitor')
    expect(code).toBe(1)
    expect(stderr).toContain('daemonset patched/gpu-monitor: the pod names no Node')
  })

  it('are the only ones whose pods we are asked about (PATCH-POD-2)', async () => {
    const before = await asked()
    expectDone(await createdPod('free'))
    expect([before, await asked()]).toEqual([1, 1])
  })

  it('reach us only with patches, before or after: all others are stored while we are away', async () => {
    await product.webhook.stop('SIGKILL')
    expectDone(await applied(withoutPatches('plain')))
    expectDone(await kubectl('annotate', 'daemonset', 'plain', 'note=x'))
    const away = [await applied(plain('late')), await kubectl('annotate', 'daemonset', 'gpu-monitor', `${PATCHES}-`)]
    for (const { code, stderr } of away) {
      expect(code).toBe(1)
      expect(stderr).toContain('failed calling webhook "daemonset-patches.kruise.io"')
    }
  })

  it('PATCH-POD-31 get their pods without patches while we are away', async () => {
    const began = performance.now()
    expectDone(await createdPod('owned', 'gpu-monitor'))
    expect(performance.now() - began).toBeLessThan(2_000)
    expect((await kubectl('get', 'pod', 'owned', '-o', 'jsonpath={.metadata.annotations}')).stdout).toBe('')
    expectDone(await kubectl('delete', 'daemonset', 'gpu-monitor', 'plain'))
  })
})
