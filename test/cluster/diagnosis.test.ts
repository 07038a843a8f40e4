import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { TlsOptions } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { issueAuthority } from '../../certs/authority.ts'
import type { Printed } from './client.ts'
import { theCluster } from './cluster.ts'
import { expectDone, IDENTITY, install, type Product, tarsAdmission, WEBHOOKS } from './product.ts'
import { strangerAt } from './stranger.ts'
import { until } from './until.ts'

const cluster = theCluster()
const namespace = 'diagnosis'
const HERE = `--namespace=${namespace}`
const CONFIGURATIONS = {
  mutating: '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/tars-admission-mutating',
  validating: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/tars-admission-validating',
} as const
let product: Product

beforeAll(async () => {
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
})
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  await product.uninstall()
}, 120_000)

/** As a person types it, whatever it ends with. */
function command(words: readonly string[], kubeconfig = cluster.kubeconfig('admin')): Promise<Printed> {
  const args = ['src/bin/tars-admission.ts', ...words, '--kubeconfig', kubeconfig]
  return new Promise((resolve) => {
    execFile('node_modules/.bin/node', args, { timeout: 55_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}
const check = (...words: readonly string[]) => command(['check', HERE, ...words])
const certsStatus = (...words: readonly string[]) => command(['certs', 'status', ...words])

describe('check, from the empty cluster to the installed product', () => {
  it('says that the API server does not know our kinds', async () => {
    const { code, stdout } = await check()
    expect(stdout).toContain('failed  the API server does not know ttemplates.k8s.tars.io')
    expect(code).toBe(1)
  })
  it('with --wait sees the installation through to its end', async () => {
    const [{ code, stdout }] = await Promise.all([
      check('--wait=50'),
      install(cluster).then(async (installed) => {
        product = installed
        await installed.worker().start()
      }),
    ])
    expect(stdout).toMatch(/a worker leads: .*\nthe whole path works/)
    expect(code).toBe(0)
  }, 120_000)
  it('looks for the worker of some namespaces under another Lease', async () => {
    const { code, stdout } = await check('--namespaces=elsewhere')
    expect(stdout).toMatch(
      /failed {2}no worker leads: nobody has renewed Lease tars-system\/tars-admission-worker-[0-9a-f]{8} /,
    )
    expect(code).toBe(1)
  })
  it('stores nothing', async () => {
    const { stdout } = await cluster.kubectl(['get', 'ttemplates', '-A', '-o', 'name'])
    expect(stdout).toBe('')
  })
})

describe('check with rights of one’s own', () => {
  it('needs none but to create TTemplates in that namespace', async () => {
    const role = ['role', 'templates', '--verb=create', '--resource=ttemplates.k8s.tars.io', HERE]
    expectDone(await cluster.kubectl(['create', ...role]))
    expectDone(await cluster.kubectl(['create', 'rolebinding', 'ann', '--role=templates', '--user=ann', HERE]))
    expect(await command(['check', HERE], cluster.kubeconfig('ann'))).toMatchObject({ code: 0, stderr: '' })
  })
  it('says which one is missing', async () => {
    const { code, stdout } = await command(['check', HERE], cluster.kubeconfig('eve'))
    expect(stdout).toContain(`failed  you may not create ttemplates.k8s.tars.io in namespace ${namespace}`)
    expect(code).toBe(3)
  })
  it('and which namespace', async () => {
    const { code, stdout } = await command(['check', '--namespace=nowhere'])
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('nowhere does not exist') })
  })
})

describe('certs status', () => {
  it('is well beside a worker, with the rights of the webhook itself', async () => {
    const { address } = await product.webhook.ready()
    const words = ['certs', 'status', '--server', address]
    const { code, stdout } = await command(words, await cluster.kubeconfigFor(IDENTITY))
    expect(stdout).toMatch(/^source: self\nCA of Secret tars-system\/tars-webhook-certs\n/)
    expect(stdout).toContain(`serving certificate of ${address}\n`)
    expect(stdout.match(/: trusts it; /g)).toHaveLength(WEBHOOKS)
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('\nall is well\n') })
  })
  it('says what a person may not read', async () => {
    const { code, stdout } = await command(['certs', 'status'], cluster.kubeconfig('eve'))
    expect(stdout.match(/you may not read/g)).toHaveLength(5)
    expect(code).toBe(3)
  })
})

it('a missing configuration is named by both, and check --wait sees it come back', async () => {
  expectDone(await cluster.kubectl(['delete', 'mutatingwebhookconfiguration', 'tars-admission-mutating']))
  const missing = 'MutatingWebhookConfiguration tars-admission-mutating does not exist'
  expect(await check()).toMatchObject({ code: 1, stdout: expect.stringContaining(missing) })
  expect(await certsStatus()).toMatchObject({ code: 1, stdout: expect.stringContaining(missing) })
  const stdin = await product.manifests('webhooks')
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
  expect((await check('--wait=30')).code).toBe(0)
})

describe('while the webhook is down', () => {
  beforeAll(async () => {
    await product.webhook.stop()
  })

  it('check says that nobody listens', async () => {
    const { code, stdout } = await check()
    expect(stdout).toContain('failed  our webhook refused the connection: nobody listens there (mutating.tars.io)')
    expect(code).toBe(1)
  })
  it('check says that a stranger at its address is not trusted', async () => {
    await stranger()
    const { code, stdout } = await check()
    expect(stdout).toContain('failed  the configuration does not trust the certificate of our webhook')
    expect(stdout).toContain('x509')
    expect(code).toBe(1)
  })
  it('check says that a trusted stranger is not us', async () => {
    const ca = await stranger()
    for (const path of Object.values(CONFIGURATIONS)) await bundle(path, ca)
    const { code, stdout } = await check()
    expect(stdout).toContain('came through as if TT-M2 did not exist: whoever answered was not us')
    expect(code).toBe(1)
  })
  it('check says that the API server shows no certificate where one is wanted', async () => {
    const ca = await stranger({ requestCert: true, rejectUnauthorized: true })
    for (const path of Object.values(CONFIGURATIONS)) await bundle(path, ca)
    const { code, stdout } = await check()
    expect(stdout).toMatch(/^failed {2}our webhook (does not take the certificate of|hung up on) the API server/m) // a race in it
    expect(stdout).toContain('--client-ca')
    expect(code).toBe(1)
  })
  it('certs status says that a bundle does not trust our CA, and what else it holds', async () => {
    await bundle(CONFIGURATIONS.validating, (await issueAuthority(new Date())).cert)
    const { code, stdout } = await certsStatus()
    expect(stdout).toContain('tars-admission-validating): does NOT trust it; 1 certificate in its caBundle')
    expect(code).toBe(1)
  })
  it('check says that nobody is ready behind the Service', async () => {
    const stdin = await tarsAdmission('manifests', '--set', 'webhooks')
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
    const { code, stdout } = await check()
    expect(stdout).toContain('failed  no endpoint of Service tars-system/tars-webhook-service is ready')
    expect(code).toBe(1)
  })
  it('check --wait sees it come back', async () => {
    const stdin = await product.manifests('webhooks')
    expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))
    const tries = () => readFileSync(cluster.auditLog, 'utf8').split('dryRun=All').length
    const before = tries()
    const checking = check('--wait=50')
    await until('it has tried once', () => tries() > before)
    await product.webhook.start()
    const { code, stderr } = await checking
    expect(stderr).toMatch(/^waiting: /m)
    expect(code).toBe(0)
  })

  async function stranger(options: TlsOptions = {}): Promise<string> {
    const authority = await issueAuthority(new Date())
    await strangerAt(product.webhook.url, authority, options)
    return authority.cert
  }

  async function bundle(path: string, ca: string): Promise<void> {
    const caBundle = Buffer.from(ca).toString('base64')
    const patch = [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: caBundle }]
    const { status } = await cluster.request('PATCH', path, patch, { contentType: 'application/json-patch+json' })
    expect(status).toBe(200)
  }
})

describe('as a plugin of kubectl', () => {
  it('kubectl tars COMMAND is tars-admission COMMAND', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubectl-tars-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    symlinkSync(resolve('src/bin/launch.js'), join(folder, 'kubectl-tars'))
    const env = { ...process.env, PATH: [folder, resolve('node_modules/.bin'), process.env.PATH].join(delimiter) }
    const args = ['tars', 'check', HERE, '--kubeconfig', cluster.kubeconfig('admin')]
    const { stdout } = await promisify(execFile)(cluster.binaries.kubectl, args, { env })
    expect(stdout).toContain('the whole path works')
  })
})
