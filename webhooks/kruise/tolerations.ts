import type { Tree } from '../kit/schema.ts'
import { treesIn } from './list/touched.ts'

const tolerating = (name: string, effect: string): Tree => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
})

/** What the controllers add to every pod, in their order (spec 1.3). */
const TOLERATIONS: readonly Tree[] = [
  ...['not-ready', 'unreachable'].map((name) => tolerating(name, 'NoExecute')),
  ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((name) =>
    tolerating(name, 'NoSchedule'),
  ),
]
export const HOST_NETWORK_TOLERATION = tolerating('network-unavailable', 'NoSchedule')

export function isSameToleration(one: Tree, other: Tree): boolean {
  return ['key', 'operator', 'effect', 'value'].every((field) => (one[field] ?? '') === (other[field] ?? ''))
}

/**
 * PATCH-POD-INV-2: a patch replaces the whole list. Without these tolerations the API server would add some that end
 * after five minutes, and Nodes in trouble would lose their daemons.
 */
export function tolerant(spec: Tree): Tree {
  const present = treesIn(spec, 'tolerations')
  const wanted = spec.hostNetwork === true ? [...TOLERATIONS, HOST_NETWORK_TOLERATION] : TOLERATIONS
  const missing = wanted.filter((each) => !present.some((one) => isSameToleration(one, each)))
  return missing.length === 0 ? spec : { ...spec, tolerations: [...present, ...missing] }
}
