import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { isTree, type Tree } from '../../../../src/schema.ts'
import { guards } from '../../../../webhooks/tars/guards/kind.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aPort, aRelease, aTServer } from '../../../support/builders/servers.ts'
import { readerOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { mapped } from '../../../support/mapped.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const KUBE = 'system:serviceaccount:kube-system:statefulset-controller'
const RUN = aTServer({ release: aRelease(), k8s: { replicas: 2 } })
const DAEMON = aTServer({ release: aRelease(), k8s: { daemonSet: true } })
const CONFIG = aTFrameworkConfig()

interface Around extends Sent {
  readonly there?: readonly Built[]
}
/** What the webhook answers to an update, and what it looked up. */
async function answerTo(prev: Built, next: Built, { there = [RUN, CONFIG], ...sent }: Around = {}) {
  const resource = guards.map((kind) => kind.resource).find(({ kind }) => kind === next.kind)
  if (resource === undefined) throw new Error(`${next.kind} is not guarded`)
  const live = readerOf(...there)
  const readers = { cached: UNREACHABLE, live }
  const answer = wordsOf(await answered(VALIDATING, reviewsOf(resource).updateOf(prev, next, sent), { readers }))
  return { answer, reads: live.reads }
}
const made = (kind: string, server = RUN): Built => mapped(server, { config: undefined })[kind] ?? server
const [SET, SERVICE] = [made('StatefulSet'), made('Service')]

/** JSON merge patch, but that a list takes items by their index. */
function patched(value: unknown, patch: unknown): unknown {
  if (!isTree(patch)) return patch
  const fields = new Map(Object.entries(Array.isArray(value) || isTree(value) ? value : {}))
  for (const [key, part] of Object.entries(patch)) {
    if (part === null) fields.delete(key)
    else fields.set(key, patched(fields.get(key), part))
  }
  return Array.isArray(value) ? [...fields.values()] : Object.fromEntries(fields)
}
function over(object: Built, patch: Tree): Built {
  const changed = patched(object, patch)
  return isTree(changed) ? { ...object, ...changed } : object
}
const refused = (path: string) => `403 Forbidden: ${path}: is managed by TServer demo/demo-echo; change it there (GW-2)`
const template = (fields: Tree) => ({ spec: { template: fields } })
const container = (fields: Tree) => template({ spec: { containers: { 0: fields } } })

describe('GW-2 a StatefulSet', () => {
  it.each([
    { field: 'spec.template.spec.containers[0].image', patch: container({ image: 'other' }) },
    { field: 'spec.replicas', patch: { spec: { replicas: 7 } } },
    { field: 'spec.replicas', patch: { spec: { replicas: null } } },
    { field: 'metadata.labels[tars.io/ServerApp]', patch: { metadata: { labels: { 'tars.io/ServerApp': null } } } },
    { field: 'metadata.labels[tars.io/ServerName]', patch: { metadata: { labels: { 'tars.io/ServerName': 'Mine' } } } },
    { field: 'metadata.ownerReferences[0]', patch: { metadata: { ownerReferences: null } } },
    {
      field: 'spec.template.metadata.labels[tars.io/ServerID]',
      patch: template({ metadata: { labels: { 'tars.io/ServerID': 'r0' } } }),
    },
    { field: 'spec.template.spec.initContainers[0]', patch: template({ spec: { initContainers: [] } }) },
  ])('does not change in what its TServer manages: $field', async ({ field, patch }) => {
    const changed = over(SET, patch)
    expect(await answerTo(SET, changed)).toMatchObject({ answer: refused(field) })
    expect(await answerTo(SET, changed, { dryRun: true })).toMatchObject({ answer: refused(field) })
    for (const user of [CTRL, KUBE])
      expect(await answerTo(SET, changed, { user })).toEqual({ answer: 'allowed', reads: [] })
  })

  it('names all fields at once', async () => {
    const { answer } = await answerTo(SET, over(over(SET, container({ image: 'other' })), { spec: { replicas: 7 } }))
    expect(answer).toContain('spec.template.spec.containers[0].image: is managed by')
    expect(answer).toContain('spec.replicas: is managed by')
  })

  const restartedAt = { 'kubectl.kubernetes.io/restartedAt': '2026-11-18T12:00:00Z' }
  it.each([
    { name: 'annotations of its template', patch: template({ metadata: { annotations: restartedAt } }) },
    { name: 'labels of others', patch: { metadata: { labels: { mine: 'kept' } } } },
    { name: 'containers of others', patch: template({ spec: { containers: { 1: { name: 'sidecar', image: 'a' } } } }) },
    { name: 'fields that the mapping leaves absent', patch: template({ spec: { priorityClassName: 'high' } }) },
    {
      name: 'owners beside its own',
      patch: { metadata: { ownerReferences: { 1: { uid: 'x', kind: 'A', name: 'a', apiVersion: 'b/v1' } } } },
    },
  ])('may change in $name', async ({ patch }) => {
    expect(await answerTo(SET, over(SET, patch))).toMatchObject({ answer: 'allowed' })
  })

  it('may change in annotations, and its status, and its mapping is not looked up', async () => {
    const applied = over(SET, { metadata: { annotations: { 'tars.io/Applied': 'x' } } })
    expect(await answerTo(SET, applied)).toEqual({ answer: 'allowed', reads: ['get TServer demo/demo-echo'] })
    const status = over(SET, { status: { replicas: 2 } })
    expect(await answerTo(SET, status, { there: [] })).toEqual({ answer: 'allowed', reads: [] })
  })

  it('may be brought back, and keeps what differed before (CV-8)', async () => {
    const drifted = over(over(SET, container({ image: 'other' })), { spec: { replicas: 7 } })
    expect(await answerTo(drifted, SET)).toMatchObject({ answer: 'allowed' })
    expect(await answerTo(drifted, over(drifted, { spec: { replicas: 2 } }))).toMatchObject({ answer: 'allowed' })
    const again = container({ image: 'third' })
    expect((await answerTo(drifted, over(drifted, again))).answer).toBe(
      refused('spec.template.spec.containers[0].image'),
    )
  })

  it('is compared with what the settings and the TFrameworkConfig make of its TServer', async () => {
    const idle = aTServer()
    const set = mapped(idle, { config: undefined }).StatefulSet ?? SET
    const nodeImage = (image: string) => over(set, template({ spec: { initContainers: { 0: { image } } } }))
    const there = { there: [idle, CONFIG] }
    expect(await answerTo(set, nodeImage('tarscloud/tars.tarsnode:v1'), there)).toMatchObject({ answer: 'allowed' })
    expect((await answerTo(set, nodeImage('other'), there)).answer).toBe(
      refused('spec.template.spec.initContainers[0].image'),
    )
  })

  it.each([
    { name: 'its TServer became a DaemonSet', there: [DAEMON] },
    { name: 'its TServer is of a shape that nobody knows', there: [over(RUN, { spec: { app: null } })] },
  ])('is nobody’s where $name', async ({ there }) => {
    expect(await answerTo(SET, over(SET, { spec: { replicas: 7 } }), { there })).toMatchObject({ answer: 'allowed' })
  })
})

describe('GW-2', () => {
  it('holds for a Service and a DaemonSet as well', async () => {
    const ports = over(SERVICE, { spec: { ports: { 0: { targetPort: 1 } } } })
    expect((await answerTo(SERVICE, ports)).answer).toBe(refused('spec.ports[0].targetPort'))
    const set = made('DaemonSet', DAEMON)
    const faster = over(set, { spec: { minReadySeconds: 0 } })
    expect((await answerTo(set, faster, { there: [DAEMON] })).answer).toBe(refused('spec.minReadySeconds'))
  })

  it('PATCH-API-4 holds for node patches with the marker of a TServer, and not for those set by hand', async () => {
    const annotated = (annotations: Readonly<Record<string, string | null>>) => ({ metadata: { annotations } })
    const [list, source] = ['daemonset.kruise.io/patches', 'daemonset.kruise.io/patches-source']
    const patching = over(DAEMON, annotated({ [list]: '[]' }))
    const copied = made('DaemonSet', patching)
    for (const value of ['[{}]', null])
      expect((await answerTo(copied, over(copied, annotated({ [list]: value })), { there: [patching] })).answer).toBe(
        refused(`metadata.annotations[${list}]`),
      )
    expect((await answerTo(copied, over(copied, annotated({ [source]: null })), { there: [patching] })).answer).toBe(
      refused(`metadata.annotations[${source}]`),
    )
    const plain = made('DaemonSet', DAEMON)
    const byHand = over(plain, annotated({ [list]: '[{}]' }))
    expect((await answerTo(plain, byHand, { there: [DAEMON] })).answer).toBe('allowed')
    expect((await answerTo(byHand, over(byHand, annotated({ [list]: null })), { there: [DAEMON] })).answer).toBe(
      'allowed',
    )
  })

  it('holds for what a write of the status brings along', async () => {
    const bare = over(SET, { metadata: { ownerReferences: null } })
    const { answer } = await answerTo(SET, bare, { subResource: 'status' })
    expect(answer).toBe(refused('metadata.ownerReferences[0]'))
  })

  it('is linear in what authors write', async () => {
    const ports = Array.from({ length: 10_000 }, (_, at) => ({ name: `p${at}`, containerPort: 1 + at }))
    const large = over(SET, container({ ports }))
    const server = aTServer({ normal: [aPort()], release: aRelease() })
    const started = performance.now()
    await answerTo(large, over(large, { spec: { replicas: 7 } }), { there: [server] })
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('GW-3 an object whose TServer does not exist', () => {
  const REFUSED =
    '403 Forbidden: metadata.ownerReferences: its controller, TServer demo/demo-echo, does not exist; ' +
    'take the reference away first, or leave the object to the garbage collector (GW-3)'
  const gone = { there: [] }
  const annotated = over(SET, { metadata: { annotations: { a: 'b' } } })

  it('does not change while it is controlled by one', async () => {
    expect((await answerTo(SET, annotated, gone)).answer).toBe(REFUSED)
    expect((await answerTo(SET, over(SET, { spec: { replicas: 7 } }), gone)).answer).toBe(REFUSED)
    for (const user of [CTRL, KUBE]) expect((await answerTo(SET, annotated, { ...gone, user })).answer).toBe('allowed')
  })

  const free = over(SET, { metadata: { ownerReferences: null } })
  const leaving = over(SET, { metadata: { deletionTimestamp: '2026-11-18T12:00:00Z' } })
  const owners = (owner: Tree) => over(SET, { metadata: { ownerReferences: { 0: owner } } })
  it.each([
    { name: 'it is let go', prev: SET, next: free },
    { name: 'it has no controller', prev: free, next: over(free, { spec: { replicas: 7 } }) },
    { name: 'its owner is no controller', prev: SET, next: owners({ controller: null }) },
    {
      name: 'its controller is of another kind',
      prev: SET,
      next: owners({ apiVersion: 'apps/v1', kind: 'ReplicaSet' }),
    },
    { name: 'it is terminating', prev: leaving, next: over(leaving, { spec: { replicas: 7 } }) },
    {
      name: 'nothing of it changes',
      prev: SET,
      next: over(SET, { metadata: { managedFields: [], generation: 2 }, status: {} }),
    },
  ])('passes where $name', async ({ prev, next }) => {
    expect((await answerTo(prev, next, gone)).answer).toBe('allowed')
  })

  it('passes where its TServer is there', async () => {
    expect((await answerTo(SET, annotated)).answer).toBe('allowed')
  })
})
