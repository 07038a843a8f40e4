import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueAuthority } from '../../../certs/authority.ts'
import { clientPair } from '../../support/client-certificates.ts'
import { type ControlPlane, startControlPlane } from '../control-plane.ts'
import { expectDone } from '../product.ts'
import { type Installation, installed } from './installed.ts'
import { template } from './load.ts'
import { hold } from './network.ts'
import { type Nodes, startNodes } from './nodes.ts'

const SERVED_FOR = 'tars-webhook-service.tars-system.svc'
/** Beside that of the other suites. */
const NETWORK = '10.2'
let cluster: ControlPlane
let nodes: Nodes
let ours: Installation

const folder = mkdtempSync(join(tmpdir(), 'tars-admission-callers-'))

beforeAll(async () => {
  const file = (name: string, content: string | object) => {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 })
    return join(folder, name)
  }
  const authority = await issueAuthority(new Date())
  const pair = await clientPair(authority, 'the-api-server')
  const user = { 'client-certificate': file('tls.crt', pair.cert), 'client-key': file('tls.key', pair.key) }
  const kubeconfig = file('kubeconfig', { apiVersion: 'v1', kind: 'Config', users: [{ name: SERVED_FOR, user }] })
  const control = file('admission.yaml', admissionControl(kubeconfig))

  const address = `${NETWORK}.0.1`
  hold(address)
  const apiServerFlags = [`--admission-control-config-file=${control}`]
  cluster = await startControlPlane({ amongPods: address, apiServerFlags })
  nodes = await startNodes(cluster, ['dora'], NETWORK)
  const known = ['--client-ca', file('ca.crt', authority.cert), '--client-names=the-api-server']
  ours = await installed(cluster, ...known, '--secret-path=a-word-of-the-callers')
}, 120_000)
afterAll(async () => {
  await nodes?.stop()
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

/** As docs/operations.md says it. */
function admissionControl(kubeConfigFile: string): object {
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile,
  }
  const plugins = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'].map((name) => ({ name, configuration }))
  return { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }
}

describe('a webhook that knows its callers (SV-14)', () => {
  it('takes reviews of an API server that shows its certificate, on the path that only it knows', async () => {
    const create = (name: string, parent: string) =>
      cluster.kubectl(['create', '-f', '-'], { stdin: JSON.stringify(template(name, parent)) })
    expectDone(await create('tree', 'tree'))
    expect((await create('orphan', 'nowhere')).stderr).toContain('(TT-V2)')
  })
  it('talks to nobody else', async () => {
    const [{ address = '' } = {}] = await ours.pods()
    const socket = connect({ host: address, port: 9443, servername: SERVED_FOR, rejectUnauthorized: false })
    const [refused] = await once(socket, 'error')
    expect(refused).toMatchObject({ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' })
  })
})
