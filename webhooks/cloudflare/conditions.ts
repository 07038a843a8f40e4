import type { Draft } from '../kit/schema.ts'
import type { CloudflareCondition } from './fields.ts'

/** CF-CRD-09 */
export type ReadyReason =
  | 'Synced'
  | 'SourceDeleted'
  | 'Pending'
  | 'DependencyNotReady'
  | 'CredentialError'
  | 'InvalidConfig'
  | 'ManagedByAnother'
  | 'AdoptionConflict'
  | 'DuplicateClaim'
  | 'RateLimited'
  | 'APIError'
  | 'Deleting'

const READY: readonly ReadyReason[] = ['Synced', 'SourceDeleted']
const CONFLICTS: readonly ReadyReason[] = ['ManagedByAnother', 'AdoptionConflict', 'DuplicateClaim']
const MOST_CHARACTERS = 1_024

export interface Outlook {
  readonly reason: ReadyReason
  readonly message: string
  readonly generation: number
  readonly at: Date
}

/** Ready and Conflicted. The time of a condition is that of its last change of status. */
export function conditionsOf(
  before: readonly Draft<CloudflareCondition>[] | undefined,
  outlook: Outlook,
): readonly CloudflareCondition[] {
  const { reason, message } = outlook
  const isConflict = CONFLICTS.includes(reason)
  return [
    conditionOf('Ready', READY.includes(reason), { ...outlook, reason, message }, before),
    conditionOf(
      'Conflicted',
      isConflict,
      { ...outlook, reason: isConflict ? reason : 'NoConflict', message: isConflict ? message : '' },
      before,
    ),
  ]
}

/** An event is told when this changes, and not on each attempt. */
export function isTransition(before: readonly Draft<CloudflareCondition>[] | undefined, { reason }: Outlook): boolean {
  return before?.find(({ type }) => type === 'Ready')?.reason !== reason
}

type StatedOutlook = Omit<Outlook, 'reason'> & { readonly reason: string }

function conditionOf(
  type: 'Ready' | 'Conflicted',
  holds: boolean,
  { reason, message, generation, at }: StatedOutlook,
  before: readonly Draft<CloudflareCondition>[] = [],
): CloudflareCondition {
  const status = holds ? 'True' : 'False'
  const last = before.find((each) => each.type === type)
  const since = last?.status === status ? last.lastTransitionTime : undefined
  const text = [...message.toWellFormed()].slice(0, MOST_CHARACTERS).join('')
  return {
    type,
    status,
    reason,
    message: text,
    observedGeneration: generation,
    lastTransitionTime: since ?? timeOf(at),
  }
}

/** As the API server has times: whole seconds. */
const timeOf = (at: Date) => at.toISOString().replace(/\.\d{3}Z$/, 'Z')
