import type { Rule } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { caseOf } from './case.ts'
import { nodeLabels } from './nodes.ts'
import { resultsOf } from './results.ts'
import { type PatchRuleParts, patchRule } from './rule.ts'
import { mergeable } from './samples.ts'
import { idle, narrowed, unserved } from './surroundings.ts'
import {
  atomic,
  type EntryWarnings,
  filledLimit,
  inPlace,
  moreRequested,
  noChange,
  noNode,
  nulls,
  repeatedKeys,
  sameLeaf,
  selfChosen,
} from './warnings.ts'

type WarningParts = Omit<PatchRuleParts, 'effect' | 'says'> & { readonly says: string }
const parted = ({ says, ...parts }: WarningParts): PatchRuleParts => ({ ...parts, says: [says], effect: 'warn' })

/** Asks of each entry that applies somewhere. */
function warningRule(parts: WarningParts, warningsOf: EntryWarnings): Rule<KubeObject> {
  return patchRule({ field: '[].patch', ...parted(parts) }, async (given, cluster) => {
    const seen = caseOf(given)
    const [{ samples }, nodes] = await Promise.all([resultsOf(given, cluster), nodeLabels(cluster)])
    const entries = mergeable(seen)
    const alone = new Map(
      samples.flatMap(({ of, entries: [one], result }) => (of === 'entry' && one ? [[one.index, result]] : [])),
    )
    const sight = {
      daemonSet: given.next,
      at: seen.list.at,
      template: seen.template,
      entries,
      nodes,
      resultOf: ({ index }: { readonly index: number }) => alone.get(index),
    }
    return entries.flatMap((entry) =>
      warningsOf(entry, sight).map(({ path, text }) => ({
        path: `${seen.list.at}[${entry.index}]${path}`,
        value: text,
      })),
    )
  })
}

/** Never deny (4.5 of the specification). */
export const warningRules: readonly Rule<KubeObject>[] = [
  warningRule({ id: 'PATCH-V-22', says: 'overrides entry <i> of the same priority', remedy: 'set priority' }, sameLeaf),
  warningRule(
    { id: 'PATCH-V-23a', says: 'kubectl apply drops a null here', remedy: 'write $patch: delete or $retainKeys' },
    nulls,
  ),
  warningRule(
    {
      id: 'PATCH-V-23b',
      says: 'two elements of the template have one key; the first is patched',
      remedy: 'look at the result',
    },
    repeatedKeys,
  ),
  warningRule(
    {
      id: 'PATCH-V-23c',
      says: 'an in-place update sets the image of the template',
      remedy: 'use type Standard',
    },
    inPlace,
  ),
  warningRule(
    {
      id: 'PATCH-V-23d',
      field: '[].selector',
      says: 'matches no current node',
      remedy: 'see kubectl get nodes --show-labels',
    },
    noNode,
  ),
  warningRule({ id: 'PATCH-V-23e', says: 'changes nothing on the template', remedy: 'take the entry away' }, noChange),
  patchRule(
    parted({
      id: 'PATCH-V-23f',
      evenGateOff: true,
      says: 'the feature gate is off, so the list is stored and ignored',
      remedy: 'see --feature-gates',
    }),
    idle,
  ),
  patchRule(
    parted({
      id: 'PATCH-V-23g',
      says: 'the webhook for pods leaves this namespace out',
      remedy: 'its pods get no patches',
    }),
    unserved,
  ),
  warningRule(
    {
      id: 'PATCH-V-23h',
      says: 'grants <what>; a node can label itself <key>',
      remedy: 'select by node-restriction.kubernetes.io/',
    },
    selfChosen,
  ),
  warningRule(
    { id: 'PATCH-V-23i', says: 'replaces the list; those of the owner are added back', remedy: 'list all others' },
    atomic,
  ),
  warningRule(
    {
      id: 'PATCH-V-23j',
      says: 'raises <resource>; autoscalers size nodes by the template',
      remedy: 'leave room on new nodes',
    },
    moreRequested,
  ),
  warningRule({ id: 'PATCH-V-23k', says: 'the limit of <resource> will be filled', remedy: 'write it' }, filledLimit),
  patchRule(
    parted({
      id: 'PATCH-V-23l',
      field: '[].patch.spec.runtimeClassName',
      says: 'pods stay Pending on nodes without the labels of RuntimeClass <name>',
      remedy: 'select nodes that have them',
    }),
    narrowed,
  ),
]
