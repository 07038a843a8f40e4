import { isTerminating } from '../../../../src/kube/metadata.ts'
import { someOf, valueAt } from '../../../kit/admission.ts'
import type { Action, Built, Notice, Plan } from '../../../kit/controller.ts'
import type { Found, KubeObject } from '../../../kit/schema.ts'
import { POD, type Pod } from '../../pods.ts'
import { claimNamesIn } from './recreation.ts'
import type { ServerSeen } from './seen.ts'
import { isReady } from './status.ts'

/**
 * MP-37: the StatefulSet controller tries to add the volume to a running pod, is refused, and does nothing else any more.
 * So such pods are deleted, the lowest ordinal first, since that controller stops at it.
 */
export function podsWithoutClaim(wanted: Built, live: KubeObject, { pods }: Pick<ServerSeen, 'pods'>): Plan {
  const names = claimNamesIn(wanted)
  const own = pods.filter((pod) => isOf(live, pod)).toSorted((one, other) => ordinalOf(one) - ordinalOf(other))
  const lacking = own.filter((pod) => lacksOneOf(names, pod))
  const [lowest] = lacking
  if (lowest === undefined) return { actions: [] }
  if (valueAt(wanted, 'spec.updateStrategy.type') === 'OnDelete') return { actions: [], notices: [lackClaim(lacking)] }
  const others = own.filter((pod) => !lacking.includes(pod))
  const isCalm = !pods.some(isTerminating) && others.every(isReady) && own.indexOf(lowest) === ordinalOf(lowest)
  return { actions: isCalm ? [deletion(lowest)] : [] }
}

const isOf = ({ metadata: { uid } }: KubeObject, { metadata: { ownerReferences } }: KubeObject) =>
  ownerReferences?.some((owner) => owner.uid === uid) === true

const ordinalOf = ({ metadata: { name } }: KubeObject) => Number(name.slice(name.lastIndexOf('-') + 1))

/** Of a pod that cannot be read nothing is known. */
function lacksOneOf(names: readonly string[], { spec }: Found<Pod>): boolean {
  const volumes = spec?.volumes?.filter((volume) => volume?.persistentVolumeClaim !== undefined) ?? []
  return spec !== undefined && names.some((name) => !volumes.some((volume) => volume?.name === name))
}

function deletion({ metadata: { namespace = '', name, uid = '' } }: KubeObject): Action {
  return { do: 'remove', of: POD, ref: { namespace, name }, expects: { uid }, because: 'MP-37: the pod lacks a claim' }
}

function lackClaim(pods: readonly KubeObject[]): Notice {
  const names = someOf(pods.map(({ metadata }) => metadata.name))
  const message = `${names}: without a claim of the StatefulSet, which stands still until they are deleted (MP-37)`
  return { type: 'Warning', reason: 'PodsLackClaim', message }
}
