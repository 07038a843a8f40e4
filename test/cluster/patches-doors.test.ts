import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

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

beforeAll(async () => {
  product = await install(cluster)
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
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

  it('reach us only with patches, before or after: all others are stored while we are away', async () => {
    await product.webhook.stop('SIGKILL')
    expectDone(await applied(withoutPatches('plain')))
    expectDone(await kubectl('annotate', 'daemonset', 'plain', 'note=x'))
    const away = [await applied(plain('late')), await kubectl('annotate', 'daemonset', 'gpu-monitor', `${PATCHES}-`)]
    for (const { code, stderr } of away) {
      expect(code).toBe(1)
      expect(stderr).toContain('failed calling webhook "daemonset-patches.kruise.io"')
    }
    expectDone(await kubectl('delete', 'daemonset', 'gpu-monitor', 'plain'))
  })
})
