import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { kubeCluster } from '../../src/cluster/kube/kube-cluster.ts'
import type { Built, Found, KubeObject } from '../../src/cluster/port.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import type { Action, Expected } from '../../src/reconcile/action.ts'
import { performed } from '../../src/reconcile/apply.ts'
import { writerWith } from '../../src/reconcile/turn-writer.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { logTo } from '../../src/telemetry/log.ts'
import { SERVICE } from '../../webhooks/tars/workloads.ts'
import { theCluster } from './cluster.ts'
import { expectDone } from './product.ts'

const cluster = theCluster()
const namespace = 'applying'
const log = logTo({ write() {} }, 'silent')
const held = await kubeCluster({ kubeconfig: cluster.kubeconfig('admin'), reads: [], metrics: metricsOf(), log })
const { writer } = held
const { live } = held.readers

beforeAll(async () => expectDone(await cluster.kubectl(['create', 'namespace', namespace])))
afterAll(async () => {
  held.stop()
  await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false'])
})

const service = (name: string, spec: Tree = {}, labels: Record<string, string> = {}): Built => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace, name, labels },
  spec: { clusterIP: 'None', selector: { app: name }, ports: [{ port: 80, protocol: 'TCP', name: 'a' }], ...spec },
})
const begin = writerWith({ live, adopts: ['tarscontroller'] })
const collection = `/api/v1/namespaces/${namespace}/services`
const found = (name: string) => live.get(SERVICE, { namespace, name })
const apply = (object: Built, over?: Found<KubeObject>): Action => ({
  do: 'apply',
  of: SERVICE,
  object,
  because: 'WK-12',
  ...(over && { over }),
})
const managersOf = (object: unknown): readonly string[] => {
  const { metadata } = isTree(object) ? object : {}
  const { managedFields } = isTree(metadata) ? metadata : {}
  const entries = Array.isArray(managedFields) ? managedFields.filter(isTree) : []
  return entries.map(({ manager, operation }) => `${manager} ${operation}`).toSorted()
}

const specOf = (object: unknown): Tree => (isTree(object) && isTree(object.spec) ? object.spec : {})

describe('WK-14 an object that an earlier controller made', () => {
  it.each([
    {
      name: 'taken over',
      maker: 'tarscontroller',
      isKept: false,
      managers: ['kubectl-edit Update', 'tars-controller Apply'],
    },
    {
      name: 'left as it is, made by another',
      maker: 'other',
      isKept: true,
      managers: ['kubectl-edit Update', 'other Update', 'tars-controller Apply'],
    },
  ])('is $name: what it has and the mapping does not', async ({ maker, isKept, managers }) => {
    const object = service(maker, { publishNotReadyAddresses: true }, { team: 'edge' })
    expect(await cluster.request('POST', `${collection}?fieldManager=${maker}`, object)).toMatchObject({ status: 201 })
    const edited = { metadata: { labels: { by: 'hand' } } }
    const edit = `${collection}/${maker}?fieldManager=kubectl-edit`
    await cluster.request('PATCH', edit, edited, { contentType: 'application/merge-patch+json' })

    expect(await begin(writer)(apply(service(maker), await found(maker)))).toMatchObject({ outcome: 'done' })
    const after = await found(maker)
    const kept = isKept ? { by: 'hand', team: 'edge' } : { by: 'hand' }
    expect(after?.metadata.labels).toEqual(kept)
    expect(specOf(after).publishNotReadyAddresses === true).toBe(isKept)
    expect(managersOf(after)).toEqual(managers)
    expect(await begin(writer)(apply(service(maker), after))).toEqual({ outcome: 'needless' })
  })
})

describe('WK-11 a write in a terminating namespace', () => {
  it('is settled', async () => {
    const gone = 'applying-gone'
    const finalized = { metadata: { name: gone, finalizers: ['tars.io/held'] } }
    await cluster.request('POST', '/api/v1/namespaces', finalized)
    await cluster.request('DELETE', `/api/v1/namespaces/${gone}`)
    const { metadata, ...body } = service('late')
    const late = { ...body, metadata: { ...metadata, namespace: gone } }
    for (const action of [apply(late), { do: 'create', of: SERVICE, object: late, because: '' } as const])
      expect(await begin(writer)(action)).toMatchObject({ outcome: 'needless' })
    const release = [{ op: 'remove', path: '/metadata/finalizers' }]
    await cluster.request('PATCH', `/api/v1/namespaces/${gone}`, release, {
      contentType: 'application/json-patch+json',
    })
  })
})

describe('TR-R1 a JSON patch', () => {
  const operations = [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] as const
  const patch = (name: string, expects: Required<Expected>, subresource: 'status' | undefined): Action => ({
    do: 'patch',
    of: SERVICE,
    ref: { namespace, name },
    expects,
    operations,
    because: 'TR-R1',
    ...(subresource && { subresource }),
  })
  const OTHER_UID = '00000000-0000-4000-8000-000000000000'
  it.each<{
    readonly name: string
    readonly expects: Partial<Expected>
    readonly status?: true
    readonly outcome: string
  }>([
    { name: 'for the stored version', expects: {}, outcome: 'done' },
    { name: 'for a stale version', expects: { resourceVersion: '2' }, outcome: 'overtaken' },
    { name: 'for another uid', expects: { uid: OTHER_UID }, outcome: 'gone' },
    { name: 'for another uid and version', expects: { uid: OTHER_UID, resourceVersion: '2' }, outcome: 'overtaken' },
    { name: 'of the status for the stored version', expects: {}, status: true, outcome: 'done' },
    {
      name: 'of the status for a stale version',
      expects: { resourceVersion: '2' },
      status: true,
      outcome: 'overtaken',
    },
    {
      name: 'of the status for another uid and version',
      expects: { uid: OTHER_UID, resourceVersion: '2' },
      status: true,
      outcome: 'overtaken',
    },
    {
      name: 'of the status of a built-in kind for another uid',
      expects: { uid: OTHER_UID },
      status: true,
      outcome: 'gone',
    },
  ])('$name is $outcome', async ({ name, expects, status, outcome }) => {
    const named = name.replaceAll(' ', '-')
    const { metadata } = await writer.create(SERVICE, service(named))
    const { uid = '', resourceVersion = '' } = metadata
    const action = patch(named, { uid, resourceVersion, ...expects }, status && 'status')
    expect(await performed(action, writer)).toMatchObject({ outcome })
    expect((await found(named))?.metadata.uid).toBe(uid)
  })
  it('for an object that is not there is gone', async () => {
    expect(await performed(patch('nowhere', { uid: 'u', resourceVersion: '2' }, undefined), writer)).toMatchObject({
      outcome: 'gone',
    })
  })
})
