import { describe, expect, it } from 'vitest'
import { podSpecOf, templateOf } from '../../../../support/mapped.ts'

const exists = (key: string) => ({ key, operator: 'Exists' })
const NODE = exists('tars.io/node.demo')
const APP = exists('tars.io/ability.demo.Demo')
const SERVER = exists('tars.io/ability.demo.Demo-Echo')
const ZONE = { key: 'zone', operator: 'In', values: ['a', 'b'] }

const required = (...matchExpressions: readonly object[]) => ({
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
})
const preferred = {
  preferredDuringSchedulingIgnoredDuringExecution: [
    { weight: 60, preference: { matchExpressions: [SERVER] } },
    { weight: 30, preference: { matchExpressions: [APP] } },
  ],
}
const APART = {
  requiredDuringSchedulingIgnoredDuringExecution: [
    {
      labelSelector: { matchLabels: { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' } },
      namespaces: ['demo'],
      topologyKey: 'kubernetes.io/hostname',
    },
  ],
}
const ABILITIES = [
  { name: 'MP-20a', abilityAffinity: 'AppRequired', nodeAffinity: required(NODE, APP) },
  { name: 'MP-20b', abilityAffinity: 'ServerRequired', nodeAffinity: required(NODE, SERVER) },
  { name: 'MP-20c', abilityAffinity: 'AppOrServerPreferred', nodeAffinity: { ...required(NODE), ...preferred } },
  { name: 'MP-20d', abilityAffinity: 'None', nodeAffinity: required(NODE) },
] as const

describe.each(ABILITIES)('$name $abilityAffinity', ({ abilityAffinity, nodeAffinity }) => {
  const affinityWith = (k8s: object) => podSpecOf('affinity', { k8s: { abilityAffinity, ...k8s } })
  it('on a StatefulSet', () => expect(affinityWith({})).toEqual({ nodeAffinity }))
  it('MP-20e notStacked keeps the pods apart, beside it', () => {
    expect(affinityWith({ notStacked: true })).toEqual({ nodeAffinity, podAntiAffinity: APART })
  })
  it.each([true, false])('MP-20f has no effect on a DaemonSet, nor has notStacked: %s', (notStacked) => {
    expect(affinityWith({ daemonSet: true, notStacked })).toEqual({ nodeAffinity: required(NODE) })
  })
})

describe('MP-15 the nodes', () => {
  it('an absent abilityAffinity is AppOrServerPreferred', () => {
    expect(podSpecOf('affinity', {})).toEqual({ nodeAffinity: { ...required(NODE), ...preferred } })
  })
  it('nodeSelector comes first and as it stands, then the node, then the ability', () => {
    const k8s = { nodeSelector: [ZONE, exists('disk')], abilityAffinity: 'AppRequired' }
    expect(podSpecOf('affinity', { k8s })).toEqual({ nodeAffinity: required(ZONE, exists('disk'), NODE, APP) })
  })
})

describe('MP-20f, D-15 the nodeSelector of a DaemonSet', () => {
  const k8s = { daemonSet: true, nodeSelector: [ZONE] }
  it.each([
    { profile: 'seed', nodeAffinity: required(NODE) },
    { profile: 'upstream', nodeAffinity: required(ZONE, NODE) },
  ] as const)('profile $profile', ({ profile, nodeAffinity }) => {
    expect(podSpecOf('affinity', { k8s }, { profile })).toEqual({ nodeAffinity })
  })
})

describe('the profiles', () => {
  it('differ in nothing else', () => {
    const wishes = { normal: [{ name: 'web', port: 80 }], k8s: { nodeSelector: [ZONE] } }
    expect(templateOf(wishes, { profile: 'upstream' })).toEqual(templateOf(wishes))
  })
})
