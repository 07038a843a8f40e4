import type { Labels } from '../../../src/kube/labels.ts'
import { selects } from '../../../src/kube/selectors.ts'
import type { Entry } from './entry.ts'

/** In the order of their application: a higher priority overrides a lower one, a later entry an earlier one (PATCH-ORD-1). */
export function applicable(entries: readonly Entry[], nodeLabels: Labels): readonly Entry[] {
  return entries
    .filter(({ selector }) => selector !== undefined && selects(selector, nodeLabels))
    .sort((one, other) => one.priority - other.priority || one.index - other.index)
}
