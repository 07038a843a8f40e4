import { describe, expect, it } from 'vitest'
import type { TwoStates } from '../../../../../src/reconcile/controller.ts'
import { CONFIG_MAP } from '../../../../../webhooks/nacos/kubernetes.ts'
import { nacosController } from '../../../../../webhooks/nacos/nacos/reconcile/reconcile.ts'
import { plan } from '../../../../../webhooks/nacos/nacos/reconcile/sources.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { clusterOf } from '../../../../support/clusters.ts'
import { KEY, nacosOf, sourceOf } from '../../../../support/nacos-world.ts'
import { settled } from '../../../../support/turns.ts'
import { working } from '../../../../support/working.ts'

const ROLE = 'nacos.io/config-role'
const labelIn = async (cluster: ReturnType<typeof clusterOf>, name: string) =>
  (await cluster.get(CONFIG_MAP, { namespace: 'demo', name }))?.metadata.labels?.[ROLE]

describe('NC-ADM-01 a ConfigMap that a Nacos names', () => {
  it('is labelled, and others are not; without a Nacos the label goes', async () => {
    const other = sourceOf('user', 'x', { metadata: { namespace: 'demo', name: 'other' } })
    const cluster = clusterOf(sourceOf('internal', 'a=1'), sourceOf('user', 'b=2'), other, nacosOf())
    expect((await settled('nacos-sources', cluster)).writes).toEqual(['apply ConfigMap', 'apply ConfigMap'])
    expect(await Promise.all(['internal', 'user', 'other'].map((name) => labelIn(cluster, name)))).toEqual([
      'source',
      'source',
      undefined,
    ])
    expect(await cluster.get(CONFIG_MAP, { namespace: 'demo', name: 'user' })).toMatchObject({
      data: { 'user.properties': 'b=2' },
    })
    expect((await settled('nacos-sources', cluster)).writes).toEqual([])
    await cluster.remove(NACOS, KEY)
    expect((await settled('nacos-sources', cluster)).writes).toEqual(['apply ConfigMap', 'apply ConfigMap'])
    expect(await labelIn(cluster, 'user')).toBeUndefined()
  })

  it('keeps another role', async () => {
    const labels = { [ROLE]: 'final' }
    const final = sourceOf('user', 'b=2', { metadata: { namespace: 'demo', name: 'user', labels } })
    expect((await settled('nacos-sources', clusterOf(final, nacosOf()))).writes).toEqual([])
  })

  it('may have been labelled meanwhile', () => {
    const configMap = { metadata: { name: 'user', labels: { [ROLE]: 'source' } } }
    expect(plan({ configMap, isUsed: true })).toEqual({ actions: [] })
  })
})

describe('NC-WCH-01 of the changes of a Nacos', () => {
  const [own] = nacosController.watches
  const held = { status: { conditions: [{ type: 'ConfigReady', status: 'False', reason: 'KeyMissing' }] } }
  const wokenBy = (change: TwoStates) => own?.wakesOnChange?.(change, () => [])?.at(-1)

  it.each([
    { name: 'another spec', now: nacosOf({}, { generation: 2 }) },
    { name: 'a label', now: nacosOf({}, { labels: { a: 'b' } }) },
    { name: 'an annotation', now: nacosOf({}, { annotations: { a: 'b' } }) },
    { name: 'its end', now: nacosOf({}, { deletionTimestamp: '2026-11-18T12:00:00Z' }) },
    { name: 'another one of its name', now: nacosOf({}, { uid: 'n-2' }) },
    { name: 'a hold, by which all are counted (NC-REC-73)', now: { ...nacosOf(), ...held } },
    { name: 'its removal', now: undefined },
  ])('$name wakes it', ({ now }) => {
    expect(wokenBy({ before: nacosOf(), now })).toEqual(KEY)
  })
  it('its creation wakes it', () => {
    expect(wokenBy({ now: nacosOf() })).toEqual(KEY)
  })
  it.each([{ phase: 'Running' }, { conditions: [{ type: 'Ready', status: 'True', reason: 'Running' }] }])(
    'its status alone does not: %j',
    (status) => {
      const now = { ...nacosOf({}, { resourceVersion: '9' }), status }
      expect(wokenBy({ before: nacosOf(), now })).toBeUndefined()
    },
  )
})

describe('NC-WCH-02, NC-WCH-03, NC-WCH-04, NC-WCH-10 changes wake', () => {
  const [, sets, , configMaps, pods] = nacosController.watches
  const owner = [{ apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'n', uid: 'u', controller: true }]
  const among = { referring: () => [{ namespace: 'demo', name: 'refers' }], all: () => [] }
  const labels = { app: 'n', middleware: 'nacos', component: 'nacos' }

  it.each([
    { name: 'the owner of a StatefulSet', watch: sets, object: { ownerReferences: owner }, keys: ['n'] },
    {
      name: 'the owner of a final, and all that refer to it',
      watch: configMaps,
      object: { ownerReferences: owner },
      keys: ['n', 'refers'],
    },
    { name: 'those that refer to a source', watch: configMaps, object: {}, keys: ['refers'] },
    { name: 'the Nacos of a member', watch: pods, object: { labels }, keys: ['n'] },
    { name: 'nothing for another pod', watch: pods, object: { labels: { app: 'n' } }, keys: [] },
  ])('$name', ({ watch, object, keys }) => {
    const woken = watch?.wakes({ metadata: { name: 'x', namespace: 'demo', ...object } }, among) ?? []
    expect(woken.map(({ name }) => name)).toEqual(keys)
  })

  it('a Nacos refers to its sources', () => {
    const names = nacosController.refersTo(nacosOf()).map(({ key }) => key)
    expect(names).toEqual(['internal', 'user'].map((name) => ({ namespace: 'demo', name })))
  })

  it('NC-WCH-03 the final that it restores wakes it no more', async () => {
    const memory = clusterOf(sourceOf('internal', 'a=1'), sourceOf('user', 'b=2'), nacosOf())
    const { happened } = working([nacosController], { memory })
    await happened()
    const final = { namespace: 'demo', name: 'n-final-config' }
    await memory.merge(CONFIG_MAP, final, { data: { 'application.properties': 'edited=1' } })
    expect(await happened()).toHaveLength(1)
    expect(JSON.stringify(await memory.get(CONFIG_MAP, final))).toContain('a=1')
  })

  it('NC-WCH-12 of ConfigMaps the metadata alone is kept', () => {
    expect(configMaps?.keeps?.fields?.every((field) => field.startsWith('metadata.'))).toBe(true)
  })
})
