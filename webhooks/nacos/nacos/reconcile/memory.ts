import type { Given } from '../../../kit/controller.ts'

/** What a key remembers between its turns; all of it begins again after a restart. */
export interface NacosMemory {
  readonly settle?: SettleMemory | undefined
  /** The versions of the sources that were seen during a pause, and wait no more after it (NC-ROL-10). */
  readonly paused?: string | undefined
  /** Since when the newest template is rolled out, in milliseconds; of a rollout that stood before, nothing is known. */
  readonly rolloutSinceMs?: number | undefined
  readonly progress?: Since | undefined
  readonly quorumLost?: Since | undefined
  /** What has been told of them. */
  readonly badPatterns?: string
}
/** Something that has been so since a time, in milliseconds. */
export interface Since {
  readonly what: string
  readonly sinceMs: number
}
/** The versions of the sources, since when they are so, and since when they have been changing (NC-ROL-01). */
export interface SettleMemory extends Since {
  readonly begunMs: number
}

/** The same as before, or from now on. */
export const sinceFor = (what: string, before: Since | undefined, nowMs: number): Since =>
  before?.what === what ? before : { what, sinceMs: nowMs }

export type NacosGiven = Given<NacosMemory>
