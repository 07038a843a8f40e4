import type { Pairs } from '../pass/values.ts'
import type { TemplateResource } from '../resources/resource.ts'

/** What the loop knows of a resource (6.1). Times are those of the clock's tick. */
export interface State {
  resource: TemplateResource
  /** When a change is to be looked at. */
  dueAt: number
  /** When a pass runs whatever the store says: at the start, after a failure, at each resync. */
  forcedAt: number
  startedAt: number
  isRunning: boolean
  /** In a row, of passes and reloads. */
  failures: number
  /** The target is new, and the reload has not worked yet. */
  owesReload: boolean
  /** What was tried last, unless time alone may cure it. */
  tried: Pairs | undefined
  /** It has passed once since the start, reload included. */
  hasPassed: boolean
  /** What is wrong at present. */
  problem: string | undefined
}

export const NEVER = Number.POSITIVE_INFINITY

export const newState = (resource: TemplateResource): State => ({
  resource,
  dueAt: NEVER,
  forcedAt: Number.NEGATIVE_INFINITY,
  startedAt: Number.NEGATIVE_INFINITY,
  isRunning: false,
  failures: 0,
  owesReload: false,
  tried: undefined,
  hasPassed: false,
  problem: undefined,
})
