import { type Built, Refused } from '../../../src/cluster/port.ts'
import type { Cause } from '../../../src/kube/status.ts'

/** What comes of an object that is sent, without what differs from run to run. */
export async function outcomeOf(write: Promise<Built>, namespace: string): Promise<unknown> {
  try {
    return { stored: lasting(await write) }
  } catch (cause) {
    if (!(cause instanceof Refused)) throw cause
    const { code, reason, message, details } = cause.status
    const refused = { code, reason, message, causes: distinct(details?.causes ?? []) }
    return { refused: JSON.parse(JSON.stringify(refused).replaceAll(namespace, 'NAMESPACE')) }
  }
}

function lasting({ metadata, ...body }: Built): unknown {
  const own = Object.entries(metadata).filter(([field]) => !PASSING.includes(field))
  return { ...body, metadata: Object.fromEntries(own) }
}
const PASSING = ['namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields']

/** The API server tells them in no order, and some of them twice or three times on an update. */
function distinct(causes: readonly Cause[]): readonly unknown[] {
  return inOrder(causes.map(({ field, reason, message }) => ({ field, reason, message })))
}
export function inOrder(causes: readonly unknown[]): readonly unknown[] {
  const lines = causes.map((cause) => JSON.stringify(cause))
  return [...new Set(lines)].sort().map((line) => JSON.parse(line))
}
