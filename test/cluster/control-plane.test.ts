import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'

const cluster = theCluster()
const namespace = 'kitchen'
const inNamespace = `--namespace=${namespace}`
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`

beforeAll(() => cluster.kubectl(['create', 'namespace', namespace]))

describe('the API server', () => {
  it('is of the version that kubectl is of', async () => {
    const { stdout } = await cluster.kubectl(['version', '-o', 'json'])
    const gitVersion = process.env.KUBEBUILDER_ASSETS ? expect.stringMatching(/^v1\./) : 'v1.36.3'
    expect(JSON.parse(stdout)).toMatchObject({ clientVersion: { gitVersion }, serverVersion: { gitVersion } })
  })

  it('refuses what RBAC gives nobody', async () => {
    expect(await cluster.request('GET', configMaps, undefined, { as: 'eve' })).toMatchObject({ status: 403 })
    expect(await cluster.kubectl(['get', 'configmaps', inNamespace], { as: 'eve' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('User "eve" cannot list resource "configmaps"'),
    })
  })

  it('lets an ordinary user do what a Role says', async () => {
    const role = ['create', 'role', 'reader', '--verb=list', '--resource=configmaps', inNamespace]
    expect(await cluster.kubectl(role)).toMatchObject({ code: 0 })
    const grant = ['create', 'rolebinding', 'ann-reads', '--role=reader', '--user=ann', inNamespace]
    expect(await cluster.kubectl(grant)).toMatchObject({ code: 0 })
    expect(await cluster.kubectl(['get', 'configmaps', inNamespace], { as: 'ann' })).toMatchObject({ code: 0 })
    expect(await cluster.kubectl(['create', 'configmap', 'hers', inNamespace], { as: 'ann' })).toMatchObject({
      code: 1,
    })
  })

  it('knows a service account by its token', async () => {
    await cluster.kubectl(['create', 'serviceaccount', 'robot', inNamespace])
    const whoami = ['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}']
    const { stdout } = await cluster.kubectl(whoami, { as: { namespace, name: 'robot' } })
    expect(stdout).toBe('system:serviceaccount:kitchen:robot')
  })

  it('establishes a CustomResourceDefinition', async () => {
    const names = { plural: 'teapots', singular: 'teapot', kind: 'Teapot' }
    const schema = { openAPIV3Schema: { type: 'object' } }
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'teapots.example.com' },
      spec: {
        group: 'example.com',
        names,
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    }
    const stdin = JSON.stringify(crd)
    expect(await cluster.kubectl(['create', '-f', '-'], { stdin })).toMatchObject({ code: 0 })
    const wait = ['wait', '--for=condition=Established', '--timeout=20s', 'crd/teapots.example.com']
    expect(await cluster.kubectl(wait)).toMatchObject({ code: 0 })
  })

  it('holds a delete to its preconditions', async () => {
    await cluster.request('POST', configMaps, { metadata: { name: 'precious' } })
    const preconditions = { uid: randomUUID() }
    expect(await cluster.request('DELETE', `${configMaps}/precious`, { preconditions })).toMatchObject({ status: 409 })
  })

  it('writes each request to the audit log', async () => {
    const path = `${configMaps}/${randomUUID()}`
    await cluster.request('GET', path, undefined, { as: 'eve' })
    const entry = () => {
      const lines = readFileSync(cluster.auditLog, 'utf8').split('\n')
      return JSON.parse(lines.find((line) => line.includes(path)) ?? '{}')
    }
    const denied = { level: 'Metadata', verb: 'get', user: { username: 'eve' }, responseStatus: { code: 403 } }
    await expect.poll(entry).toMatchObject(denied)
  })

  it('answers nothing while it is paused, and then what was asked meanwhile', async () => {
    await cluster.pauseApiServer()
    const answer = cluster.request('GET', '/version')
    const first = await Promise.race([answer, sleep(300, 'silence')])
    cluster.resumeApiServer()
    expect(first).toBe('silence')
    expect(await answer).toMatchObject({ status: 200 })
  })

  it('is restarted on the same store and port', async () => {
    const last = cluster.pid('kube-apiserver')
    await cluster.request('POST', configMaps, { metadata: { name: 'kept' } })
    await cluster.restartApiServer()
    expect(cluster.pid('kube-apiserver')).not.toBe(last)
    expect(await cluster.request('GET', `${configMaps}/kept`)).toMatchObject({ status: 200 })
  })
})

describe('the controller manager', () => {
  beforeAll(() => void cluster.needControllers())

  it('gives a namespace its default service account and the CA', async () => {
    const wait = (what: string) => cluster.kubectl(['wait', '--for=create', '--timeout=20s', inNamespace, what])
    expect(await wait('serviceaccount/default')).toMatchObject({ code: 0 })
    expect(await wait('configmap/kube-root-ca.crt')).toMatchObject({ code: 0 })
  })

  it('finishes the deletion of a namespace', async () => {
    expect(await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=40s'])).toMatchObject({ code: 0 })
    expect(await cluster.request('GET', `/api/v1/namespaces/${namespace}`)).toMatchObject({ status: 404 })
  })
})
