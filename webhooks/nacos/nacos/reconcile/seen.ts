import type { Found, KubeObject, Tree } from '../../../kit/schema.ts'
import type { ConfigMap } from '../../kubernetes.ts'
import { textIn, treeIn, treesIn } from '../objects/parts.ts'
import type { Nacos } from '../schema.ts'
import type { SourceRef } from '../shape.ts'

/** All that the plan for one Nacos looks at. */
export interface NacosSeen {
  readonly nacos: Nacos
  /** What admission would have refused of it (NC-REC-12). */
  readonly problems: readonly string[]
  readonly sources: readonly SeenSource[]
  /** What stands under the name of the wanted configuration, ours or not. */
  readonly final?: Found<ConfigMap> | undefined
  readonly statefulSet?: Whole | undefined
  readonly peerService?: Whole | undefined
  readonly clientService?: Whole | undefined
  /** ConfigMaps that were generated for some Nacos of the namespace. */
  readonly generated: readonly Found<ConfigMap>[]
  readonly pods: readonly SeenMember[]
}
/** An object with all its fields. */
export type Whole = Found<KubeObject> & Tree

/** A ConfigMap that the Nacos names: there, absent, or not to be read. */
export interface SeenSource {
  readonly ref: SourceRef
  readonly found?: Found<ConfigMap> | undefined
  readonly unreadable?: string
}

export interface SeenMember {
  readonly name: string
  readonly isReady: boolean
  /** What keeps it from being ready, such as `container x: CrashLoopBackOff`. */
  readonly trouble?: string | undefined
}

/** A pod counts as ready by its condition of type Ready, however many conditions there are (NC-REC-51). */
export function podOf(pod: Found<KubeObject>): SeenMember {
  const status = treeIn(treeIn(pod).status)
  const conditions = treesIn(status.conditions)
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
  const { name, deletionTimestamp } = pod.metadata
  return {
    name,
    isReady: isReady && deletionTimestamp == null,
    trouble: waitingIn(status) ?? unscheduledIn(conditions),
  }
}

function waitingIn({ containerStatuses, initContainerStatuses }: Tree): string | undefined {
  const statuses = [...treesIn(initContainerStatuses), ...treesIn(containerStatuses)]
  const waiting = statuses.find(({ state }) => textIn(treeIn(treeIn(state).waiting).reason) !== '')
  return waiting && `container ${textIn(waiting.name)}: ${textIn(treeIn(treeIn(waiting.state).waiting).reason)}`
}
function unscheduledIn(conditions: readonly Tree[]): string | undefined {
  const unscheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  return textIn(unscheduled?.reason) || undefined
}
