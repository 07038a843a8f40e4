import { ANNOTATIONS } from '../../names.ts'
import { holdOn } from '../objects/metadata.ts'
import type { ConfigDecision, ConfigWait } from '../reconcile/decision.ts'
import { isForeignTemplate, isPaused } from '../reconcile/first-contact.ts'
import type { HeldConfig } from '../reconcile/held.ts'
import type { NacosSeen } from '../reconcile/seen.ts'
import { childNamesOf } from '../shape.ts'
import type { EndedTurn } from './ended.ts'
import { isHealthy, type Phase, type PhaseFacts } from './phase.ts'
import { isRolledOut, rolloutOf } from './rollout.ts'

export interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}
const condition = (type: string, isTrue: boolean, reason: string, message = ''): Condition => ({
  type,
  status: isTrue ? 'True' : 'False',
  reason,
  message,
})

export const specCondition = (problems: readonly string[]) =>
  problems.length === 0
    ? condition('SpecValid', true, 'Valid')
    : condition('SpecValid', false, 'Invalid', problems.join('; '))

const WAITS: Readonly<Record<ConfigWait['until'], readonly [reason: string, why: string]>> = {
  Settling: ['Settling', 'waits until the sources are quiet'],
  Paused: ['Paused', 'waits for the end of the pause'],
  SpecInvalid: ['InProgress', 'waits until the spec is valid'],
}

export function configCondition({ state, waits }: ConfigDecision): Condition {
  if (typeof state === 'object') return condition('ConfigReady', false, state.reason, state.message)
  return condition('ConfigReady', true, state, waits && `${waits.digest} is not rolled out yet`)
}
export const isHeld = (state: ConfigDecision['state']): state is HeldConfig => typeof state === 'object'

/** A rollout that waits says so, and otherwise what is known of the one that runs (spec 4.8). */
export function rolloutCondition(
  seen: NacosSeen,
  { statefulSet }: EndedTurn,
  { waits, state }: ConfigDecision,
  isStuck: boolean,
): Condition {
  const because = (reason: string, message?: string) => condition('RolloutComplete', false, reason, message)
  if (waits !== undefined) {
    const [reason, why] = WAITS[waits.until]
    return because(reason, `${waits.digest} ${why}`)
  }
  if (isPaused(seen) && observedIn(seen) !== seen.nacos.metadata.generation)
    return because('Paused', 'the spec waits for the end of the pause')
  if (statefulSet === undefined)
    return because('InProgress', isHeld(state) ? 'no pods are made before the configuration is there' : '')
  const { updated, wanted, ready, partition } = rolloutOf(statefulSet)
  if (isRolledOut(statefulSet)) return condition('RolloutComplete', true, 'Complete')
  const figures = `${updated} of ${wanted} members are updated, ${ready} are ready`
  if (isStuck) return because('Stuck', figures)
  return because('InProgress', partition > 0 ? `${figures}; partition=${partition}` : figures)
}

/** The generation of the spec that was acted upon: while all work is paused, it stays. */
export const observedIn = (seen: Pick<NacosSeen, 'nacos'>) =>
  isPaused(seen) ? seen.nacos.status?.observedGeneration : seen.nacos.metadata.generation

/** NC-REC-42, NC-STS-45, NC-STS-65 */
export function childrenCondition(seen: NacosSeen, { refusals }: EndedTurn): Condition {
  const conflicts = conflictsIn(seen)
  const because = (reason: string, message: string) => condition('ChildrenReady', false, reason, message)
  if (conflicts.length > 0)
    return because('ChildConflict', `${conflicts.join(', ')}: not made for this Nacos, and left as it is`)
  if (isForeignTemplate(seen)) return because('ForeignTemplate', takeOverWords(seen))
  if (refusals.length > 0) return because('ApplyFailed', refusals.join('; '))
  return condition('ChildrenReady', true, 'Applied')
}

export function conflictsIn({ nacos, statefulSet, peerService, clientService }: NacosSeen): readonly string[] {
  const [name = '', headless = '', client = ''] = childNamesOf(nacos.metadata.name)
  const peer = nacos.spec?.type === 'cluster' ? headless : name
  const children = [
    { what: `StatefulSet ${name}`, object: statefulSet },
    { what: `Service ${peer}`, object: peerService },
    { what: `Service ${client}`, object: clientService },
  ]
  return children.flatMap(({ what, object }) =>
    object === undefined || holdOn(object, nacos) === 'ours' ? [] : [what],
  )
}

export function takeOverWords({ nacos, statefulSet }: NacosSeen): string {
  const { name, namespace = '' } = nacos.metadata
  const revision = statefulSet?.metadata.annotations?.[ANNOTATIONS.templateRevision]
  const maker = revision === undefined ? 'another operator' : `another release, with revision ${revision.slice(0, 16)}`
  return `StatefulSet ${name} was made by ${maker}; take it over with: kubectl delete statefulset ${name} --namespace=${namespace} --cascade=orphan`
}

export const PAUSED = condition('Paused', true, 'Paused', 'nothing but the status is written')

export function readyCondition(phase: Phase, facts: PhaseFacts): Condition {
  const { ready, wanted, hasRun } = facts
  const figures = `${ready} of ${wanted} members are ready`
  if (isHealthy(phase, facts)) return condition('Ready', true, phase, figures)
  if (!facts.isSpecValid) return condition('Ready', false, 'SpecInvalid', 'see SpecValid')
  return condition('Ready', false, hasRun ? 'QuorumLost' : 'Creating', figures)
}
