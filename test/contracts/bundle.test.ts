import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { VERSION } from '../../src/config.ts'
import type { Tree } from '../../src/schema.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../support/fakes/api-server.ts'
import { foundAt, scriptedEtcd } from '../support/fakes/etcd.ts'
import { tunnelingProxy } from '../support/fakes/proxy.ts'
import { fileOf, folderOf } from '../support/folders.ts'

const folder = mkdtempSync(join(tmpdir(), 'tars-admission-bundle-'))
const UNEXPIRED = ['{"alg":"RS256"}', '{"exp":4000000000}', 'signed'].map((part) => btoa(part)).join('.')

const COMMIT = '0123456789ab'
beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['.config/bundle.ts', folder], { env: { ...process.env, COMMIT } })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** Much of the client library is left out of the bundle; this is what must not have gone with it (CL-1). */
describe('the bundle shows itself to the API server', { timeout: 20_000 }, () => {
  let api: ApiServer
  beforeEach(async () => {
    api = await scriptedApiServer()
  })
  afterEach(() => api.stop())

  it.each<{ by: string; user: () => Tree; as: string }>([
    { by: 'a token', user: () => ({ token: 'one' }), as: 'Bearer one' },
    { by: 'a file with a token', user: () => fileWith('two'), as: 'Bearer two' },
    { by: 'the token of a credential plugin', user: () => pluginGiving('three'), as: 'Bearer three' },
    { by: 'a password', user: () => ({ username: 'ann', password: 'four' }), as: `Basic ${btoa('ann:four')}` },
    { by: 'an OIDC token', user: () => oidc(UNEXPIRED), as: `Bearer ${UNEXPIRED}` },
  ])('by $by', async ({ user, as }) => {
    const call = await firstCall({ args: ['--kubeconfig', api.kubeconfig(user())] })
    expect(call.headers.authorization).toBe(as)
  })
  it('by a kubeconfig of the environment', async () => {
    const call = await firstCall({ env: { KUBECONFIG: api.kubeconfig({ token: 'five' }) } })
    expect(call.headers.authorization).toBe('Bearer five')
  })
  it('through a proxy', async () => {
    const proxy = await tunnelingProxy()
    onTestFinished(() => proxy.stop())
    await firstCall({ args: ['--kubeconfig', api.kubeconfig({ token: 'six' }, { 'proxy-url': proxy.url })] })
    expect(proxy.tunnels).toBeGreaterThan(0)
  })

  const isForObjects = ({ path }: Call) => path.startsWith('/api')

  function firstCall({ args = [], env = {} }: { args?: readonly string[]; env?: NodeJS.ProcessEnv }): Promise<Call> {
    const ports = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0']
    const child = spawn(process.execPath, [join(folder, 'tars-admission.js'), 'webhook', ...ports, ...args], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return api.next(isForObjects)
  }

  const fileWith = (token: string) => ({
    'auth-provider': { name: 'tokenFile', config: { tokenFile: api.file('token', token) } },
  })
  function pluginGiving(token: string): Tree {
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token } }
    return { exec: { command: 'cat', args: [api.file('credential.json', JSON.stringify(credential))] } }
  }
  function oidc(token: string): Tree {
    return { 'auth-provider': { name: 'oidc', config: { 'id-token': token } } }
  }
})

it.each(['tars-admission.js', 'passwords.js'])(
  '%s is ASCII, so that it takes one byte a character in memory',
  (file) => {
    expect(readFileSync(join(folder, file), 'utf8').match(/.{0,40}[\u0080-\uffff].{0,40}/g) ?? []).toEqual([])
  },
)

it('the bundle hashes passwords on a thread of its own (SV-12)', async () => {
  const account = fileOf(ACCOUNT, 'account.yaml')
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(folder, 'tars-admission.js'),
    'review',
    '-f',
    account,
  ])
  expect(stdout).toMatch(/stored as its hash .*\n1 object: 1 admitted, 0 refused\n$/)
})
const ACCOUNT = `apiVersion: k8s.tars.io/v1beta2
kind: TAccount
metadata: { name: 21232f297a57a5a743894a0e4a801fc3, namespace: default }
spec: { username: admin, authentication: { password: Passw0rd! }, authorization: [] }
`

it('the bundle renders what etcd holds', { timeout: 20_000 }, async () => {
  const etcd = await scriptedEtcd({ txn: () => foundAt(1n, { '/name': 'one' }) })
  const target = join(folderOf(), 'target')
  const resource = `[template]\nsrc = "a"\ndest = "${target}"\nkeys = ["/name"]\n`
  const confdir = folderOf({ 'conf.d/a.toml': resource, 'templates/a': '<{{getv "/name"}}>' })
  const args = ['sync', '-onetime', '-backend=etcdv3', `-node=${etcd.endpoint}`, `-confdir=${confdir}`]
  await promisify(execFile)(process.execPath, [join(folder, 'tars-admission.js'), ...args])
  expect(readFileSync(target, 'utf8')).toBe('<one>')
})

it('the bundle names its version, its commit and Node’s version (SY-CLI-7)', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(folder, 'tars-admission.js'),
    'sync',
    '-version',
  ])
  expect(stdout).toBe(`tars-admission sync ${VERSION} ${COMMIT} (node ${process.versions.node})\n`)
})

describe('the bill of materials (SC-4)', () => {
  const bom = () => JSON.parse(readFileSync(join(folder, 'sbom.json'), 'utf8'))
  it('names every package of which code is in the bundle, with its licence and its digest', () => {
    expect(bom().components).toContainEqual({
      type: 'library',
      'bom-ref': expect.any(String),
      name: '@peculiar/x509',
      version: expect.stringMatching(/^2\./),
      purl: expect.stringMatching(/^pkg:npm\/%40peculiar\/x509@2\./),
      licenses: [{ expression: 'MIT' }],
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    })
  })
  it('names none that was left out', () => {
    const names = bom().components.map(({ name }: { name: string }) => name)
    expect(names).toContain('@kubernetes/client-node')
    for (const leftOut of ['undici', 'protobufjs', '@grpc/proto-loader', '@opentelemetry/api']) {
      expect(names).not.toContain(leftOut)
    }
  })
  it('comes with the text of every licence, but for packages that bring none', () => {
    const names = bom().components.map(({ name }: { name: string }) => name)
    const notices = readFileSync(join(folder, 'licenses.txt'), 'utf8').split(`\n${'-'.repeat(80)}\n`)
    expect(notices.map((notice) => notice.split(' ')[0])).toEqual(names)
    expect(notices.filter((notice) => !/copyright/i.test(notice))).toEqual([
      '@redis/client 6.3.1 (MIT)\n\n',
      'abstract-logging 2.0.1 (MIT)\n\n',
    ])
  })
})
