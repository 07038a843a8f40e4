import { expect, it } from 'vitest'
import { type NacosStage, nacosOf, sourceOf } from './nacos-workplace.ts'
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

export function testsOfTheSeed({ place: { apply, seen, running, pods, says } }: NacosStage): void {
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
    const waits = '4020c58fc30fe5f8 waits until the sources are quiet'
    await until('it settles', async () => (await seen('roll')).messages.RolloutComplete === waits)
    await until('it updates', async () => (await seen('roll')).phase === 'Updating')
    await running('roll', '4020c58fc30fe5f8')
    const found = await seen('roll')
    expect(found).toMatchObject({ bytes: 372, digest: '4020c58fc30fe5f8', generation: 2 })
    expect(found.text).toContain('nacos.console.ui.enabled=false')
    expect(found.status.configDigest).toBe('4020c58fc30fe5f8')
    // Of one reason there is an event a minute (WR-6).
    await says('roll', [
      'Ready: 3 of 3 members are ready',
      'ConfigMerged: ConfigMap roll-final-config has 341 bytes with digest 3f346e9c2f5179d9',
      'RolloutComplete: all 3 members have 3f346e9c2f5179d9',
      'RolloutStarted: the configuration changes from 3f346e9c2f5179d9 to 4020c58fc30fe5f8 by ConfigMap roll-user',
    ])
  }, 180_000)
}
