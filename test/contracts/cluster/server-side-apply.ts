import { expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { driftIn } from '../../../src/kube/drift.ts'
import type { Tree } from '../../../src/schema.ts'
import { SERVICE, STATEFULSET } from '../../../webhooks/tars/workloads.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'

const MANAGER = { manager: 'tars-controller' }
const SELECTOR = { app: 'one' }
const LABELS = { team: 'edge', tier: 'low' }
const port = (name: string, number: number, protocol = 'TCP') => ({ name, port: number, targetPort: number, protocol })

/** Server-side apply, as the worker writes (WK-12, WR-3). */
export function serverSideApply({ cluster, namespace, at, gadget, stored }: Bench): void {
  const service = (spec: Tree = {}, metadata: Tree = {}): Built => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...at('one'), labels: LABELS, ...metadata },
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      sessionAffinity: 'None',
      selector: SELECTOR,
      ports: [port('a', 80), port('a-udp', 80, 'UDP')],
      ...spec,
    },
  })
  const main = { name: 'main', image: 'a' }
  const workload = (spec: Tree): Built => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: at('one'),
    spec: {
      replicas: 0,
      serviceName: 'one',
      selector: { matchLabels: SELECTOR },
      template: { metadata: { labels: SELECTOR }, spec: { containers: [main], ...spec } },
    },
  })
  const apply = (object: Built) =>
    cluster().apply(
      object.kind === 'Service' ? SERVICE : object.kind === 'Gadget' ? GADGET : STATEFULSET,
      object,
      MANAGER,
    )
  const services = async () => cluster().get(SERVICE, at('one'))
  const podSpec = async () => JSON.parse(JSON.stringify(await cluster().get(STATEFULSET, at('one')))).spec.template.spec
  const namesIn = (items: readonly Tree[]) => items.map(({ name }) => name)
  const patched = (path: string, value: unknown, op: 'add' | 'replace' = 'add') =>
    cluster().patch(STATEFULSET, at('one'), [{ op, path: `/spec/template/spec${path}`, value }])

  it('WK-12 creates with resourceVersion "1" what is absent', async () => {
    const { metadata } = await apply(service({}, { resourceVersion: '1' }))
    expect(metadata).toMatchObject({ uid: expect.any(String), labels: LABELS })
    expect(driftIn(service(), await services())).toBeUndefined()
  })
  it('WK-4 stores every character as it is sent, though an API server reads it as YAML', async () => {
    const value = 'a\u007f\u0085\u009f\u2028\u2029\ufeff\ufffe\uffff\u{1f600}\t\\"z'
    await apply(workload({ containers: [{ ...main, env: [{ name: 'A', value }] }] }))
    expect((await podSpec()).containers[0].env).toEqual([{ name: 'A', value }])
  })
  it('WK-12 is a conflict with resourceVersion "1" for what is present, and changes nothing', async () => {
    const { metadata } = await cluster().create(SERVICE, service())
    await expect(apply(service({ type: 'NodePort' }, { resourceVersion: '1' }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await services()).toMatchObject({ metadata: { resourceVersion: metadata.resourceVersion } })
  })
  it('WK-12 creates once of eight at once', async () => {
    const all = Array.from({ length: 8 }, () => apply(service({}, { resourceVersion: '1' })))
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'CONFLICT' })
  })
  it('WK-12 is a conflict with an older version', async () => {
    const { metadata } = await apply(service())
    await apply(service({ selector: { app: 'two' } }))
    await expect(apply(service({}, { resourceVersion: metadata.resourceVersion }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })
  it('WK-12 creates what is gone, with any version of it', async () => {
    const resourceVersion = '999999'
    expect(await apply(service({}, { resourceVersion }))).toMatchObject({ metadata: { uid: expect.any(String) } })
    expect(await apply(gadget('one', {}, { resourceVersion }))).toMatchObject({ metadata: { uid: expect.any(String) } })
  })

  it('WR-3 an unchanged apply stores nothing', async () => {
    const first = await apply(service())
    const { resourceVersion } = first.metadata
    expect((await apply(service({}, { resourceVersion }))).metadata.resourceVersion).toBe(resourceVersion)
  })
  it('WR-3 drift is repaired', async () => {
    await apply(service())
    await cluster().patch(SERVICE, at('one'), [
      { op: 'replace', path: '/spec/ports/0/targetPort', value: 81 },
      { op: 'add', path: '/spec/selector/more', value: 'x' },
      { op: 'remove', path: '/metadata/labels/tier' },
    ])
    expect(driftIn(service(), await services())).toBeDefined()
    await apply(service())
    expect(driftIn(service(), await services())).toBeUndefined()
  })
  it('WR-3 a field that is left out is removed, and what others set stays', async () => {
    await apply(service({ publishNotReadyAddresses: true }))
    await cluster().merge(SERVICE, at('one'), { metadata: { labels: { other: 'x' }, annotations: { note: 'x' } } })
    await apply(service({}, { labels: { team: 'edge' } }))
    const { metadata, ...body } = (await services()) ?? { metadata: undefined }
    expect(metadata).toMatchObject({ labels: { team: 'edge', other: 'x' }, annotations: { note: 'x' } })
    expect(metadata).not.toHaveProperty('labels.tier')
    expect(body).not.toHaveProperty('spec.publishNotReadyAddresses')
  })
  it('WR-3 what another manager wrote first is not removed when it is left out', async () => {
    const { metadata } = await cluster().create(SERVICE, service())
    expect((await apply(service())).metadata.resourceVersion).not.toBe(metadata.resourceVersion)
    await apply(service({}, { labels: { team: 'edge' } }))
    expect(await services()).toMatchObject({ metadata: { labels: LABELS } })
  })
  it('WR-3 an item of a keyed list that is left out is removed', async () => {
    await apply(service())
    await apply(service({ ports: [port('a', 80)] }))
    expect(JSON.parse(JSON.stringify(await services())).spec.ports).toMatchObject([port('a', 80)])
    expect(JSON.parse(JSON.stringify(await services())).spec.ports).toHaveLength(1)
  })

  it('WR-3 items of others stay, and ours follow the order of the body', async () => {
    const volumes = ['a', 'b', 'c'].map((name) => ({ name, emptyDir: {} }))
    await apply(workload({ volumes }))
    await patched('/volumes/1', { name: 'x', emptyDir: {} })
    await patched('/containers/-', { name: 'sidecar', image: 'x' })
    await patched('/containers/0/env', [{ name: 'X', value: 'x' }])
    await apply(
      workload({ volumes: volumes.toReversed(), containers: [{ ...main, env: [{ name: 'A', value: 'a' }] }] }),
    )
    const { containers, ...spec } = await podSpec()
    expect(namesIn(spec.volumes).filter((name) => name !== 'x')).toEqual(['c', 'b', 'a'])
    expect(namesIn(spec.volumes)).toContain('x')
    expect(namesIn(containers)).toEqual(['main', 'sidecar'])
    expect(namesIn(containers[0].env).toSorted()).toEqual(['A', 'X'])
  })
  it('WR-3 a reorder by hand is repaired', async () => {
    const volumes = ['a', 'b', 'c'].map((name) => ({ name, emptyDir: {} }))
    await apply(workload({ volumes }))
    await patched('/volumes', volumes.toReversed(), 'replace')
    await apply(workload({ volumes }))
    expect(namesIn((await podSpec()).volumes)).toEqual(['a', 'b', 'c'])
  })
  it('WR-3 a new item stands where the body has it', async () => {
    const volume = (name: string) => ({ name, emptyDir: {} })
    await apply(workload({ volumes: ['a', 'b', 'c'].map(volume) }))
    await patched('/volumes/1', volume('x'))
    await apply(workload({ volumes: ['c', 'd', 'b', 'a', 'e'].map(volume) }))
    expect(namesIn((await podSpec()).volumes)).toEqual(['x', 'c', 'd', 'b', 'a', 'e'])
  })
  it('WR-3 an item of ours that is left out goes', async () => {
    const sidecar = { name: 'sidecar', image: 'x' }
    await apply(workload({ containers: [main, { ...sidecar, env: [{ name: 'A', value: 'a' }] }] }))
    await apply(workload({}))
    expect(namesIn((await podSpec()).containers)).toEqual(['main'])
  })
  it('WR-3 an item of ours that is left out goes with what others set in it', async () => {
    await apply(workload({ volumes: [{ name: 'a', emptyDir: { sizeLimit: '1Gi' } }] }))
    await patched('/volumes/0/emptyDir/medium', 'Memory')
    await apply(workload({}))
    expect(await podSpec()).not.toHaveProperty('volumes')
  })
  it('WR-3 a field of ours that others have changed belongs to them until it is applied again', async () => {
    await apply(service())
    await cluster().merge(SERVICE, at('one'), { metadata: { labels: { team: 'core', tier: 'high' } } })
    await apply(service({}, { labels: { team: 'edge' } }))
    expect((await services())?.metadata.labels).toEqual({ team: 'edge', tier: 'high' })
    await apply(service({}, { labels: {} }))
    expect((await services())?.metadata.labels).toEqual({ tier: 'high' })
  })
  it('WR-3 an atomic list is replaced as a whole', async () => {
    const gates = (...types: readonly string[]) => types.map((conditionType) => ({ conditionType }))
    await apply(workload({ readinessGates: gates('tars.io/active') }))
    await patched('/readinessGates/-', { conditionType: 'tars.io/other' })
    await apply(workload({ readinessGates: gates('tars.io/active') }))
    expect((await podSpec()).readinessGates).toEqual(gates('tars.io/active'))
    await apply(workload({}))
    expect(await podSpec()).not.toHaveProperty('readinessGates')
  })
  it.each([
    {
      list: 'env',
      container: {
        env: [
          { name: 'A', value: 'a' },
          { name: 'A', value: 'b' },
        ],
      },
    },
    {
      list: 'ports',
      container: {
        ports: [
          { containerPort: 80, name: 'a' },
          { containerPort: 80, name: 'b', protocol: 'TCP' },
        ],
      },
    },
  ])('WK-13 two items of one key in $list are 500', async ({ container }) => {
    const refused = { status: { code: 500, message: expect.stringContaining('failed to create typed patch object') } }
    await expect(apply(workload({ containers: [{ ...main, ...container }] }))).rejects.toMatchObject({
      code: 'CLUSTER_UNREACHABLE',
      cause: refused,
    })
    expect(await cluster().get(STATEFULSET, at('one'))).toBeUndefined()
  })
  it('WK-4 of two stored items of our key an apply leaves one', async () => {
    const env = [
      { name: 'A', value: 'a' },
      { name: 'A', value: 'b' },
    ]
    await cluster().create(STATEFULSET, workload({ containers: [{ ...main, env }] }))
    await apply(workload({ containers: [{ ...main, env: [{ name: 'A', value: 'c' }] }] }))
    expect((await podSpec()).containers[0].env).toEqual([{ name: 'A', value: 'c' }])
  })
  it('applies an object of a kind of ours, whose lists are atomic', async () => {
    await apply(gadget('one', { tags: ['a', 'b'], owner: 'ann' }))
    await cluster().merge(GADGET, at('one'), { spec: { tags: ['a', 'b', 'c'], note: 'x' } })
    await apply(gadget('one', { tags: ['b'] }))
    expect(await stored('one')).toMatchObject({
      metadata: { namespace: namespace() },
      spec: { tags: ['b'], note: 'x' },
    })
    expect(await stored('one')).not.toHaveProperty('spec.owner')
  })
}
