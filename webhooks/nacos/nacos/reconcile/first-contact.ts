import { ANNOTATIONS } from '../../names.ts'
import { holdOn } from '../objects/metadata.ts'
import { TEMPLATE_REVISION } from '../objects/stateful-set.ts'
import type { NacosSeen } from './seen.ts'

// What keeps the worker from writing.

/** NC-ROL-10 */
export const isPaused = ({ nacos }: Pick<NacosSeen, 'nacos'>) =>
  nacos.metadata.annotations?.[ANNOTATIONS.reconcilePaused] === 'true'

/** No child is written at all (NC-REC-12, NC-REC-13). */
export const isWithheld = (seen: Pick<NacosSeen, 'nacos' | 'problems'>) => isPaused(seen) || seen.problems.length > 0

/**
 * A StatefulSet of another operator is not written, and neither is what its pods mount (NC-STS-65). One of a template
 * revision that is not known here is of a later release: as this release builds it, all its pods would restart (NC-STS-63).
 */
export function isForeignTemplate({ nacos, statefulSet }: Pick<NacosSeen, 'nacos' | 'statefulSet'>): boolean {
  if (statefulSet === undefined || holdOn(statefulSet, nacos) !== 'ours') return false
  return statefulSet.metadata.annotations?.[ANNOTATIONS.templateRevision] !== TEMPLATE_REVISION
}
