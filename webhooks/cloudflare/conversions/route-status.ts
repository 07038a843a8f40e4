import { isSame } from '../../kit/admission.ts'
import { isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import { statusIn } from '../engine/seen.ts'
import type { ConvertedRoute } from './httproute.ts'
import { GATEWAY_CONTROLLER, type ParentAnswer } from './route-parents.ts'

/** `status.parents` of an HTTPRoute: what we answer, in its place, and what other controllers answer as it is (CF-CNV-11). */
export function parentsStatus(route: KubeObject, converted: ConvertedRoute, at: Date): readonly Tree[] {
  const { parents } = statusIn(route)
  const before = Array.isArray(parents) ? parents.filter((each) => isTree(each)) : []
  const isOurs = ({ controllerName }: Tree) => controllerName === GATEWAY_CONTROLLER
  const lastOf = ({ parent }: ParentAnswer) => before.find((entry) => isOurs(entry) && isSame(entry.parentRef, parent))
  const told = (answer: ParentAnswer) => parentStatus(answer, { route, converted, before: lastOf(answer), at })
  const kept = before.flatMap((entry) =>
    isOurs(entry) ? converted.parents.filter((answer) => lastOf(answer) === entry).map(told) : [entry],
  )
  return [...kept, ...converted.parents.filter((answer) => lastOf(answer) === undefined).map(told)]
}

interface TellingParent {
  readonly route: KubeObject
  readonly converted: ConvertedRoute
  /** What we answered before. */
  readonly before: Tree | undefined
  readonly at: Date
}
function parentStatus({ parent, acceptance, message }: ParentAnswer, telling: TellingParent): Tree {
  const { resolution, isPartial } = telling.converted
  const isAccepted = acceptance === 'Accepted'
  const partial = { type: 'PartiallyInvalid', holds: true, reason: 'UnsupportedValue', message: PARTIAL }
  const conditions = [
    { type: 'Accepted', holds: isAccepted, reason: acceptance, message },
    {
      type: 'ResolvedRefs',
      holds: resolution === 'ResolvedRefs',
      reason: resolution,
      message: RESOLUTIONS[resolution],
    },
    ...(isAccepted && isPartial ? [partial] : []),
  ]
  return {
    parentRef: parent,
    controllerName: GATEWAY_CONTROLLER,
    conditions: conditions.map((stated) => conditionOf(stated, telling)),
  }
}
const PARTIAL = 'what a tunnel cannot match is left out, and never widened'
const RESOLUTIONS: Readonly<Record<ConvertedRoute['resolution'], string>> = {
  ResolvedRefs: 'all backends are there',
  RefNotPermitted: 'no ReferenceGrant lets the route name a Service of another namespace',
  InvalidKind: 'a backend is no Service',
  BackendNotFound: 'a Service of the route, or its port, does not exist',
}

interface StatedCondition {
  readonly type: string
  readonly holds: boolean
  readonly reason: string
  readonly message: string
}
/** The time is that of the last change of status. */
function conditionOf({ type, holds, reason, message }: StatedCondition, { route, before, at }: TellingParent): Tree {
  const status = holds ? 'True' : 'False'
  const known: readonly unknown[] = Array.isArray(before?.conditions) ? before.conditions : []
  const last = known.find((each) => isTree(each) && each.type === type && each.status === status)
  const since = isTree(last) ? last.lastTransitionTime : undefined
  return {
    ...{ type, status, reason, message, observedGeneration: route.metadata.generation ?? 0 },
    lastTransitionTime: typeof since === 'string' ? since : at.toISOString().replace(/\.\d{3}Z$/, 'Z'),
  }
}
