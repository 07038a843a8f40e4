import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../../src/cluster/port.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { configDigest } from '../../../../../webhooks/nacos/config/digest.ts'
import { CONFIG_MAP } from '../../../../../webhooks/nacos/kubernetes.ts'
import { templateSpecOf } from '../../../../../webhooks/nacos/nacos/objects/main-container.ts'
import { treesIn } from '../../../../../webhooks/nacos/nacos/objects/parts.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { nacosOf, nacosWorld, sourceOf, treeOf } from '../../../../support/nacos-world.ts'
import { onChange } from '../../configmap/reviewed.ts'

// spec.config, section 7 of the specification; which images read it is a warning (NC-BC-04, NC-ADM-29).

const SOURCES = [sourceOf('internal', 'a=1'), sourceOf('user', 'b=2')]
const WITHOUT_REFS = { internalConfigRef: undefined, userConfigRef: undefined }
const REFS = { internalConfigRef: { name: 'internal' }, userConfigRef: { name: 'user' } }
const oldWay = (config: string, more: Tree = {}, metadata: Tree = {}) =>
  nacosOf({ ...WITHOUT_REFS, config, ...more }, metadata)
const aMap = (metadata: Tree, text = 'own=1'): Built => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'demo', name: 'n', ...metadata },
  data: { 'custom.properties': text },
})
const ownedBy = (uid: string) => [
  { apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: uid === 'n-1' ? 'n' : 'other', uid, controller: true },
]

type World = ReturnType<typeof nacosWorld>
/** One that runs, and whose status says so. */
async function running(nacos: Built = oldWay('a=1')) {
  const world = nacosWorld(...SOURCES, nacos)
  await completed(world)
  return world
}
async function completed(world: World) {
  await world.turn()
  await world.rolledOut()
  return world.turn()
}
const edit = (world: World, spec: Tree) => world.patch(NACOS, 'n', { spec, metadata: { generation: 2 } })
const generationIn = async (world: World) => treeOf((await world.set()).metadata).generation
async function mountIn(world: World) {
  const [container] = treesIn(templateSpecOf(await world.set()).containers)
  const mount = treesIn(container?.volumeMounts).find(({ name }) => name === 'config')
  return mount && [mount.mountPath, mount.subPath]
}
const digestIn = async (world: World) =>
  JSON.stringify(await world.set()).match(/"nacos\.io\/config-digest":"(\w*)"/)?.[1]
const OLD_MOUNT = ['/home/nacos/init.d/custom.properties', 'custom.properties']
const NEW_MOUNT = ['/home/nacos/conf/application.properties', 'application.properties']

describe('NC-BC-01 spec.config is mounted as it stands', () => {
  it.each(['a=1', 'a=1\r\n', '\ufeffk=中', 'k=\\u', '# nothing\n'])('%j', async (config) => {
    const world = nacosWorld(oldWay(config))
    const { reasons } = await world.turn()
    expect(reasons).toMatchObject({ ConfigReady: 'Legacy' })
    expect(await world.final('n')).toMatchObject({
      data: { 'custom.properties': config },
      metadata: { labels: { 'nacos.io/config-role': 'final' }, ownerReferences: [{ uid: 'n-1', controller: true }] },
    })
    expect(await mountIn(world)).toEqual(OLD_MOUNT)
  })

  it.each([
    { name: 'an empty one', nacos: oldWay(''), reason: 'NotConfigured', mount: undefined },
    { name: 'one beside a reference (NC-MRG-02)', nacos: oldWay('c=3', REFS), reason: 'Merged', mount: NEW_MOUNT },
  ])('but $name is not', async ({ nacos, reason, mount }) => {
    const world = nacosWorld(...SOURCES, nacos)
    expect((await world.turn()).reasons).toMatchObject({ ConfigReady: reason })
    expect(await world.final('n')).toBeUndefined()
    expect(await mountIn(world)).toEqual(mount)
  })

  it('beside a reference without a name it is (NC-MRG-01)', async () => {
    const world = nacosWorld(...SOURCES, oldWay('a=1', { userConfigRef: { key: 'u' } }))
    expect((await world.turn()).reasons).toMatchObject({ ConfigReady: 'Legacy' })
    expect(await mountIn(world)).toEqual(OLD_MOUNT)
  })
})

describe('NC-BC-02 its ConfigMap', () => {
  it('follows spec.config', async () => {
    const world = await running()
    await edit(world, { config: 'a=2' })
    expect((await world.turn()).writes).toEqual(['apply ConfigMap', 'apply StatefulSet', 'merge Nacos'])
    expect(await world.final('n')).toMatchObject({ data: { 'custom.properties': 'a=2' } })
  })

  it.each([
    { name: 'edited', act: (world: World) => world.patch(CONFIG_MAP, 'n', { data: { 'custom.properties': 'x' } }) },
    { name: 'deleted', act: (world: World) => world.cluster.remove(CONFIG_MAP, { namespace: 'demo', name: 'n' }) },
  ])('that is $name comes back, and nothing restarts', async ({ act }) => {
    const world = await running()
    await act(world)
    expect((await world.turn()).writes).toEqual(['apply ConfigMap'])
    expect(await world.final('n')).toMatchObject({ data: { 'custom.properties': 'a=1' } })
  })

  it.each([
    { name: 'that nobody controls', ownerReferences: [], words: 'was not made for this Nacos' },
    { name: 'of another object', ownerReferences: ownedBy('o-1'), words: 'belongs to another object' },
  ])('$name is left as it is', async ({ ownerReferences, words }) => {
    const world = nacosWorld(oldWay('a=1'), aMap({ ownerReferences }))
    const { reasons, messages, writes } = await world.turn()
    expect([reasons.ConfigReady, messages.ConfigReady]).toEqual(['FinalConfigConflict', expect.stringContaining(words)])
    expect(writes).toEqual(['merge Nacos', 'apply Service', 'apply Service', 'merge Nacos'])
    expect(await world.final('n')).toMatchObject({ data: { 'custom.properties': 'own=1' } })
  })

  it('that nobody controls is adopted on request', async () => {
    const world = nacosWorld(oldWay('a=1', {}, { annotations: { 'nacos.io/adopt-final-config': 'true' } }), aMap({}))
    expect((await world.turn()).reasons).toMatchObject({ ConfigReady: 'Legacy' })
    expect(await world.final('n')).toMatchObject({ data: { 'custom.properties': 'a=1' } })
  })

  it('is not edited by others (NC-ADM-44)', async () => {
    const map = aMap({ labels: { 'nacos.io/config-role': 'final' }, ownerReferences: ownedBy('n-1') })
    const words = await onChange(map, { ...map, data: {} }, { there: [oldWay('a=1')] })
    expect(words).toEqual([
      '403 Forbidden: data: ConfigMap "n" is generated for Nacos "n"; edit that Nacos instead (NC-ADM-44)',
    ])
  })
})

describe('NC-BC-03 a change of spec.config rolls', () => {
  it('once, by the digest of its text, which the status has too', async () => {
    const world = await running()
    expect([await digestIn(world), await generationIn(world)]).toEqual([configDigest('a=1'), 1])
    await edit(world, { config: '# other\na=1' })
    const { status, notices } = await world.turn()
    expect([await digestIn(world), await generationIn(world)]).toEqual([configDigest('# other\na=1'), 2])
    expect(status).toMatchObject({ configDigest: configDigest('# other\na=1'), phase: 'Updating' })
    expect(notices).toContain(
      `RolloutStarted: the configuration changes from ${configDigest('a=1')} to ${configDigest('# other\na=1')}`,
    )
  })

  it('and the same text does not', async () => {
    const world = await running()
    await edit(world, { config: 'a=1' })
    expect((await world.turn()).writes).not.toContain('apply StatefulSet')
    expect(await generationIn(world)).toBe(1)
  })
})

describe('NC-BC-05 a move', () => {
  it('to references is one rollout, and the old ConfigMap goes after it', async () => {
    const world = await running()
    await edit(world, REFS)
    await world.turn()
    expect([await mountIn(world), await generationIn(world)]).toEqual([NEW_MOUNT, 2])
    expect(await world.final('n')).toBeDefined()
    expect((await completed(world)).writes).toContain('remove ConfigMap')
    expect([await world.final('n'), await generationIn(world)]).toEqual([undefined, 2])
  })

  it('back is one rollout too, and the merged ConfigMap goes after it', async () => {
    const world = await running(nacosOf({ config: 'a=1' }))
    await edit(world, { internalConfigRef: null, userConfigRef: null })
    await world.turn()
    expect([await mountIn(world), await generationIn(world)]).toEqual([OLD_MOUNT, 2])
    await completed(world)
    expect([await world.final(), await generationIn(world)]).toEqual([undefined, 2])
  })

  it('to references to the old ConfigMap keeps it', async () => {
    const world = await running()
    await edit(world, { userConfigRef: { name: 'n', key: 'custom.properties' } })
    await world.turn()
    expect((await completed(world)).writes).not.toContain('remove ConfigMap')
    expect(await world.final('n')).toBeDefined()
  })

  it('keeps a ConfigMap of that name that was not made for the Nacos', async () => {
    const world = nacosWorld(...SOURCES, nacosOf(), aMap({ labels: { 'nacos.io/config-role': 'final' } }))
    await completed(world)
    expect(await world.final('n')).toMatchObject({ data: { 'custom.properties': 'own=1' } })
  })
})
