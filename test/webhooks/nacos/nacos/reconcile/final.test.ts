import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { CONFIG_MAP, NACOS_STATEFULSET } from '../../../../../webhooks/nacos/kubernetes.ts'
import { DIGEST, nacosOf, nacosWorld, runningWorld, SOURCES } from '../../../../support/nacos-world.ts'

describe('the final ConfigMap', () => {
  const owner = (uid: string, name: string) => [
    { apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name, uid, controller: true },
  ]
  const standing = (rest: Tree, data: Tree = {}) => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'demo', name: 'n-final-config', ...rest }, data },
  })

  it.each([
    {
      name: 'NC-DIG-40, NC-DIG-42 of another Nacos',
      rest: { ownerReferences: owner('o-1', 'other') },
      words: 'belongs to another object',
    },
    {
      name: 'NC-DIG-40 of an earlier Nacos of that name',
      rest: { ownerReferences: owner('n-0', 'n') },
      words: 'belongs to an earlier Nacos',
    },
    { name: 'NC-DIG-40 of nobody', rest: {}, words: 'was not made for this Nacos' },
  ])('$name is never touched', async ({ rest, words }) => {
    const world = nacosWorld(...SOURCES, nacosOf(), standing(rest, { own: 'x' }))
    const { writes, reasons, messages, notices } = await world.turn()
    expect(writes).not.toContain('apply ConfigMap')
    expect(writes).not.toContain('apply StatefulSet')
    expect(reasons).toMatchObject({ ConfigReady: 'FinalConfigConflict' })
    expect(messages.ConfigReady).toContain(words)
    expect(notices[0]).toContain('FinalConfigConflict: ')
  })

  it('NC-DIG-40 of nobody is adopted on request, and its other keys stay', async () => {
    const annotations = { 'nacos.io/adopt-final-config': 'true' }
    const world = nacosWorld(...SOURCES, nacosOf({}, { annotations }), standing({}, { own: 'x' }))
    expect((await world.turn()).reasons).toMatchObject({ ConfigReady: 'Merged' })
    expect(await world.final()).toMatchObject({
      metadata: { ownerReferences: [{ uid: 'n-1' }] },
      data: { own: 'x', 'application.properties': expect.stringContaining('a=1') },
    })
  })

  it('NC-DIG-41 that is a source is held', async () => {
    const world = nacosWorld(...SOURCES, nacosOf({ finalConfigName: 'user' }))
    const { reasons, writes } = await world.turn()
    expect(reasons).toMatchObject({ ConfigReady: 'FinalConfigIsSource' })
    expect(writes).not.toContain('apply ConfigMap')
  })

  it('NC-DIG-34 that was edited is restored, and nothing restarts', async () => {
    const world = await runningWorld()
    await world.patch(CONFIG_MAP, 'n-final-config', { data: { 'application.properties': 'edited=1' } })
    const { writes, notices } = await world.turn()
    expect(writes).toEqual(['apply ConfigMap'])
    expect(notices).toEqual([expect.stringMatching(/^FinalConfigDrift: .*kubectl rollout restart statefulset n$/)])
    expect(await world.final()).toMatchObject({ data: { 'application.properties': expect.stringContaining('a=1') } })
  })

  it('NC-DIG-35 that was deleted is made again, and nothing restarts', async () => {
    const world = await runningWorld()
    await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'n-final-config' })
    expect((await world.turn()).writes).toEqual(['apply ConfigMap'])
  })

  it('NC-DIG-36 that was made immutable is neither written nor made again', async () => {
    const world = await runningWorld()
    await world.patch(CONFIG_MAP, 'n-final-config', { immutable: true })
    expect((await world.turn()).writes).toEqual([])
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    const { writes, messages } = await world.turn()
    expect(writes).toEqual(['merge Nacos'])
    expect(messages.ConfigReady).toBe('ConfigMap "n-final-config" is immutable: set another finalConfigName')
  })

  it('NC-REC-32, NC-DIG-31 that was written before a crash is rolled out, though its source is gone', async () => {
    const world = await runningWorld()
    await world.patch(CONFIG_MAP, 'user', { data: { 'user.properties': 'b=3' } })
    const set = await world.set()
    await world.turn()
    const digest = (await world.final())?.metadata.annotations?.['nacos.io/config-digest']
    await world.patch(NACOS_STATEFULSET, 'n', { spec: set.spec })
    await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'user' })
    await world.turn()
    expect(JSON.stringify(await world.set())).toContain(`"nacos.io/config-digest":"${digest}"`)
  })

  it('NC-REC-32 that was edited while the configuration is held does not count', async () => {
    const world = await runningWorld()
    await world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'user' })
    await world.patch(CONFIG_MAP, 'n-final-config', { data: { 'application.properties': 'edited=1' } })
    const { writes } = await world.turn()
    expect(writes).toEqual(['merge Nacos'])
    expect(JSON.stringify(await world.set())).toContain(DIGEST)
  })
})
