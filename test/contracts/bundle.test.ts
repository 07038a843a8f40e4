import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Tree } from '../../src/schema.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../support/api-server.ts'
import { tunnelingProxy } from '../support/proxy.ts'

const folder = mkdtempSync(join(tmpdir(), 'tars-admission-bundle-'))
const UNEXPIRED = ['{"alg":"RS256"}', '{"exp":4000000000}', 'signed'].map((part) => btoa(part)).join('.')

beforeAll(() => promisify(execFile)(process.execPath, ['.config/bundle.ts', folder]), 60_000)
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
