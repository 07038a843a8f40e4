import type { Action } from '../../kit/controller.ts'
import type { Tree } from '../../kit/schema.ts'
import { treeIn, valueIn } from '../list/touched.ts'
import { LABELS } from '../names.ts'
import { POD, type StoredDaemonPod } from './resources.ts'
import { meant } from './revise.ts'

/** A pod goes at once, or first waits for the hook that holds it (PATCH-CTL-18). */
export function removalOf({ metadata }: StoredDaemonPod, lifecycle: Tree): readonly Action[] {
  const where = { of: POD, ...meant(metadata) }
  if (!isHeld(metadata, treeIn(lifecycle, 'preDelete'))) return [{ do: 'remove', ...where, because: 'PATCH-CTL-15' }]
  if (metadata.labels?.[LABELS.lifecycle] === PREPARING) return []
  const patch = { metadata: { labels: { [LABELS.lifecycle]: PREPARING } } }
  return [{ do: 'merge', ...where, patch, because: 'PATCH-CTL-18' }]
}
const PREPARING = 'PreparingDelete'

function isHeld({ labels, finalizers }: StoredDaemonPod['metadata'], hook: Tree): boolean {
  const byLabels = Object.entries(treeIn(hook, 'labelsHandler'))
  if (byLabels.some(([key, value]) => labels?.[key] === value)) return true
  const named = valueIn(hook, 'finalizersHandler')
  return Array.isArray(named) && (finalizers ?? []).some((finalizer) => named.includes(finalizer))
}
