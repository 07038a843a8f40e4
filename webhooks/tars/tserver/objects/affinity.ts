import type { TServer } from '../schema.ts'
import { labelsOf, refOf, type Subject } from './subject.ts'
import { filled } from './written-form.ts'

type Ability = NonNullable<TServer['spec']['k8s']['abilityAffinity']>

/** MP-20a…f. On a DaemonSet neither abilityAffinity nor notStacked has an effect. */
export function affinityFor({ server, given: { profile } }: Subject) {
  const { daemonSet = false, notStacked = false, nodeSelector = [] } = server.spec.k8s
  const ability = abilityOf(server)
  const selected = daemonSet && profile === 'seed' ? [] : nodeSelector // D-15
  const matchExpressions = [
    ...selected,
    exists(`tars.io/node.${refOf(server).namespace}`),
    ...required(ability, server),
  ]
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
      ...filled({ preferredDuringSchedulingIgnoredDuringExecution: preferred(ability, server) }),
    },
    ...(notStacked && !daemonSet && { podAntiAffinity: apart(server) }),
  }
}

function abilityOf({ spec: { k8s } }: TServer): Ability {
  return k8s.daemonSet ? 'None' : (k8s.abilityAffinity ?? 'AppOrServerPreferred')
}

function required(ability: Ability, server: TServer) {
  if (ability === 'AppRequired') return [ofApp(server)]
  return ability === 'ServerRequired' ? [ofServer(server)] : []
}

function preferred(ability: Ability, server: TServer) {
  if (ability !== 'AppOrServerPreferred') return []
  return [
    { weight: 60, preference: { matchExpressions: [ofServer(server)] } },
    { weight: 30, preference: { matchExpressions: [ofApp(server)] } },
  ]
}

const exists = (key: string) => ({ key, operator: 'Exists' })
const ofApp = (server: TServer) => exists(`tars.io/ability.${refOf(server).namespace}.${server.spec.app}`)
const ofServer = (server: TServer) => exists(`${ofApp(server).key}-${server.spec.server}`)

/** MP-20e: no two pods of the server run on one node. */
const apart = (server: TServer) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [
    {
      labelSelector: { matchLabels: labelsOf(server) },
      namespaces: [refOf(server).namespace],
      topologyKey: 'kubernetes.io/hostname',
    },
  ],
})
