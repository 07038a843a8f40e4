import { canonical } from '../../../src/kube/canonical-json.ts'
import type { Labels } from '../../../src/kube/labels.ts'
import type { KubeObject } from '../../kit/schema.ts'
import type { Entry } from '../list/entry.ts'
import { MOST_BYTES, MOST_ENTRIES } from '../list/limits.ts'
import { effectiveList } from '../list/read.ts'
import { type Choice, keysOf, type PatchReading } from '../list/reading.ts'
import { judged } from '../rollout/judged.ts'
import type { RolloutPod } from '../rollout/pod.ts'
import { listOf, type RolloutSeen } from '../rollout/seen.ts'
import type { ExpectedStamp, ExplainedPatch, ExplainedPod, Explanation, LabelGroup, Limit } from './explanation.ts'
import { overlapsOf } from './overlaps.ts'
import { selectorWords } from './selector-words.ts'
import { changesBetween, resultOf } from './template-changes.ts'

export interface Explained extends Pick<RolloutSeen, 'of' | 'daemonSet' | 'pods'> {
  readonly nodes: readonly KubeObject[]
  readonly at: Date
}

/** PATCH-DBG-1 */
export function explained(given: Explained): Explanation {
  const { daemonSet, nodes } = given
  const { patches } = listOf(daemonSet)
  const pods = Map.groupBy(podsOf(given), ({ node }) => node)
  const groups = groupsOf(nodes, patches).map((group) => groupOf(group, patches, pods))
  return {
    daemonSet: nameOf(given),
    carrier: effectiveList(daemonSet).at,
    ...(patches.unreadable !== undefined && { unreadable: patches.unreadable }),
    patches: patches.entries.map((entry) => patchOf(entry, groups)),
    groups,
    overlaps: overlapsOf(patches.entries, groups),
    limits: limitsOf(patches.entries),
  }
}

function nameOf({ of: { group, plural }, daemonSet: { metadata } }: Explained): string {
  return `${plural}.${group} ${metadata.namespace}/${metadata.name}`
}

interface NodeGroup {
  readonly choice: Choice
  readonly nodes: readonly KubeObject[]
}

/** Most patches first. */
function groupsOf(nodes: readonly KubeObject[], { choiceFor }: PatchReading): readonly NodeGroup[] {
  const chosen = nodes.map((node) => ({ node, choice: choiceFor(node.metadata.labels) }))
  const groups = Map.groupBy(chosen, ({ choice }) => placesOf(choice).join())
  return [...groups.values()]
    .flatMap((members) => members.slice(0, 1).map(({ choice }) => ({ choice, nodes: members.map(({ node }) => node) })))
    .sort((one, other) => other.choice.entries.length - one.choice.entries.length)
}

const placesOf = ({ entries }: Choice) => entries.map(({ index }) => index)

function groupOf(
  { choice, nodes }: NodeGroup,
  { template, entries }: PatchReading,
  pods: ReadonlyMap<string, readonly ExplainedPod[]>,
): LabelGroup {
  const keys = [...new Set(entries.flatMap(keysOf))]
  const names = nodes.map(({ metadata: { name } }) => name)
  return {
    labels: [...new Set(nodes.map(({ metadata: { labels } }) => labelWords(keys, labels)))],
    nodes: names,
    applied: placesOf(choice),
    ...attempted(() => {
      const result = resultOf(template, choice.entries)
      return { ...stampOf(choice), changes: changesBetween(template, result), template: result }
    }),
    pods: names.flatMap((name) => pods.get(name) ?? []),
  }
}

/** As a selector that only these Nodes match. */
function labelWords(keys: readonly string[], labels: Labels): string {
  return keys
    .map((key) => (labels != null && Object.hasOwn(labels, key) ? `${key}=${labels[key]}` : `!${key}`))
    .join(',')
}

type Merged = Pick<LabelGroup, 'changes' | 'stamp' | 'template'>
/** PATCH-ORD-3: what cannot be merged is not merged in part. */
function attempted(merge: () => Merged): Merged & Pick<LabelGroup, 'problem'> {
  try {
    return merge()
  } catch (error) {
    return { changes: [], problem: error instanceof Error ? error.message : String(error) }
  }
}

/** PATCH-POD-14: without patches there is no stamp. */
function stampOf(choice: Choice): { readonly stamp?: ExpectedStamp } {
  if (choice.entries.length === 0) return {}
  const { component, templateHash } = choice
  return { stamp: { component, applied: placesOf(choice).join(), templateHash: templateHash() } }
}

/** Those of unknown Nodes are in no group. */
function podsOf({ of, daemonSet, pods, at }: Explained): readonly ExplainedPod[] {
  const seen = { of, daemonSet, ...listOf(daemonSet), pods }
  const reasons = new Map(judged(seen, { at }).map(({ pod, sighting }) => [pod.uid, sighting.reason]))
  return pods.flatMap(({ pod, node }) =>
    pod.node === undefined || node === undefined
      ? []
      : [{ name: pod.name, node: pod.node, ...stateOf(pod, reasons.get(pod.uid)) }],
  )
}

function stateOf({ isEnding, mark }: RolloutPod, reason: string | undefined): Pick<ExplainedPod, 'state' | 'reason'> {
  if (isEnding) return { state: 'ending' }
  if (mark !== undefined) return { state: 'marked', reason: mark.reason }
  if (reason === undefined) return { state: 'current' }
  return reason === 'NotPatched' ? { state: 'unpatched' } : { state: 'stale', reason }
}

function patchOf(entry: Entry, groups: readonly LabelGroup[]): ExplainedPatch {
  const { index, priority, hash } = entry
  const hit = groups.filter(({ applied }) => applied.includes(index))
  const nodes = hit.reduce((sum, group) => sum + group.nodes.length, 0)
  return { index, selector: selectorWords(entry), priority, hash, nodes }
}

function limitsOf(entries: readonly Entry[]): readonly Limit[] {
  return [
    limit('patches in the list', entries.length, MOST_ENTRIES, 'patches'),
    ...entries.map(({ index, patch }) =>
      limit(`patch ${index}`, Buffer.byteLength(canonical(patch)), MOST_BYTES, 'bytes'),
    ),
  ]
}

const NEAR = 0.8
function limit(of: string, is: number, most: number, unit: string): Limit {
  return { of, is, most, unit, state: is > most ? 'over' : is >= NEAR * most ? 'near' : 'far' }
}
