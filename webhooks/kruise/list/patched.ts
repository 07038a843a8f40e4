import { withoutDirectives } from '../../../src/kube/strategic-merge/directives.ts'
import { strategicMerge } from '../../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../../src/kube/strategic-merge/merge-error.ts'
import type { Tree } from '../../kit/schema.ts'
import { CONTAINERS, eachIn, type Merging, specOf, touchedIn, treeIn, without } from './touched.ts'

/** Of a template or a pod. Throws MergeError, which names the entry; nothing is merged in part (PATCH-ORD-3). */
export function merged(root: Tree, entries: readonly Merging[]): Tree {
  return entries.reduce((before, { index, patch }) => {
    try {
      return strategicMerge(before, patch)
    } catch (cause) {
      throw cause instanceof MergeError ? new MergeError('', `patch ${index}: ${cause.message}`) : cause
    }
  }, root)
}

export function patchedTemplate(template: Tree, entries: readonly Merging[]): Tree {
  return withoutDirectives(merged(template, entries))
}

/**
 * What follows from a merge, in pods and in the samples that are judged: values that the API server derived from what
 * has changed go, and it derives them again (PATCH-POD-INV-6 to PATCH-POD-INV-9).
 */
export function consistent(before: Tree, after: Tree, entries: readonly Merging[]): Tree {
  const [had, has] = [specOf(before), specOf(after)]
  const changed = (field: string) => had[field] !== has[field]
  const spec = without(has, [
    ...(changed('priorityClassName') ? ['priority', 'preemptionPolicy'] : []),
    ...(changed('runtimeClassName') ? ['overhead'] : []),
    ...(changed('serviceAccountName') ? ['serviceAccount'] : []),
  ])
  const { serviceAccountName } = has
  const alias = changed('serviceAccountName') && serviceAccountName !== undefined
  const named = alias ? { ...spec, serviceAccount: serviceAccountName } : spec
  const filled = fillLimits(named, entries)
  return filled === after.spec ? after : { ...after, spec: filled }
}

/** PATCH-POD-INV-9: the API server refuses a request of what cannot be overcommitted without a limit. */
export function fillLimits(spec: Tree, entries: readonly Merging[]): Tree {
  return CONTAINERS.reduce((whole, list) => {
    const touched = touchedIn(entries, list)
    return touched.size === 0 ? whole : eachIn(whole, list, (each) => (touched.has(each.name) ? limited(each) : each))
  }, spec)
}

function limited(container: Tree): Tree {
  const resources = treeIn(container, 'resources')
  const [requests, limits] = [treeIn(resources, 'requests'), treeIn(resources, 'limits')]
  const missing = Object.entries(requests).filter(([name]) => needsLimit(name) && !Object.hasOwn(limits, name))
  if (missing.length === 0) return container
  return { ...container, resources: { ...resources, limits: { ...limits, ...Object.fromEntries(missing) } } }
}

/** An extended resource or huge pages. */
export const needsLimit = (name: string) =>
  name.startsWith('hugepages-') || (name.includes('/') && !name.includes('kubernetes.io/'))
