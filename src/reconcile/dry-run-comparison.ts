import type { ClusterReader, KubeObject } from '../cluster/port.ts'
import { projectionOf } from '../cluster/projection.ts'
import { isNamed } from '../cluster/stored.ts'
import type { ApplyAction, Performed } from './action.ts'
import { digestOf, MANAGER, outcomeOf, versioned } from './apply.ts'

/**
 * What is known of an apply before it is sent: that it would store nothing else, or would be refused (NC-STS-43). Nothing
 * where it has to be sent.
 */
export async function comparedByDryRun(
  action: ApplyAction,
  live: Pick<ClusterReader, 'dryRun'>,
): Promise<Performed | undefined> {
  const { of, over, manager = MANAGER, compares } = action
  if (compares === undefined || over === undefined) return undefined
  const tried = await outcomeOf(live.dryRun(of, versioned(action), 'apply', manager))
  if (tried.outcome !== 'done') return tried
  return isNamed(tried.answer) && digestOfStored(tried.answer) === digestOfStored(over) ? NEEDLESS : undefined
}
const NEEDLESS: Performed = { outcome: 'needless' }

/** Of all that is stored, but who wrote which field and when it was written. */
function digestOfStored(object: KubeObject): string {
  if (!isNamed(object)) return ''
  const { apiVersion: _, kind: __, metadata, ...body } = withoutBookkeeping(object) // an item of a list has neither
  return digestOf({ ...body, metadata: { ...metadata, resourceVersion: undefined } })
}
const withoutBookkeeping = projectionOf()
