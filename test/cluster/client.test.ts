import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, Refused } from '../../src/cluster/port.ts'
import { resource } from '../../src/cluster/resource.ts'
import { map, object, text } from '../../src/schema.ts'
import { GADGET } from '../support/builders/gadget.ts'
import { aGadget } from '../support/builders/gadgets.ts'
import {
  clusterAs,
  configMap,
  control,
  define,
  errorOf,
  kubectl,
  namespace,
  ref,
  request,
  running,
} from './client-cluster.ts'
import { until } from './until.ts'

const CONFIG_MAP = resource(
  { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', scope: 'Namespaced' },
  object({}, { data: map(text({ doc: 'Value.' }), { doc: 'Data.' }) }),
)
const SECRET = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' } as const
/** Nobody else's, and so not defined before this suite defines it. */
const EARLY = { ...GADGET, group: `${namespace}.test.tars.io` }

let cluster: Cluster

beforeAll(async () => {
  await kubectl(['create', 'namespace', namespace])
  cluster = await clusterAs(control.kubeconfig('admin'), [{ resource: CONFIG_MAP, keeps: { byLabels: ['app'] } }])
  await cluster.synced
})
afterAll(async () => {
  for (const each of running) each.stop()
  await kubectl(['delete', 'namespace', namespace, '--wait=false'])
})

describe('writes', () => {
  it('go round, and every field comes back', async () => {
    const { writer, readers } = cluster
    const created = await writer.create(CONFIG_MAP, configMap('round', { a: '1' }))
    expect(created.metadata).toMatchObject({ name: 'round', uid: expect.any(String) })
    const replaced = await writer.replace(CONFIG_MAP, { ...created, data: { a: '2' } })
    expect(replaced).toMatchObject({ data: { a: '2' }, metadata: { uid: created.metadata.uid } })
    const patched = await writer.patch(CONFIG_MAP, ref('round'), [{ op: 'add', path: '/data/b', value: '3' }])
    expect(patched).toMatchObject({ data: { a: '2', b: '3' } })
    expect(await readers.live.get(CONFIG_MAP, ref('round'))).toMatchObject({ data: { a: '2', b: '3' } })
    await writer.remove(CONFIG_MAP, ref('round'))
    expect(await readers.live.get(CONFIG_MAP, ref('round'))).toBeUndefined()
  })

  it('on a version that is not stored any more are a conflict', async () => {
    const first = await cluster.writer.create(CONFIG_MAP, configMap('version', {}))
    await cluster.writer.replace(CONFIG_MAP, { ...first, data: { a: '1' } })
    expect(await errorOf(cluster.writer.replace(CONFIG_MAP, { ...first, data: { a: '2' } }))).toMatchObject({
      code: 'CONFLICT',
      retry: true,
    })
  })

  it('of what exists already are refused', async () => {
    await cluster.writer.create(CONFIG_MAP, configMap('twin', {}))
    const refused = await errorOf(cluster.writer.create(CONFIG_MAP, configMap('twin', {})))
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ status: { code: 409, reason: 'AlreadyExists', details: { name: 'twin' } } })
  })

  it('to what is gone say so', async () => {
    const gone = { code: 'GONE' }
    const away = ref('away')
    expect(await errorOf(cluster.writer.patch(CONFIG_MAP, away, []))).toMatchObject(gone)
    expect(await errorOf(cluster.writer.remove(CONFIG_MAP, away))).toMatchObject(gone)
    const stored = await cluster.writer.create(CONFIG_MAP, configMap('other', {}))
    const another = [{ op: 'replace', path: '/metadata/uid', value: randomUUID() }] as const
    expect(await errorOf(cluster.writer.patch(CONFIG_MAP, ref('other'), another))).toMatchObject(gone)
    await cluster.writer.remove(CONFIG_MAP, ref('other'))
    expect(await errorOf(cluster.writer.replace(CONFIG_MAP, stored))).toMatchObject(gone)
  })

  it('whose patch tests what is not so are refused without a cause', async () => {
    await cluster.writer.create(CONFIG_MAP, configMap('tested', {}))
    const test = [{ op: 'test', path: '/metadata/resourceVersion', value: '1' }] as const
    expect(await errorOf(cluster.writer.patch(CONFIG_MAP, ref('tested'), test))).toMatchObject({
      status: { code: 422, reason: 'Invalid' },
    })
  })

  it('that nobody may make are refused', async () => {
    const eve = await clusterAs(control.kubeconfig('eve'), [])
    expect(await errorOf(eve.writer.create(CONFIG_MAP, configMap('secret', {})))).toMatchObject({
      status: { code: 403, reason: 'Forbidden' },
    })
  })
})

describe('look-ups', () => {
  it('by label are the same from memory and from the API server', async () => {
    await cluster.writer.create(CONFIG_MAP, configMap('echo', {}, { app: 'echo', tier: 'x' }))
    const where = { namespace, labels: { app: 'echo', tier: 'x' } }
    await until('it is in memory', async () => (await cluster.readers.cached.list(CONFIG_MAP, where)).length === 1, {
      seconds: 1,
    })
    const [inMemory] = await cluster.readers.cached.list(CONFIG_MAP, where)
    const [live] = await cluster.readers.live.list(CONFIG_MAP, where)
    expect(live).toMatchObject({ metadata: { name: 'echo', resourceVersion: inMemory?.metadata.resourceVersion } })
    expect(await cluster.readers.live.list(CONFIG_MAP, { namespace, labels: { app: 'none' } })).toEqual([])
  })

  it('find what kubectl wrote within a second, and miss what it deleted within another', async () => {
    const { cached } = cluster.readers
    expect(await kubectl(['create', 'configmap', 'written', '-n', namespace])).toMatchObject({ code: 0 })
    await until('it is in memory', async () => (await cached.get(CONFIG_MAP, ref('written'))) !== undefined, {
      seconds: 1,
    })
    expect(await kubectl(['delete', 'configmap', 'written', '-n', namespace])).toMatchObject({ code: 0 })
    await until('it is gone', async () => (await cached.get(CONFIG_MAP, ref('written'))) === undefined, { seconds: 1 })
  })

  it('read more than a page', async () => {
    const count = 1_100
    const create = (i: number) => cluster.writer.create(CONFIG_MAP, configMap(`many-${i}`, {}, { app: 'many' }))
    for (let i = 0; i < count; i += 50) await Promise.all(Array.from({ length: 50 }, (_, j) => create(i + j)))
    const where = { namespace, labels: { app: 'many' } }
    expect(await cluster.readers.live.list(CONFIG_MAP, where)).toHaveLength(count)
    const other = await clusterAs(control.kubeconfig('admin'), [{ resource: CONFIG_MAP, keeps: { byLabels: ['app'] } }])
    await other.synced
    expect(await other.readers.cached.list(CONFIG_MAP, where)).toHaveLength(count)
    other.stop()
  })

  it('of metadata alone find the same, and nothing else', async () => {
    const reads = [{ resource: CONFIG_MAP, keeps: { byLabels: ['app'], fields: [] } }] as const
    const lean = await clusterAs(control.kubeconfig('admin'), reads)
    await cluster.writer.create(CONFIG_MAP, configMap('lean', { a: '1' }, { app: 'lean' }))
    await lean.synced
    const found = () => lean.readers.cached.list(CONFIG_MAP, { namespace, labels: { app: 'lean' } })
    await until('the first is in memory', async () => (await found()).length === 1, { seconds: 1 })
    await cluster.writer.create(CONFIG_MAP, configMap('later', { a: '1' }, { app: 'lean' }))
    await until('the second is told', async () => (await found()).length === 2, { seconds: 1 })
    expect(JSON.stringify(await found())).not.toContain('"data"')
    expect(await lean.readers.live.get(CONFIG_MAP, ref('lean'))).toMatchObject({ data: { a: '1' } })
    await cluster.writer.remove(CONFIG_MAP, ref('later'))
    await until('its end is told', async () => (await found()).length === 1, { seconds: 1 })
    lean.stop()
  })

  it('without rights are a fault that may pass, and say what was asked', async () => {
    const eve = await clusterAs(control.kubeconfig('eve'), [])
    const what = `cannot list configmaps in ${namespace}: the API server answers 403 Forbidden`
    expect(await errorOf(eve.readers.live.list(CONFIG_MAP, { namespace }))).toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      retry: true,
      message: what,
    })
  })

  it('of a kind that is not defined find nothing; once it is defined they find what there is', async () => {
    const early = await clusterAs(control.kubeconfig('admin'), [{ resource: EARLY, keeps: {} }])
    await early.synced
    expect(await early.readers.live.list(EARLY, { namespace })).toEqual([])
    expect(await early.readers.live.get(EARLY, ref('g'))).toBeUndefined()
    await define(EARLY)
    await until('a gadget is stored', async () => {
      const gadget = { ...aGadget(), apiVersion: `${EARLY.group}/v1`, metadata: { name: 'g' } }
      const { status } = await request('POST', `/apis/${EARLY.group}/v1/namespaces/${namespace}/gadgets`, gadget)
      return status === 201
    })
    await until('it is in memory', async () => (await early.readers.cached.get(EARLY, ref('g'))) !== undefined, {
      seconds: 31,
    })
  })
})

describe('following one object', () => {
  it('needs no right to list, and tells of each change', async () => {
    const reported = await followedBy('follower')
    await until('nothing is told', () => reported.length === 1)
    await kubectl(['create', 'secret', 'generic', 'pair', '-n', namespace, '--from-literal=a=1'])
    await until('it is told', () => reported.length === 2, { seconds: 1 })
    await kubectl(['label', 'secret', 'pair', '-n', namespace, 'app=echo'])
    await until('the change is told', () => reported.length === 3, { seconds: 1 })
    await kubectl(['delete', 'secret', 'pair', '-n', namespace])
    await until('the end is told', () => reported.length === 4, { seconds: 1 })
    expect(reported).toMatchObject([undefined, { a: 'MQ==' }, { a: 'MQ==' }, undefined])
  })

  async function followedBy(account: string): Promise<unknown[]> {
    const rights = ['--verb=get,watch', '--resource=secrets', '--resource-name=pair']
    const subject = `--serviceaccount=${namespace}:${account}`
    await kubectl(['create', 'serviceaccount', account, '-n', namespace])
    await kubectl(['create', 'role', account, '-n', namespace, ...rights])
    await kubectl(['create', 'rolebinding', account, '-n', namespace, `--role=${account}`, subject])
    const follower = await clusterAs(await control.kubeconfigFor({ namespace, name: account }), [])
    const reported: unknown[] = []
    follower.watcher.follow(SECRET, ref('pair'), (secret) => void reported.push(secret?.data))
    return reported
  }
})

describe('an API server', () => {
  it('that hangs is not waited for, and memory goes on answering', async () => {
    const hasty = await clusterAs(
      control.kubeconfig('admin'),
      [{ resource: CONFIG_MAP, keeps: { byLabels: ['app'] } }],
      500,
    )
    await hasty.synced
    await control.pauseApiServer()
    try {
      expect(await hasty.readers.cached.get(CONFIG_MAP, ref('kube-root-ca.crt'))).toBeDefined()
      expect(await errorOf(hasty.readers.live.get(CONFIG_MAP, ref('kube-root-ca.crt')))).toMatchObject({
        code: 'CLUSTER_UNREACHABLE',
        retry: true,
      })
    } finally {
      control.resumeApiServer()
    }
    await until('it answers again', async () =>
      Boolean(await hasty.readers.live.get(CONFIG_MAP, ref('kube-root-ca.crt'))),
    )
    hasty.stop()
  })

  it('that is started anew is found again within five seconds, and nothing is missed', async () => {
    const { cached, live } = cluster.readers
    const before = listsOfAll()
    expect(before).toBeGreaterThan(0)
    const restarted = control.restartApiServer()
    await until('it is down', async () => (await errorOf(live.get(CONFIG_MAP, ref('x')))) !== undefined)
    expect(await cached.get(CONFIG_MAP, ref('kube-root-ca.crt'))).toBeDefined()
    await restarted
    await request('POST', `/api/v1/namespaces/${namespace}/configmaps`, configMap('after', {}))
    await until('it is in memory', async () => (await cached.get(CONFIG_MAP, ref('after'))) !== undefined, {
      seconds: 5,
    })
    expect(listsOfAll() - before).toBeLessThanOrEqual(1)
  })

  /** As only a cache begins one: of every namespace. */
  function listsOfAll(): number {
    const lines = readFileSync(control.auditLog, 'utf8').split('\n').filter(Boolean)
    const calls = lines.map((line) => JSON.parse(line)).filter(({ userAgent }) => userAgent === 'tars-admission')
    return calls.filter(({ requestURI }) => /^\/api\/v1\/configmaps\?limit=[15]00$/.test(requestURI)).length
  }
})
