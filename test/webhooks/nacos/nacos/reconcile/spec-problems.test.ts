import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { nacosKind } from '../../../../../webhooks/nacos/nacos/kind.ts'
import { NACOS } from '../../../../../webhooks/nacos/nacos/schema.ts'
import { ownRules } from '../../../../../webhooks/nacos/nacos/validate-own.ts'
import { nacosOf, nacosWorld, SOURCES } from '../../../../support/nacos-world.ts'

interface Stored {
  readonly spec?: Tree
  readonly metadata?: Tree
  /** What it was before, where the rule is about a change. */
  readonly stood?: Tree
}
interface WrongSpec extends Stored {
  /** The rule that refuses it at the door. */
  readonly id: string
  readonly words: string
}
const main = (rest: Tree) => ({ k8sWrapper: { PodSpec: { containers: [{ name: 'n', ...rest }] } } })
const claim = (storage: string, rest: Tree = {}) => ({ volume: { enabled: true, requests: { storage }, ...rest } })
const certified = (token: string) => ({ certification: { enabled: true, token } })
const annotated = (key: string, value: string) => ({ annotations: { [`nacos.io/${key}`]: value } })
const VOLUME = 'spec.volume: only growing the size is allowed (claims are never deleted)'

const CASES: readonly WrongSpec[] = [
  { id: 'NC-ADM-10', metadata: { name: '1' }, words: 'metadata.name: must be a DNS-1035 label of at most 52' },
  { id: 'NC-ADM-10', metadata: { name: 'n'.repeat(53) }, words: 'metadata.name: must be a DNS-1035 label' },
  { id: 'NC-ADM-11', spec: { type: 'other' }, words: 'spec.type: must be "standalone" or "cluster", got "other"' },
  { id: 'NC-ADM-12', spec: { replicas: 0 }, words: 'spec.replicas: must be at least 1' },
  { id: 'NC-ADM-12', spec: { replicas: 2_000_000_000 }, words: 'spec.replicas: must be at most 1000' },
  {
    id: 'NC-ADM-12',
    spec: { type: 'standalone', replicas: 2 },
    words: 'spec.replicas: must be 1 when type is standalone',
  },
  { id: 'NC-ADM-13', spec: { image: '' }, words: 'spec.image: required' },
  { id: 'NC-ADM-15', spec: { userConfigRef: { name: 'A' } }, words: 'spec.userConfigRef.name: invalid ConfigMap name' },
  {
    id: 'NC-ADM-15',
    spec: { internalConfigRef: { name: 'internal', key: 'a/b' } },
    words: 'spec.internalConfigRef.key: invalid ConfigMap key "a/b"',
  },
  { id: 'NC-ADM-15', spec: { finalConfigName: '-' }, words: 'spec.finalConfigName: invalid ConfigMap name "-"' },
  {
    id: 'NC-ADM-16',
    spec: { finalConfigName: 'user' },
    words: 'spec.finalConfigName: must differ from the source ConfigMap "user"',
  },
  {
    id: 'NC-ADM-18',
    spec: { internalConfigRef: { name: 'user', key: 'user.properties' } },
    words: 'spec.internalConfigRef: must not equal userConfigRef',
  },
  {
    id: 'NC-ADM-19',
    spec: { k8sWrapper: { PodSpec: {}, podSpec: {} } },
    words: 'spec.k8sWrapper: set only one of PodSpec and podSpec',
  },
  {
    id: 'NC-ADM-19',
    spec: main({ volumeMounts: [{ name: 'own', mountPath: '/home/nacos/conf/application.properties' }] }),
    words: 'spec.k8sWrapper.PodSpec: mount path /home/nacos/conf/application.properties is managed',
  },
  {
    id: 'NC-ADM-19',
    spec: { k8sWrapper: { podSpec: { volumes: [{ name: 'config', emptyDir: {} }] } } },
    words: 'spec.k8sWrapper.PodSpec: volume config is managed through finalConfigName',
  },
  {
    id: 'NC-ADM-19',
    spec: { k8sWrapper: { PodSpec: { containers: [{ name: 'side' }] } } },
    words: 'spec.k8sWrapper.PodSpec.containers: "side" has no image; the Nacos container must be named "n"',
  },
  {
    id: 'NC-ADM-19',
    spec: { k8sWrapper: { PodSpec: { volumes: ['x'] } } },
    words: 'spec.k8sWrapper.PodSpec: cannot be merged: spec.volumes: has elements of several types',
  },
  { id: 'NC-ADM-20', stood: { type: 'standalone', replicas: 1 }, words: 'spec.type: immutable' },
  { id: 'NC-ADM-20', stood: {}, spec: { type: 'standalone', replicas: 1 }, words: 'spec.type: immutable' },
  { id: 'NC-ADM-21', stood: claim('2Gi'), spec: claim('1Gi'), words: VOLUME },
  { id: 'NC-ADM-21', stood: claim('2Gi'), spec: claim('2Gi', { storageClass: 'fast' }), words: VOLUME },
  { id: 'NC-ADM-21', stood: claim('2Gi'), spec: { volume: null }, words: VOLUME },
  { id: 'NC-ADM-21', stood: claim('2Gi'), spec: claim('2Gi', { hostPath: { path: '/a' } }), words: VOLUME },
  {
    id: 'NC-ADM-21',
    stood: { volume: { hostPath: { path: '/a' } } },
    spec: claim('2Gi', { hostPath: null }),
    words: VOLUME,
  },
  {
    id: 'NC-ADM-21',
    stood: { volume: { emptyDir: {} } },
    spec: { volume: { emptyDir: null, hostPath: { path: '/a' } } },
    words: VOLUME,
  },
  {
    id: 'NC-ADM-22',
    spec: { volume: { persistentVolumeSize: '10 GB' } },
    words: 'spec.volume.persistentVolumeSize: "10 GB" is no quantity',
  },
  {
    id: 'NC-ADM-22',
    spec: { env: [{ name: 'A' }, { name: 'A' }] },
    words: 'spec.env[1].name: "A" stands there already',
  },
  {
    id: 'NC-ADM-22',
    spec: { certification: { token_expire_seconds: '0' } },
    words: 'spec.certification.token_expire_seconds: "0" is no positive integer',
  },
  {
    id: 'NC-ADM-22',
    metadata: annotated('config-rollout', 'pausd'),
    words: 'metadata.annotations[nacos.io/config-rollout]: must be "auto" or "paused", not "pausd"',
  },
  { id: 'NC-ADM-26', spec: certified(''), words: 'spec.certification.token: required' },
  { id: 'NC-ADM-26', stood: {}, spec: certified(''), words: 'spec.certification.token: required' },
  { id: 'NC-ADM-26', stood: certified('x'), spec: certified(''), words: 'spec.certification.token: required' },
]

async function stored({ spec = {}, metadata = {}, stood }: Stored) {
  const name = String(metadata.name ?? 'n')
  const world = nacosWorld(...SOURCES, nacosOf(stood ?? spec, metadata))
  if (stood === undefined) return { ...world, end: await world.turn(0, name) }
  await world.turn()
  await world.rolledOut()
  await world.turn()
  const usual = { type: 'cluster', replicas: 3 }
  await world.patch(NACOS, 'n', { spec: { ...usual, ...spec }, metadata: { generation: 2 } })
  return { ...world, end: await world.turn() }
}

describe('NC-REC-12 a spec that was stored while the webhook was away', () => {
  it.each(CASES)('$id $words', async ({ id, words, ...each }) => {
    const { end } = await stored(each)
    expect(end.writes.filter((write) => write !== 'merge Nacos')).toEqual([])
    expect(end.againInMs).toBeUndefined()
    expect([end.status.phase, end.reasons.SpecValid, end.reasons.Ready]).toEqual(['Failed', 'Invalid', 'SpecInvalid'])
    expect(end.messages.SpecValid).toContain(words)
    expect(end.messages.SpecValid).toContain(`(${id})`)
  })

  it('is judged by all rules of the door that ask nothing of other objects', () => {
    expect([...new Set(CASES.map(({ id }) => id))].sort()).toEqual(ownRules.map(({ id }) => id).sort())
    const others = nacosKind.rules.filter(
      ({ id, effect }) => effect !== 'warn' && !ownRules.some((own) => own.id === id),
    )
    // Taken names and bad sources are held by what stands there then: NC-REC-42, NC-DIG-42 and NC-MRG-46.
    expect(others.map(({ id }) => id)).toEqual(['NC-ADM-14', 'NC-ADM-17', 'NC-ADM-23', 'NC-ADM-90'])
  })
})

describe('NC-REC-12 what the door admits', () => {
  it.each<{ name: string; stood: Tree; spec: Tree }>([
    { name: 'a claim that grows (NC-ADM-21)', stood: claim('1Gi'), spec: claim('2Gi') },
    { name: 'the same size in other words', stood: claim('2Gi'), spec: claim('2048Mi') },
    {
      name: 'a claim of a template',
      stood: { volume: { volumeClaimTemplate: { spec: { storageClassName: 'fast' } }, persistentVolumeSize: '1Gi' } },
      spec: {},
    },
    { name: 'a directory', stood: { volume: { hostPath: { path: '/a' } } }, spec: {} },
    {
      name: 'a volume of the overlay that has the usual name',
      stood: { k8sWrapper: { PodSpec: { volumes: [{ name: 'db', emptyDir: {} }] } } },
      spec: { env: [{ name: 'A', value: 'b' }] },
    },
    { name: 'another token', stood: certified('x'), spec: certified('y') },
    { name: 'a reference without a name that was stored before (NC-MRG-01)', stood: { userConfigRef: {} }, spec: {} },
    { name: 'an empty type (NC-ADM-06)', stood: { type: '', replicas: 1 }, spec: {} },
    { name: 'the most members', stood: { replicas: 1_000 }, spec: {} },
  ])('goes on: $name', async ({ stood, spec }) => {
    const world = nacosWorld(...SOURCES, nacosOf(stood))
    expect((await world.turn()).reasons).toMatchObject({ SpecValid: 'Valid' })
    await world.patch(NACOS, 'n', { spec, metadata: { generation: 2 } })
    expect((await world.turn()).reasons).toMatchObject({ SpecValid: 'Valid', ChildrenReady: 'Applied' })
  })

  it('NC-ADM-05 an overlay of the other spelling counts, whether or not it was moved', async () => {
    const world = nacosWorld(...SOURCES, nacosOf({ k8sWrapper: { podSpec: { hostNetwork: true } } }))
    await world.turn()
    expect(await world.set()).toMatchObject({ spec: { template: { spec: { hostNetwork: true } } } })
  })
})
