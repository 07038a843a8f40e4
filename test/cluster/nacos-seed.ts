import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { driftsIn } from '../../src/kube/drift.ts'
import { type NacosStage, nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

const INTERNAL = [
  '# Internal core parameters',
  'server.port=8848',
  'server.servlet.contextPath=/nacos',
  'nacos.core.auth.enabled=true',
]
const DISTRO = 'nacos.naming.distro.taskDispatchThreadCount=10'
const PUBLIC = ['nacos.console.ui.enabled=true', 'nacos.core.param.check.enabled=true']
const exposing = (list: string) => `management.endpoints.web.exposure.include=${list}`
const lines = (...all: readonly string[]) => all.join('\n')

export function testsOfTheSeed({ place: { apply, seen, running, pods } }: NacosStage): void {
  it('NC-TST-01 two sources are merged, mounted and rolled out', async () => {
    const user = lines('# User configurable parameters', ...PUBLIC, exposing('health,info,prometheus'))
    await apply(
      sourceOf('internal', 'merge', lines(...INTERNAL, DISTRO)),
      sourceOf('user', 'merge', user),
      nacosOf('merge'),
    )
    await until('a phase', async () => (await seen('merge')).phase !== undefined)
    await running('merge')
    const found = await seen('merge')
    expect(found).toMatchObject({
      bytes: 387,
      textDigest: 'd1783137d55252b4',
      digest: 'd1783137d55252b4',
      generation: 1,
    })
    expect(found.status).toMatchObject({ configDigest: 'd1783137d55252b4', readyReplicas: 3, healthy: true })
    for (const pod of await pods('merge'))
      expect(pod.spec).toMatchObject({ volumes: expect.arrayContaining([expect.objectContaining({ name: 'config' })]) })
    expect(await pods('merge')).toHaveLength(3)
  }, 180_000)

  it('NC-TST-02 a source that changes is rolled out once, one member after the other', async () => {
    const version = (name: string, value: boolean, list: string) =>
      lines(
        `# User configurable parameters - Version ${name}`,
        ...PUBLIC.map((each) => each.replace('true', String(value))),
        exposing(list),
      )
    await apply(
      sourceOf('internal', 'roll', lines(...INTERNAL)),
      sourceOf('user', 'roll', version('1', true, 'health,info')),
      nacosOf('roll', {}, { annotations: { 'nacos.io/config-settle-seconds': '2' } }),
    )
    await running('roll', '3f346e9c2f5179d9')
    expect(await seen('roll')).toMatchObject({ bytes: 341, digest: '3f346e9c2f5179d9', generation: 1 })
    await apply(sourceOf('user', 'roll', version('2 (UPDATED)', false, 'health,info,prometheus,metrics')))
    await until('it settles', async () => (await seen('roll')).reasons.RolloutComplete === 'Settling')
    await until('it updates', async () => (await seen('roll')).phase === 'Updating')
    await running('roll', '4020c58fc30fe5f8')
    const found = await seen('roll')
    expect(found).toMatchObject({ bytes: 372, digest: '4020c58fc30fe5f8', generation: 2 })
    expect(found.text).toContain('nacos.console.ui.enabled=false')
    expect(found.status.configDigest).toBe('4020c58fc30fe5f8')
  }, 180_000)
}

const GIVEN = 'test/fixtures/nacos-children/usage.given.yaml'
const PATHS: Readonly<Record<string, string>> = {
  StatefulSet: '/apis/apps/v1',
  Service: '/api/v1',
  ConfigMap: '/api/v1',
}

export function usageGuide({ suite: { cluster } }: NacosStage): void {
  const here = '--namespace=default'
  const printed = async (...args: readonly string[]) => {
    const result = await cluster.kubectl([...args, here])
    expectDone(result)
    return result.stdout
  }
  const digest = () => printed('get', 'nacos', 'my-nacos', '-o', 'jsonpath={.status.configDigest}')

  it('prints what it says, and the children are those of the worked example', async () => {
    expectDone(await cluster.kubectl(['apply', '-f', GIVEN]))
    const usual = nacosIn(cluster, 'default')
    await usual.running('my-nacos', '0a636216853f632b')
    expect(await digest()).toBe('0a636216853f632b')
    const annotations = 'jsonpath={.spec.template.metadata.annotations}'
    expect(JSON.parse(await printed('get', 'statefulset', 'my-nacos', '-o', annotations))).toEqual({
      'nacos.io/config-digest': '0a636216853f632b',
    })
    expect(await printed('rollout', 'status', 'statefulset', 'my-nacos')).toContain('3 pods')
    const columns = (await printed('get', 'nacos', 'my-nacos')).trim().split(/\s{2,}|\n/)
    expect(columns).toEqual(
      expect.arrayContaining(['REPLICAS', 'READY', 'my-nacos', '3', 'Running', 'cluster', 'true']),
    )
    const uid = await printed('get', 'nacos', 'my-nacos', '-o', 'jsonpath={.metadata.uid}')
    const example = readFileSync('test/fixtures/nacos-children/usage.wanted.yaml', 'utf8')
    const wanted = example.replaceAll('UID', uid).replace('minReadySeconds: 10', 'minReadySeconds: 1')
    for (const each of parseAllDocuments(wanted).map((document) => document.toJS())) {
      const path = `${PATHS[each.kind]}/namespaces/default/${each.kind.toLowerCase()}s/${each.metadata.name}`
      expect(driftsIn(each, (await cluster.request('GET', path)).body)).toEqual([])
    }
    const edit = (await printed('get', 'configmap', 'nacos-user-config', '-o', 'json')).replace(
      'ui.enabled=true',
      'ui.enabled=false',
    )
    expectDone(await cluster.kubectl(['replace', '-f', '-'], { stdin: edit }))
    await until('the edit is out', async () => (await digest()) !== '0a636216853f632b')
    await usual.running('my-nacos', await digest())
    expectDone(await cluster.kubectl(['delete', '-f', GIVEN]))
  }, 180_000)
}
