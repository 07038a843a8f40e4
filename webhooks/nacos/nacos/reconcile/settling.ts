import type { Given } from '../../../kit/controller.ts'
import { ANNOTATIONS } from '../../names.ts'
import { SETTLE_SECONDS } from '../settings.ts'
import { type NacosMemory, type SettleMemory, sinceFor } from './memory.ts'
import type { NacosSeen } from './seen.ts'

const AT_MOST_TIMES = 6

/**
 * Until the sources have been quiet for a time, so that many edits are one rollout (NC-ROL-01). A change of the spec does
 * not wait, and takes the newest configuration along; neither does what was seen during a pause.
 */
export function settling(
  { nacos, sources }: Pick<NacosSeen, 'nacos' | 'sources'>,
  { at, settings, remembered }: Pick<Given<NacosMemory>, 'at' | 'settings' | 'remembered'>,
): (SettleMemory & { readonly forMs: number }) | undefined {
  const { generation, annotations } = nacos.metadata
  if (generation !== nacos.status?.observedGeneration) return undefined
  const versions = versionsOf(sources)
  if (versions === remembered?.paused) return undefined
  const now = at.getTime()
  const quietMs = secondsIn(annotations?.[ANNOTATIONS.configSettleSeconds], settings.get(SETTLE_SECONDS)) * 1_000
  const since = sinceFor(versions, remembered?.settle, now)
  const begunMs = remembered?.settle?.begunMs ?? now
  const forMs = Math.min(since.sinceMs + quietMs, begunMs + quietMs * AT_MOST_TIMES) - now
  return forMs > 0 ? { ...since, begunMs, forMs } : undefined
}

export function versionsOf(sources: NacosSeen['sources']): string {
  return JSON.stringify(sources.map(({ found }) => [found?.metadata.uid, found?.metadata.resourceVersion]))
}

/** A value that is no number of seconds counts as absent. */
function secondsIn(annotation: string | undefined, usual: number): number {
  return annotation !== undefined && /^\d{1,3}$/.test(annotation) && Number(annotation) <= 600
    ? Number(annotation)
    : usual
}
