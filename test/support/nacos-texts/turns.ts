import type { ClusterReader } from '../../../src/cluster/port.ts'
import { NOTHING_KNOWN } from '../../../src/fact.ts'
import { Fault } from '../../../src/faults.ts'
import type { Tree } from '../../../src/schema.ts'
import { settingsOf } from '../../../src/setting.ts'
import { CONFIG_MAP, NACOS_STATEFULSET } from '../../../webhooks/nacos/kubernetes.ts'
import { conclude } from '../../../webhooks/nacos/nacos/reconcile/conclude.ts'
import { decisionFor } from '../../../webhooks/nacos/nacos/reconcile/decision.ts'
import { observe } from '../../../webhooks/nacos/nacos/reconcile/observe.ts'
import { NACOS } from '../../../webhooks/nacos/nacos/schema.ts'
import { readerOf } from '../fakes/readers.ts'
import { KEY, type NacosWorld } from '../nacos-world.ts'

/** What happens to a Nacos that runs, and what is said then, each by its condition or event. */
export interface TurnText {
  readonly name: string
  readonly act: (world: NacosWorld) => Promise<readonly string[]>
  readonly says: readonly string[]
  /** In place of the usual one. */
  readonly spec?: Tree
}
/** `Type: message` of the conditions, and `Reason: message` of the events. */
export async function saidBy(turn: ReturnType<NacosWorld['turn']>): Promise<readonly string[]> {
  const { messages, notices } = await turn
  return [...Object.entries(messages).map(([type, message]) => `${type}: ${message}`), ...notices]
}

const edit = (world: NacosWorld, text: string, owner: 'internal' | 'user' = 'user') =>
  world.patch(CONFIG_MAP, owner, { data: { [`${owner}.properties`]: text } })
const change = (world: NacosWorld, spec: Tree) => world.patch(NACOS, 'n', { spec, metadata: { generation: 2 } })
const revise = (world: NacosWorld, revision: string | null) =>
  world.patch(NACOS_STATEFULSET, 'n', { metadata: { annotations: { 'nacos.io/template-revision': revision } } })
const annotate = (world: NacosWorld, annotations: Tree) => world.patch(NACOS, 'n', { metadata: { annotations } })

/** The next turn after some change. */
const after = (what: (world: NacosWorld) => Promise<unknown>) => async (world: NacosWorld) => {
  await what(world)
  return saidBy(world.turn())
}
/** Of three members one is updated, and this goes on for ten minutes. */
const stuck =
  (what: (world: NacosWorld) => Promise<unknown>, ready = 2, waiting?: string) =>
  async (world: NacosWorld) => {
    await what(world)
    await world.turn()
    await world.rolledOut(ready, { updatedReplicas: 1, updateRevision: 's' }, waiting)
    const seen = await seenIn(world)
    const given = { attempt: 0, profile: 'seed', settings: settingsOf({}), facts: NOTHING_KNOWN } as const
    const { remember } = conclude(seen, [], { ...given, at: new Date(0) })
    const { notices = [] } = conclude(seen, [], {
      ...given,
      at: new Date(600_000),
      ...(remember && { remembered: remember }),
    })
    return notices.map(({ reason, message }) => `${reason}: ${message}`)
  }

async function seenIn({ cluster }: NacosWorld, live: ClusterReader = cluster) {
  const seen = await observe(KEY, { cached: cluster, live, gone: () => [] })
  if (seen === undefined) throw new Error('it is there')
  return seen
}

const OLD = '15952a176aa40df0'
const NEW = 'f31a23c82b29c4ce'
const BOTH_NEW = 'e8055fe26b03364c'
const NO_CONFIG = { internalConfigRef: null, userConfigRef: null }
const PARTITION = { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } } }

const ROLLOUTS: readonly TurnText[] = [
  {
    name: 'a source that changes',
    act: after((world) => edit(world, 'b=3')),
    says: [
      `ConfigMerged: ConfigMap n-final-config has 79 bytes with digest ${NEW}`,
      `RolloutStarted: the configuration changes from ${OLD} to ${NEW} by ConfigMap user`,
      'Ready: 3 of 3 members are ready',
    ],
  },
  {
    name: 'both sources that change',
    act: after(async (world) => {
      await edit(world, 'b=3')
      await edit(world, 'a=2', 'internal')
    }),
    says: [
      `RolloutStarted: the configuration changes from ${OLD} to ${BOTH_NEW} by ConfigMap internal and ConfigMap user`,
    ],
  },
  {
    name: 'references that are taken away',
    act: after((world) => change(world, NO_CONFIG)),
    says: [`RolloutStarted: the configuration changes from ${OLD} to none`],
  },
  {
    name: 'another image',
    act: after((world) => change(world, { image: 'nacos/nacos-server:v2.4.4' })),
    says: ['RolloutStarted: the pod template changes, but not the configuration'],
  },
  {
    name: 'an end of the rollout',
    act: async (world) => {
      await edit(world, 'b=3')
      await world.turn()
      await world.rolledOut()
      return saidBy(world.turn())
    },
    says: [`RolloutComplete: all 3 members have ${NEW}`],
  },
  {
    name: 'an end of the rollout without a configuration',
    act: async (world) => {
      await change(world, NO_CONFIG)
      await world.turn()
      await world.rolledOut()
      return saidBy(world.turn())
    },
    says: ['RolloutComplete: all 3 members have the newest template'],
  },
  {
    name: 'a partition',
    act: after(async (world) => {
      await world.patch(NACOS_STATEFULSET, 'n', PARTITION)
      await world.rolledOut(3, { updatedReplicas: 1, updateRevision: 's' })
    }),
    says: ['RolloutComplete: 1 of 3 members are updated, 3 are ready; partition=2'],
  },
]

const WAITING: readonly TurnText[] = [
  {
    name: 'a pause',
    act: after(async (world) => {
      await annotate(world, { 'nacos.io/config-rollout': 'paused' })
      await edit(world, 'b=3')
    }),
    says: [`ConfigReady: ${NEW} is not rolled out yet`, `RolloutComplete: ${NEW} waits for the end of the pause`],
  },
  {
    name: 'a change of the spec during a pause of all work',
    act: after(async (world) => {
      await annotate(world, { 'nacos.io/reconcile-paused': 'true' })
      await change(world, { replicas: 5 })
    }),
    says: ['RolloutComplete: the spec waits for the end of the pause'],
  },
  {
    name: 'a wrong spec',
    act: after(async (world) => {
      await change(world, { replicas: 0 })
      await edit(world, 'b=3')
    }),
    says: [`RolloutComplete: ${NEW} waits until the spec is valid`],
  },
  {
    name: 'sources that are not quiet yet',
    act: after(async (world) => {
      await annotate(world, { 'nacos.io/config-settle-seconds': '5' })
      await edit(world, 'b=3')
    }),
    says: [`ConfigReady: ${NEW} is not rolled out yet`, `RolloutComplete: ${NEW} waits until the sources are quiet`],
  },
]

const STUCK: readonly TurnText[] = [
  {
    name: 'a container that does not start',
    act: stuck((world) => edit(world, 'b=3'), 2, 'CrashLoopBackOff'),
    says: [`RolloutStuck: no progress towards ${NEW} from ${OLD}; pod n-2: container n: CrashLoopBackOff`],
  },
  {
    name: 'members that are replaced in order',
    act: stuck(async (world) => {
      await world.patch(NACOS_STATEFULSET, 'n', { spec: { podManagementPolicy: 'OrderedReady' } })
      await edit(world, 'b=3')
    }),
    says: [
      `RolloutStuck: no progress towards ${NEW} from ${OLD}; pod n-2: not ready; when the source is mended, delete that pod`,
    ],
  },
  {
    name: 'no pod that waits',
    act: stuck((world) => edit(world, 'b=3'), 3),
    says: [`RolloutStuck: no progress towards ${NEW} from ${OLD}; pods are missing`],
  },
]

const WAY = 'take it over with: kubectl delete statefulset n --namespace=demo --cascade=orphan'
const OTHERS: readonly TurnText[] = [
  {
    name: 'an edit of the final ConfigMap',
    act: after((world) =>
      world.patch(CONFIG_MAP, 'n-final-config', { data: { 'application.properties': 'edited=1' } }),
    ),
    says: [
      'FinalConfigDrift: ConfigMap n-final-config was edited and is restored; a pod that started meanwhile has the edited text: kubectl rollout restart statefulset n',
    ],
  },
  {
    name: 'a StatefulSet of another operator',
    act: after((world) => revise(world, null)),
    says: ['ChildrenReady', 'TakeOverDrift'].map(
      (what) => `${what}: StatefulSet n was made by another operator; ${WAY}`,
    ),
  },
  {
    name: 'a StatefulSet of a later release',
    act: after((world) => revise(world, '2')),
    says: [`ChildrenReady: StatefulSet n was made by another release, with revision 2; ${WAY}`],
  },
  {
    name: 'a final ConfigMap that another writes meanwhile',
    act: after(async (world) => {
      world.onApply(CONFIG_MAP, async (applying) => {
        const applied = await applying()
        await world.patch(CONFIG_MAP, 'n-final-config', { data: { 'application.properties': 'edited=1' } })
        return applied
      })
      await edit(world, 'b=3')
    }),
    says: ['ConfigReady', 'FinalConfigConflict: FinalConfigConflict'].map(
      (what) => `${what}: ConfigMap "n-final-config" was changed by another writer at once`,
    ),
  },
  {
    name: 'a source that cannot be read',
    act: async (world) => {
      const away = async () => Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'no answer'))
      const live: ClusterReader = {
        ...readerOf(),
        get: (of, ref) => (ref.name === 'user' ? away() : world.cluster.get(of, ref)),
      }
      const { state } = decisionFor(await seenIn(world, live), { at: new Date(0), settings: settingsOf({}) })
      return typeof state === 'object' ? [state.message] : []
    },
    says: ['ConfigMap "user" cannot be read: no answer'],
  },
]

export const TURN_TEXTS: readonly TurnText[] = [...ROLLOUTS, ...WAITING, ...STUCK, ...OTHERS]
