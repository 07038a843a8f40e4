import type { Notice } from '../../../kit/controller.ts'
import { ANNOTATIONS } from '../../names.ts'
import { treeIn } from '../objects/parts.ts'
import type { Nacos } from '../schema.ts'
import { conflictsIn, isHeld, takeOverWords } from '../status/conditions.ts'
import type { EndedTurn } from '../status/ended.ts'
import type { KnownNacos } from '../status/known.ts'
import { intactDigest } from './decision.ts'
import { isForeignTemplate } from './first-contact.ts'
import type { HeldConfig } from './held.ts'
import type { NacosGiven } from './memory.ts'
import { protectedIn, sourceMarks } from './merged.ts'
import { templateDigestOf } from './mounted.ts'
import type { NacosSeen } from './seen.ts'

const normal = (reason: string, message: string): Notice => ({ type: 'Normal', reason, message })
const warning = (reason: string, message: string): Notice => ({ type: 'Warning', reason, message })
const NEWEST = 'the newest template'

/** What people read in `kubectl describe`: each once, when it becomes so (NC-REC-72). */
export function noticesOf(seen: NacosSeen, ended: EndedTurn, known: KnownNacos, given: NacosGiven): readonly Notice[] {
  return [
    ...aboutConfig(seen, ended, known),
    ...aboutPatterns(seen, given),
    ...aboutRollout(seen, ended, known),
    ...aboutChildren(seen),
  ]
}

function aboutConfig(
  { nacos, final }: NacosSeen,
  { isConfigWritten }: EndedTurn,
  { decision }: KnownNacos,
): readonly Notice[] {
  const { state, writes } = decision
  if (isHeld(state)) return isToldAlready(nacos, state) ? [] : [held(state)]
  if (!isConfigWritten || writes === undefined) return []
  const { configMap, text, digest } = writes
  const isRestored = final?.metadata.annotations?.[ANNOTATIONS.configDigest] === digest
  if (isRestored && intactDigest(final) === undefined) return [drift(nacos, configMap)]
  if (isRestored) return []
  return [normal('ConfigMerged', `ConfigMap ${configMap} has ${Buffer.byteLength(text)} bytes with digest ${digest}`)]
}

function isToldAlready(nacos: Nacos, { reason: why }: HeldConfig): boolean {
  return isStored(nacos, 'ConfigReady', why)
}

function held(state: HeldConfig): Notice {
  const message = `${state.reason}: ${state.message}`
  return warning(state.reason === 'FinalConfigConflict' ? 'FinalConfigConflict' : 'ConfigHeld', message)
}

/** NC-DIG-34 */
function drift({ metadata: { name } }: Nacos, configMap: string): Notice {
  const remedy = `a pod that started meanwhile has the edited text: kubectl rollout restart statefulset ${name}`
  return warning('FinalConfigDrift', `ConfigMap ${configMap} was edited and is restored; ${remedy}`)
}

/** NC-PRO-02: the first of them, as they are told. */
export function badPatternsIn(seen: NacosSeen, { settings }: NacosGiven): string {
  const { bad } = protectedIn(seen, settings)
  return bad
    .slice(0, 10)
    .map((pattern) => `"${pattern}"`)
    .join(', ')
}

function aboutPatterns(seen: NacosSeen, given: NacosGiven): readonly Notice[] {
  const bad = badPatternsIn(seen, given)
  if (bad === '' || bad === given.remembered?.badPatterns) return []
  return [warning('InvalidPattern', `protected keys: ${bad} is no key and no beginning of keys with a *`)]
}

function aboutRollout(seen: NacosSeen, ended: EndedTurn, known: KnownNacos): readonly Notice[] {
  const { nacos, statefulSet: before } = seen
  const digest = templateDigestOf(ended.statefulSet)
  if (ended.isTemplateChanged && before !== undefined) return [started(seen, digest)]
  if (known.isStuck) return isStored(nacos, 'RolloutComplete', 'Stuck') ? [] : [stuck(seen, digest)]
  const isComplete = known.conditions.some(({ type, status }) => type === 'RolloutComplete' && status === 'True')
  if (!isComplete || isStored(nacos, 'RolloutComplete', 'Complete')) return []
  return [normal('RolloutComplete', `all ${known.facts.wanted} members have ${digest || NEWEST}`)]
}

function started(seen: NacosSeen, digest: string): Notice {
  const before = templateDigestOf(seen.statefulSet)
  if (before === digest) return normal('RolloutStarted', 'the pod template changes, but not the configuration')
  const changed = changedSources(seen)
  const by = changed.length === 0 ? '' : ` by ${changed.join(' and ')}`
  return normal('RolloutStarted', `the configuration changes from ${before || 'none'} to ${digest || 'none'}${by}`)
}

/** The ConfigMaps whose text is another one than that of the stored configuration. */
function changedSources(seen: NacosSeen): readonly string[] {
  const before = (seen.final?.metadata.annotations?.[ANNOTATIONS.configSources] ?? '').split(',')
  const changed = sourceMarks(seen).filter(({ mark }) => !before.includes(mark))
  return changed.map(({ name }) => `ConfigMap ${name}`)
}

/** NC-ROL-21, NC-ROL-22 */
function stuck({ nacos, pods, statefulSet }: NacosSeen, digest: string): Notice {
  const waiting = pods.filter(({ isReady }) => !isReady)
  const pod = waiting.find(({ trouble }) => trouble !== undefined) ?? waiting[0]
  const what = pod === undefined ? 'pods are missing' : `pod ${pod.name}: ${pod.trouble ?? 'not ready'}`
  const last = nacos.status?.lastRolledOutConfigDigest
  const from = last === undefined ? '' : ` from ${last}`
  const isOrdered = treeIn(treeIn(statefulSet).spec).podManagementPolicy === 'OrderedReady'
  const remedy = isOrdered ? '; when the source is mended, delete that pod' : ''
  return warning('RolloutStuck', `no progress towards ${digest || NEWEST}${from}; ${what}${remedy}`)
}

function aboutChildren(seen: NacosSeen): readonly Notice[] {
  const { nacos } = seen
  const conflicts = conflictsIn(seen).join(', ')
  const isOfOthers = conflicts === '' && isForeignTemplate(seen)
  if (conflicts === '' && !isOfOthers) return []
  if (isStored(nacos, 'ChildrenReady', isOfOthers ? 'ForeignTemplate' : 'ChildConflict')) return []
  if (isOfOthers) return [warning('TakeOverDrift', takeOverWords(seen))]
  return [warning('ChildConflict', `${conflicts}: left as it is, since this Nacos does not control it`)]
}

/** Whether the status says so already. */
function isStored({ status }: Nacos, type: string, why: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.reason === why && !each.podName) === true
}
