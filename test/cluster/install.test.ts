import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueAuthority } from '../../certs/authority.ts'
import type { KeyPair } from '../../certs/pair.ts'
import { certificatesIn } from '../../certs/pem.ts'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product, tarsAdmission, WEBHOOKS } from './product.ts'
import { strangerAt } from './stranger.ts'
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
  'mutatingwebhookconfigurations/daemonset-patches-mutator',
  'validatingwebhookconfigurations/tars-admission-validating',
  'validatingwebhookconfigurations/daemonset-patches-validator',
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

describe('a CA that was replaced (CT-4)', () => {
  const aged = (days: number, name?: string) => issueAuthority(new Date(Date.now() - days * 86_400_000), name)
  const SECRET = '/api/v1/namespaces/tars-system/secrets/tars-webhook-certs'
  const MERGE = { contentType: 'application/merge-patch+json' }
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const bundled = (what: string, wanted: () => boolean | Promise<boolean>) => until(what, wanted, { seconds: 20 })
  let foreign: KeyPair
  let stolen: KeyPair

  async function bundle(certificates: string): Promise<void> {
    for (const path of CONFIGURATIONS) {
      const url = `/apis/admissionregistration.k8s.io/v1/${path}`
      const { webhooks } = JSON.parse(JSON.stringify((await cluster.request('GET', url)).body))
      for (const { clientConfig } of webhooks) clientConfig.caBundle = base64(certificates)
      expect(await cluster.request('PATCH', url, { webhooks }, MERGE)).toMatchObject({ status: 200 })
    }
  }
  async function renewed(): Promise<void> {
    const before = (await bundles()).join()
    await cluster.request('PATCH', SECRET, { data: { 'ca.crt': null, 'ca.key': null } }, MERGE)
    await bundled('the new CA is trusted', async () => (await bundles()).join() !== before && everyBundleHasOurCa())
  }
  const everyBundleIs = (wanted: string) => async () => (await bundles()).every((found) => found === wanted)

  it('leaves when the last leaf of it is over, and what is foreign stays', async () => {
    const [current, old] = await Promise.all([aged(31), aged(100)])
    stolen = old
    foreign = await aged(1_000, 'CN=other')
    await product.webhook.stop()
    const data = { 'ca.crt': base64(current.cert), 'ca.key': base64(current.key) }
    await cluster.request('PATCH', SECRET, { data }, MERGE)
    await bundle(foreign.cert + stolen.cert)
    await product.webhook.start()
    await bundled('the old one has left', everyBundleIs(foreign.cert + current.cert))
  })
  it('does not let whoever has its key answer for us', async () => {
    await product.webhook.stop()
    await strangerAt(product.webhook.url, stolen)
    const bad = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTemplate', metadata: { name: 'bad' }, spec: BAD }
    const { code, stderr } = await cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(bad) })
    expect(stderr).toContain('x509: certificate signed by unknown authority')
    expect(code).toBe(1)
  })
  it('stays only while it is one of the newest two', async () => {
    await product.webhook.start()
    const first = await bundles()
    await renewed()
    const [second = ''] = await bundles()
    expect(certificatesIn(second)).toEqual([...certificatesIn(first.join()).slice(0, 2), expect.any(String)])
    await renewed()
    await bundled(
      'the first one has left',
      async () => !(await bundles()).join().includes(certificatesIn(second)[1] ?? ''),
    )
    const [third = ''] = await bundles()
    expect(certificatesIn(third)).toEqual([foreign.cert.trim(), certificatesIn(second)[2], expect.any(String)])
  })
})

const BAD = { parent: 'nowhere', content: '' }
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
