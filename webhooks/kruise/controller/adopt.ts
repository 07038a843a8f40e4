import type { Action } from '../../kit/controller.ts'
import type { Gvr, KubeObject } from '../../kit/schema.ts'
import { ownerOf } from './create.ts'
import { CONTROLLER_REVISION, POD } from './resources.ts'
import { meant } from './revise.ts'
import type { DaemonSetSeen } from './seen.ts'

/** What its selector names becomes its own (PATCH-CTL-11, PATCH-CTL-12). */
export function adoptions({ daemonSet, orphans }: DaemonSetSeen): readonly Action[] {
  const adopt = (of: Gvr) => (object: KubeObject) =>
    owning(of, object, [...others(object), ownerOf(daemonSet.metadata)])
  return [...orphans.pods.map(adopt(POD)), ...orphans.revisions.map(adopt(CONTROLLER_REVISION))]
}

/** What its selector no longer names is let go. */
export function releases({ released }: Pick<DaemonSetSeen, 'released'>): readonly Action[] {
  const letGo = (of: Gvr) => (object: KubeObject) => owning(of, object, others(object))
  return [...released.pods.map(letGo(POD)), ...released.revisions.map(letGo(CONTROLLER_REVISION))]
}

const others = ({ metadata }: KubeObject) => (metadata.ownerReferences ?? []).filter(({ controller }) => !controller)

function owning(of: Gvr, { metadata }: KubeObject, ownerReferences: readonly object[]): Action {
  return { do: 'merge', of, ...meant(metadata), patch: { metadata: { ownerReferences } }, because: 'PATCH-CTL-12' }
}
