import type { State } from './loop/state.ts'
import type { BrokenResource } from './resources/resource.ts'

/** How far a daemon is, for /readyz and for the ready line. */
export interface Readiness {
  readonly resources: number
  /** Those that have not passed since the start: they keep it from being ready. */
  readonly waiting: readonly Troubled[]
  /** Those that have passed once, and fail now. */
  readonly failing: readonly Troubled[]
  /** Since when changes of the store are not heard of. */
  readonly watchDownSince?: Date | undefined
}

export interface Troubled {
  readonly resource: string
  readonly reason: string
}

export const UNREAD: Readiness = {
  resources: 0,
  waiting: [{ resource: 'conf.d', reason: 'has not been read yet' }],
  failing: [],
}

interface Judged {
  readonly states: readonly State[]
  readonly broken: readonly BrokenResource[]
  /** Whether a resource of this name has passed before. */
  readonly hadPassed: (name: string) => boolean
}

export function readinessOf({ states, broken, hadPassed }: Judged): Readiness {
  const [waiting, failing]: [Troubled[], Troubled[]] = [[], []]
  for (const { name, why } of broken) (hadPassed(name) ? failing : waiting).push({ resource: name, reason: why })
  for (const { resource, hasPassed, problem } of states) {
    const { name } = resource
    if (!hasPassed && !hadPassed(name)) waiting.push({ resource: name, reason: problem ?? 'has not passed yet' })
    else if (problem !== undefined) failing.push({ resource: name, reason: problem })
  }
  return { resources: states.length + broken.length, waiting, failing }
}

const MOST_NAMED = 50
const LONGEST = 300

/** What /readyz says: of many the first, so that a probe reads some kilobytes at most. */
export function detailOf({ waiting, failing, watchDownSince }: Readiness) {
  const leftOut = [waiting, failing].reduce((sum, each) => sum + Math.max(0, each.length - MOST_NAMED), 0)
  return {
    ready: waiting.length === 0,
    waiting: waiting.slice(0, MOST_NAMED).map(shortened),
    failing: failing.slice(0, MOST_NAMED).map(shortened),
    ...(leftOut > 0 && { leftOut }),
    ...(watchDownSince !== undefined && { watchDownSince: watchDownSince.toISOString() }),
  }
}

function shortened({ resource, reason }: Troubled): Troubled {
  return { resource: cut(resource), reason: cut(reason) }
}
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
