import type { Settings } from '../kit/schema.ts'
import { FEATURE_GATES } from './settings.ts'

/** The gate of the whole family (PATCH-GATE-1). Of several states the last counts, as in Kubernetes. */
export function isGateOn(settings: Settings): boolean {
  return settings.get(FEATURE_GATES).at(-1) !== 'AdvancedDaemonSetNodeLabelPatches=false'
}
