import { selects } from '../../../src/kube/selectors.ts'
import { valueAt } from '../../kit/admission.ts'
import { isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import { consistent } from '../list/patched.ts'
import { selectorFrom } from '../list/selector.ts'
import { type Merging, specOf, treeIn, treesIn, without } from '../list/touched.ts'
import { GATES, LABELS } from '../names.ts'
import { REQUIRED_AFFINITY } from '../owner.ts'
import { tolerant } from '../tolerations.ts'

/** PATCH-POD-INV-1, PATCH-POD-INV-4, PATCH-POD-INV-5: what the controller knows its pod by, and where it runs. */
const AS_RECEIVED: readonly (readonly string[])[] = [
  ['metadata', 'labels', LABELS.revision],
  ['metadata', 'labels', LABELS.generation],
  ...['name', 'generateName', 'namespace', 'ownerReferences'].map((field) => ['metadata', field]),
  ['spec', 'nodeName'],
  ['spec', ...REQUIRED_AFFINITY],
]

/** The result of a merge, with what no patch may change (spec 6.5). */
export function repaired(before: Tree, after: Tree, entries: readonly Merging[]): Tree {
  const restored = AS_RECEIVED.reduce((each, path) => asBefore(before, each, path), after)
  const whole = consistent(before, restored, entries)
  const spec = withGates(specOf(before), tolerant(specOf(whole)))
  return { ...whole, spec }
}

function asBefore(before: Tree, after: Tree, [key = '', ...rest]: readonly string[]): Tree {
  if (rest.length > 0) {
    const inner = asBefore(treeIn(before, key), treeIn(after, key), rest)
    return isTree(after[key]) || Object.keys(inner).length > 0 ? { ...after, [key]: inner } : after
  }
  return Object.hasOwn(before, key) ? { ...after, [key]: before[key] } : without(after, [key])
}

/** PATCH-POD-INV-3: a patch replaces the whole list, and OpenKruise could not update the pod in place. */
function withGates(before: Tree, spec: Tree): Tree {
  const present = treesIn(spec, 'readinessGates')
  const isPresent = (gate: unknown) => present.some(({ conditionType }) => conditionType === gate)
  const missing = treesIn(before, 'readinessGates').filter(
    ({ conditionType }) => GATES.some((gate) => gate === conditionType) && !isPresent(conditionType),
  )
  return missing.length === 0 ? spec : { ...spec, readinessGates: [...present, ...missing] }
}

/** PATCH-POD-INV-1 */
export function isSelected(daemonSet: KubeObject, pod: Tree): boolean {
  const selector = valueAt(daemonSet, 'spec.selector')
  const labels = Object.entries(treeIn(treeIn(pod, 'metadata'), 'labels'))
  const texts = labels.flatMap(([key, value]): (readonly [string, string])[] =>
    typeof value === 'string' ? [[key, value]] : [],
  )
  return !isTree(selector) || selects(selectorFrom(selector), Object.fromEntries(texts))
}
