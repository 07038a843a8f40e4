import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, tarsAdmission, WEBHOOKS } from './product.ts'
import { until } from './until.ts'

const cluster = theCluster()
let product: Product
let webhooks: string

beforeAll(async () => {
  product = await install(cluster)
  webhooks = await product.manifests('webhooks')
}, 120_000)
afterAll(() => product.uninstall(), 120_000)

const CONFIGURATIONS = [
  'mutatingwebhookconfigurations/tars-admission-mutating',
  'validatingwebhookconfigurations/tars-admission-validating',
]

/** The bundle of every webhook of ours, in PEM. */
async function bundles(): Promise<readonly string[]> {
  const found = await Promise.all(
    CONFIGURATIONS.map(async (path) => {
      const { body } = await cluster.request('GET', `/apis/admissionregistration.k8s.io/v1/${path}`)
      const { webhooks = [] } = JSON.parse(JSON.stringify(body))
      return webhooks.map(({ clientConfig }: { clientConfig: { caBundle?: string } }) =>
        Buffer.from(clientConfig.caBundle ?? '', 'base64').toString(),
      )
    }),
  )
  return found.flat()
}
async function everyBundleHasOurCa(): Promise<boolean> {
  const ours = readFileSync((await product.webhook.ready()).ca, 'utf8').trim()
  const found = await bundles()
  return found.length === WEBHOOKS && found.every((bundle) => bundle.includes(ours))
}
const trusted = () => until('every webhook trusts our CA', everyBundleHasOurCa, { seconds: 10 })

describe('caBundle (CT-5)', () => {
  it('is there when the webhook says that it is ready', async () => {
    expect(await everyBundleHasOurCa()).toBe(true)
  })
  it.each([
    ['apply', ['apply', '-f', '-']],
    ['apply again', ['apply', '-f', '-']],
    ['apply --server-side, taking over', ['apply', '--server-side', '--force-conflicts', '-f', '-']],
    ['apply --server-side again', ['apply', '--server-side', '-f', '-']],
    ['replace', ['replace', '-f', '-']],
  ])('kubectl %s of the printed configurations keeps it or gets it back', async (_name, args) => {
    expectDone(await cluster.kubectl(args, { stdin: webhooks }))
    await trusted()
  })
  it('an empty one that somebody writes is mended', async () => {
    const wiped = [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: '' }]
    const contentType = 'application/json-patch+json'
    for (const path of CONFIGURATIONS) {
      await cluster.request('PATCH', `/apis/admissionregistration.k8s.io/v1/${path}`, wiped, { contentType })
    }
    await trusted()
  })
  it('a webhook that a server-side applying installer adds and removes again comes and goes', async () => {
    const [mutating = ''] = webhooks.split('---\n')
    const more = mutating.replace('webhooks:\n', `webhooks:\n${FOREIGN}`)
    const apply = ['apply', '--server-side', '--force-conflicts', '--field-manager=installer', '-f', '-']
    expectDone(await cluster.kubectl(['delete', CONFIGURATIONS[0] ?? '']))
    expectDone(await cluster.kubectl(apply, { stdin: more }))
    await until(
      'the new one is trusted',
      async () => (await bundles()).filter((bundle) => bundle !== '').length === WEBHOOKS,
    )
    expect(await bundles()).toHaveLength(WEBHOOKS + 1)
    expectDone(await cluster.kubectl(apply, { stdin: mutating }))
    expect(await bundles()).toHaveLength(WEBHOOKS)
    await trusted()
  })
})

const FOREIGN = `  - name: foreign.example.com
    admissionReviewVersions: [v1]
    clientConfig: { url: 'https://127.0.0.1:1/foreign' }
    failurePolicy: Ignore
    sideEffects: None
    rules: []
`

describe('the printed manifests', () => {
  const strictly = (stdin: string) =>
    cluster.kubectl(
      ['apply', '--server-side', '--force-conflicts', '--dry-run=server', '--validate=strict', '-f', '-'],
      { stdin },
    )

  it('are taken by a strict API server, all of them', async () => {
    expectDone(await strictly(await product.manifests('all')))
  })
  it('also where the webhook is reached by its Service', async () => {
    expectDone(await cluster.kubectl(['delete', ...CONFIGURATIONS]))
    expectDone(await strictly(await tarsAdmission('manifests')))
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin: webhooks }))
    await trusted()
  })
  it('build as a kustomization too', async () => {
    const { stdout } = await cluster.kubectl(['kustomize', 'manifests'])
    expect(stdout).toContain('kind: ValidatingWebhookConfiguration')
  })
})

describe('uninstalling', () => {
  it('leaves nothing behind', async () => {
    await product.uninstall()
    const kinds = 'crd,ns,clusterrole,clusterrolebinding,mutatingwebhookconfigurations,validatingwebhookconfigurations'
    const { stdout } = await cluster.kubectl(['get', kinds, '-A', '-o', 'name'])
    const ours = stdout.split('\n').filter((name) => name.includes('tars') && !name.endsWith('.test.tars.io'))
    expect(ours).toEqual([])
    product = await install(cluster)
  }, 180_000)
  it('and installing again works, with a CA of its own', async () => {
    await trusted()
    const [bundle = ''] = await bundles()
    expect(new X509Certificate(bundle).ca).toBe(true)
  })
})
