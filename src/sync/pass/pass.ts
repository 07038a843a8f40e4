import type { Host } from '../host/host.ts'
import type { TemplateResource } from '../resources/resource.ts'
import { commit } from './commit.ts'
import type { Outcome } from './outcome.ts'
import { type ParsedTemplates, rendered } from './render.ts'
import { targetOf } from './target.ts'

export interface Turn {
  /** As the template sees them. */
  readonly values: ReadonlyMap<string, string>
  readonly templates: ParsedTemplates
  readonly host: Host
  readonly how: How
  /** Aborts when this process ends: what has not been swapped is not. */
  readonly signal: AbortSignal
  /** Hears how the target differs, before anything is done about it. */
  readonly differs: (differences: readonly string[]) => void
  /** Hears how long a check took. */
  readonly checked: (ms: number) => void
}

export interface How {
  readonly isNoop: boolean
  readonly isSyncOnly: boolean
  readonly keepsStage: boolean
}

/** One pass of one resource: render → compare → check → swap. The reload that is owed afterwards is its own step. */
export async function pass(resource: TemplateResource, turn: Turn): Promise<Outcome> {
  const { host, how, signal } = turn
  if (signal.aborted) return { did: 'stopped' }
  const content = await rendered(resource, turn)
  if ('did' in content) return content
  const target = await targetOf(resource, content, host)
  if ('did' in target) return target
  if (target.differs.length === 0) return { did: 'nothing' }
  turn.differs(target.differs)
  if (how.isNoop) return { did: 'would change' }
  return commit({ ...turn, ...how, resource, content, owner: target.owner })
}
