import type { Action, Built, Plan } from '../../../kit/controller.ts'
import type { Found, Gvr, KubeObject } from '../../../kit/schema.ts'
import { contextPathIn } from '../../config/context-path.ts'
import { CONFIG_MAP, NACOS_SERVICE, NACOS_STATEFULSET } from '../../kubernetes.ts'
import { configMapFor } from '../objects/final.ts'
import { holdOn } from '../objects/metadata.ts'
import { clientServiceFor, peerServiceFor } from '../objects/services.ts'
import { statefulSetFor } from '../objects/stateful-set.ts'
import { NACOS } from '../schema.ts'
import { sourcesOf } from '../shape.ts'
import { isRolledOut } from '../status/rollout.ts'
import type { Confirmation } from './confirm.ts'
import { type ConfigDecision, decisionFor } from './decision.ts'
import { isForeignTemplate, isWithheld } from './first-contact.ts'
import type { NacosGiven, NacosMemory } from './memory.ts'
import { mountedIn } from './mounted.ts'
import type { NacosSeen } from './seen.ts'

/** The field manager of all children. */
export const MANAGER = 'tars-admission-nacos'

/** Pure; in the order of NC-DIG-30 and NC-REC-41. */
export function plan(seen: NacosSeen, given: NacosGiven): Plan<Confirmation, NacosMemory> {
  if (isWithheld(seen)) return { actions: begun(seen) }
  const decision = decisionFor(seen, given)
  return {
    actions: [
      ...begun(seen),
      ...childrenOf(seen, {
        of: NACOS_SERVICE,
        object: peerServiceFor(seen.nacos, seen.peerService),
        over: seen.peerService,
        because: 'NC-SVC-01',
      }),
      ...podsOf(seen, decision, given),
      ...childrenOf(seen, {
        of: NACOS_SERVICE,
        object: clientServiceFor(seen.nacos, given.settings, seen.clientService),
        over: seen.clientService,
        because: 'NC-SVC-02',
      }),
      ...outgrown(seen, decision),
    ],
  }
}

/** NC-REC-10 */
function begun({ nacos }: NacosSeen): readonly Action[] {
  if (nacos.status?.phase) return []
  const { namespace = '', name, uid = '', resourceVersion = '' } = nacos.metadata
  const patch = { status: { phase: 'Creating', healthy: false } }
  const expects = { uid, resourceVersion }
  return [
    { do: 'merge', of: NACOS, subresource: 'status', ref: { namespace, name }, expects, patch, because: 'NC-REC-10' },
  ]
}

interface Child {
  readonly of: Gvr
  readonly object: Built
  readonly over: Found<KubeObject> | undefined
  readonly because: string
}
/** Each child stands for itself: where one fails, the others are applied (NC-REC-03). */
const applied = ({ of, object, over, because }: Child) => ({
  ...({ do: 'apply', of, object, manager: MANAGER, compares: 'dry run', apart: true, because } as const),
  ...(over && { over }),
})

/** What somebody else owns stays as it is (NC-REC-42). */
function childrenOf({ nacos }: NacosSeen, child: Child) {
  return child.over === undefined || holdOn(child.over, nacos) === 'ours' ? [applied(child)] : []
}

function podsOf(
  seen: NacosSeen,
  decision: ConfigDecision,
  { settings }: NacosGiven,
): readonly (Action | Confirmation)[] {
  const { nacos, statefulSet: live } = seen
  const { state, mounted: config, text } = decision
  const isBlocked = typeof state === 'object' && config === undefined && live === undefined
  if (isForeignTemplate(seen)) return []
  const first = configActions(seen, decision)
  if (isBlocked) return first
  const contextPath = text === undefined && config !== undefined ? undefined : contextPathIn(text ?? '')
  const object = statefulSetFor({ nacos, settings, config, contextPath, live })
  const apply = childrenOf(seen, { of: NACOS_STATEFULSET, object, over: live, because: 'NC-STS-40' })
  return [
    ...first,
    ...(first.length > 0 ? apply.map(({ apart: _, ...each }) => ({ ...each, follows: true as const })) : apply),
  ]
}

function configActions({ nacos, final }: NacosSeen, { writes }: ConfigDecision): readonly (Action | Confirmation)[] {
  if (writes === undefined) return []
  const { configMap: name, key, digest, text } = writes
  const apply = applied({ of: CONFIG_MAP, object: configMapFor(nacos, writes), over: final, because: 'NC-MRG-24' })
  if (final?.data?.[key] === text) return [apply]
  const ref = { namespace: nacos.metadata.namespace ?? '', name }
  return [apply, { do: 'confirm', ref, key, digest, follows: true, because: 'NC-DIG-02' }]
}

/**
 * What was generated for this Nacos and is mounted no more goes when the rollout is complete (NC-DIG-43, NC-DIG-44), but
 * for a source: the ConfigMap of the old way may have become one (NC-BC-05).
 */
function outgrown({ nacos, generated, statefulSet }: NacosSeen, { state, mounted }: ConfigDecision): readonly Action[] {
  const live = mountedIn(statefulSet)
  const isMounted = live?.configMap === mounted?.configMap && live?.digest === mounted?.digest
  if (typeof state === 'object' || !isMounted || !isRolledOut(statefulSet)) return []
  const inUse = [mounted?.configMap, ...sourcesOf(nacos).map(({ name }) => name)]
  return generated.filter((each) => holdOn(each, nacos) === 'ours' && !inUse.includes(each.metadata.name)).map(removal)
}

function removal({ metadata: { namespace = '', name, uid = '' } }: KubeObject): Action {
  return { do: 'remove', of: CONFIG_MAP, ref: { namespace, name }, expects: { uid }, apart: true, because: 'NC-DIG-43' }
}
