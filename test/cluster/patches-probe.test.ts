import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AUTHORITY, aPair } from '../support/certificates.ts'
import { ran } from '../support/world.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type OurProcess, type Product, type WorkerReady } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'probed'
const CRD = 'daemonsets.apps.kruise.io'
const STRIPPER = 'kruise-mutating-webhook-configuration'
const DENIED =
  "spec.patches: this cluster's Kruise manager would drop this field; put the list in annotation daemonset.kruise.io/patches, or upgrade (PATCH-API-9)"
const stripper = createServer(await aPair(), async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { uid, object } = JSON.parse(body).request
  const patch = Buffer.from(JSON.stringify([{ op: 'remove', path: '/spec/patches' }])).toString('base64')
  const patched = object.spec.patches === undefined ? {} : { patchType: 'JSONPatch', patch }
  const answer = { uid, allowed: true, ...patched }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }))
})
let product: Product
let worker: OurProcess<WorkerReady>

beforeAll(async () => {
  product = await install(cluster)
  worker = product.worker('probing')
  await worker.start()
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  stripper.listen(0, '127.0.0.1')
  await once(stripper, 'listening')
}, 120_000)
afterAll(async () => {
  await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', STRIPPER, '--ignore-not-found'])
  await cluster.kubectl(['delete', 'crd', CRD, '--ignore-not-found', '--timeout=50s'])
  await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false'])
  await product.uninstall()
  stripper.close()
}, 120_000)

/** Structural, as OpenKruise has it: without spec.patches. */
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { selector: anything, template: anything } } },
  },
}
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: CRD,
    annotations: { 'api-approved.kubernetes.io': 'https://github.com/openkruise/kruise' },
  },
  spec: {
    group: 'apps.kruise.io',
    names: { kind: 'DaemonSet', listKind: 'DaemonSetList', plural: 'daemonsets', singular: 'daemonset' },
    scope: 'Namespaced',
    versions: [
      { name: 'v1alpha1', served: true, storage: false, schema },
      { name: 'v1beta1', served: true, storage: true, schema },
    ],
  },
}
const daemonSet = (name: string, carrier: { readonly patches?: unknown; readonly annotations?: object }) => ({
  apiVersion: 'apps.kruise.io/v1beta1',
  kind: 'DaemonSet',
  metadata: { name, namespace, annotations: carrier.annotations },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } },
    patches: carrier.patches,
  },
})
const LIST = [
  {
    selector: { matchLabels: { disk: 'large' } },
    patch: { spec: { containers: [{ name: 'agent', env: [{ name: 'DISK', value: 'large' }] }] } },
  },
]

async function checked() {
  const words = ['daemonset-patches', 'crd-check', '-o', 'json', '--namespace', namespace]
  const { code, out } = await ran([...words, '--kubeconfig', cluster.kubeconfig('admin')])
  const { versions, remedies } = JSON.parse(out)
  const results = versions.map(({ version, result }: Record<string, string>) => `${version} ${result}`)
  return { code, results, remedies }
}
const create = (object: object, ...args: readonly string[]) =>
  cluster.kubectl(['create', '-f', '-', ...args], { stdin: JSON.stringify(object) })
const tried = async () => (await create(daemonSet('tried', { patches: LIST }), '--dry-run=server')).stderr
const listed = async (name: string) =>
  (await cluster.kubectl(['get', CRD, name, `--namespace=${namespace}`, '-o', 'jsonpath={.spec.patches}'])).stdout

describe('PATCH-T-27, PATCH-API-8, PATCH-API-9, PATCH-API-10 spec.patches beside another definition and another webhook', () => {
  it('without a definition nothing is lost', async () => {
    expect(await checked()).toMatchObject({ code: 0, results: [] })
  })

  it('by the definition of OpenKruise it is pruned', async () => {
    expectDone(await create(DEFINITION))
    expectDone(await cluster.kubectl(['wait', '--for=condition=Established', '--timeout=20s', `crd/${CRD}`]))
    await until('it is served', async () => (await cluster.kubectl(['get', CRD, '--all-namespaces'])).code === 0)
    expect(await checked()).toMatchObject({ code: 1, results: ['v1beta1 pruned', 'v1alpha1 pruned'] })
    expectDone(await create(daemonSet('pruned', { patches: LIST }), '--validate=false'))
    expect(await listed('pruned')).toBe('')
  })

  it('by the definition that the command advises it is kept', async () => {
    const { remedies } = await checked()
    const patches = [...String(remedies[1]).matchAll(/--patch='(.*)'$/gm)].map(([, patch = '']) => patch)
    expect(patches).toHaveLength(2)
    for (const patch of patches) expectDone(await cluster.kubectl(['patch', 'crd', CRD, '--type=json', '-p', patch]))
    await until('it is kept', async () => (await checked()).code === 0)
    expect((await checked()).results).toEqual(['v1beta1 kept', 'v1alpha1 kept'])
    await until('the webhook knows', async () => !(await tried()).includes('it is not known'))
    expectDone(await create(daemonSet('kept', { patches: LIST })))
    expect(JSON.parse(await listed('kept'))).toEqual(LIST)
  })

  it('by a webhook that comes later it is stripped, which ours refuses, and the annotation passes', async () => {
    const { port } = portOf(stripper.address())
    expectDone(await create(configurationFor(port)))
    await until('the webhook knows', async () => (await tried()).includes(DENIED))
    expect(await checked()).toMatchObject({ code: 1, results: ['v1beta1 stripped', 'v1alpha1 stripped'] })
    for (const { ready } of [product.webhook, worker]) {
      const { metrics } = await ready()
      const stripped = 'daemonset_patches_crd_supported{version="v1beta1",result="stripped"} 1'
      await until('the gauge says so', async () =>
        (await (await fetch(`${metrics}/metrics`)).text()).includes(stripped),
      )
    }
    const { code, stderr } = await create(daemonSet('denied', { patches: LIST }))
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(DENIED) })
    const annotations = { 'daemonset.kruise.io/patches': JSON.stringify(LIST) }
    expectDone(await create(daemonSet('annotated', { annotations })))
    const label = ['label', CRD, 'kept', 'touched=', `--namespace=${namespace}`]
    expect((await cluster.kubectl(label)).stderr).not.toContain('PATCH-API-9')
  })

  it('and kept again when that webhook has gone', async () => {
    expectDone(await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', STRIPPER]))
    await until('the webhook knows', async () => !(await tried()).includes(DENIED))
    expect(await checked()).toMatchObject({ code: 0 })
  })
})

function portOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address
}

function configurationFor(port: number) {
  const rule = {
    apiGroups: ['apps.kruise.io'],
    apiVersions: ['v1alpha1', 'v1beta1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['daemonsets'],
  }
  const clientConfig = { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(AUTHORITY.cert).toString('base64') }
  const webhook = { name: 'strips.example.com', rules: [rule], clientConfig, sideEffects: 'None' }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: STRIPPER },
    webhooks: [{ ...webhook, admissionReviewVersions: ['v1'] }],
  }
}
