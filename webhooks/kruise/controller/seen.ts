import { isTerminating } from '../../../src/kube/metadata.ts'
import { selects } from '../../../src/kube/selectors.ts'
import type { Key, Sight } from '../../kit/controller.ts'
import type { Found, KubeObject, Tree } from '../../kit/schema.ts'
import { type DaemonSet, KRUISE_DAEMONSET } from '../daemonsets.ts'
import { isEmptySelector, selectorFaults, selectorFrom } from '../list/selector.ts'
import { treeIn } from '../list/touched.ts'
import { LABELS } from '../names.ts'
import { textsIn } from './create.ts'
import {
  CONTROLLER_REVISION,
  NODE,
  type NodeWithTaints,
  POD,
  type StoredDaemonPod,
  type StoredRevision,
} from './resources.ts'
import { type RivalTraces, rivalTraces } from './rival.ts'

/** All that a plan for one DaemonSet looks at. */
export interface DaemonSetSeen {
  readonly daemonSet: Found<DaemonSet>
  readonly traces: RivalTraces
  readonly nodes: readonly NodeWithTaints[]
  /** Its own, and those that it is about to adopt. */
  readonly pods: readonly StoredDaemonPod[]
  readonly revisions: readonly StoredRevision[]
  /** Pods and revisions that the selector names and no controller owns; only of a DaemonSet that a live read confirms. */
  readonly orphans: Dependents
  /** Those that it owns and that its selector no longer names. */
  readonly released: Dependents
}
interface Dependents {
  readonly pods: readonly StoredDaemonPod[]
  readonly revisions: readonly StoredRevision[]
}

export async function observe(key: Key, { cached, live }: Sight): Promise<DaemonSetSeen | undefined> {
  const daemonSet = await cached.get(KRUISE_DAEMONSET, key)
  if (daemonSet === undefined || isTerminating(daemonSet)) return undefined
  const where = { namespace: key.namespace, carrying: [LABELS.revision] }
  const all = { pods: await cached.list(POD, where), revisions: await cached.list(CONTROLLER_REVISION, where) }
  const isSelected = selectsOf(daemonSet)
  const isOwned = isOwnedBy(daemonSet)
  const free = among(all, (each) => controllerOf(each) === undefined && !isTerminating(each) && isSelected(each))
  const orphans = (await isStillThere(daemonSet, free, live)) ? free : NONE
  const adopted = new Set<KubeObject>([...orphans.pods, ...orphans.revisions])
  return {
    daemonSet,
    traces: await rivalTraces(live),
    nodes: await cached.list(NODE, { namespace: '' }),
    ...among(all, (each) => (isOwned(each) && isSelected(each)) || adopted.has(each)),
    orphans,
    released: among(all, (each) => isOwned(each) && !isSelected(each) && !isTerminating(each)),
  }
}
const NONE: Dependents = { pods: [], revisions: [] }

const among = ({ pods, revisions }: Dependents, isMeant: (object: KubeObject) => boolean): Dependents => ({
  pods: pods.filter(isMeant),
  revisions: revisions.filter(isMeant),
})
const controllerOf = ({ metadata }: KubeObject) => metadata.ownerReferences?.find(({ controller }) => controller)
const isOwnedBy = (owner: KubeObject) => (object: KubeObject) => controllerOf(object)?.uid === owner.metadata.uid

/** An empty selector would take all pods of the namespace, and an invalid one takes none. */
export const isUsable = (selector: Tree) => !isEmptySelector(selector) && selectorFaults(selector).length === 0

/** Whether pods and revisions of its template are its own. */
export function isTemplateSelected(daemonSet: Found<DaemonSet>): boolean {
  const labels = textsIn(treeIn(daemonSet.spec?.template ?? {}, 'metadata').labels)
  return selectsOf(daemonSet)({ ...daemonSet, metadata: { name: '', labels: { ...labels, [LABELS.revision]: 'new' } } })
}

export function selectsOf({ spec }: Found<DaemonSet>) {
  const selector = spec?.selector ?? {}
  const isMeant = isUsable(selector)
  const read = selectorFrom(isMeant ? selector : {})
  return ({ metadata }: KubeObject) => isMeant && selects(read, metadata.labels)
}
/** A DaemonSet of the cache may be gone, and must not adopt then. */
async function isStillThere(
  { metadata }: Found<DaemonSet>,
  orphans: Dependents,
  live: Sight['live'],
): Promise<boolean> {
  if (orphans.pods.length + orphans.revisions.length === 0) return true
  const now = await live.get(KRUISE_DAEMONSET, { namespace: metadata.namespace ?? '', name: metadata.name })
  return now?.metadata.uid === metadata.uid && now !== undefined && !isTerminating(now)
}
