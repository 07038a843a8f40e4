import { MergeError } from '../../../src/kube/strategic-merge/merge-error.ts'
import type { Advice, DraftChange, Mutation, Refusal } from '../../kit/admission.ts'
import type { Remotes } from '../../kit/controller.ts'
import { type ClusterReader, isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import { isGateOn } from '../gate.ts'
import { type Choice, type PatchReading, readingOf } from '../list/reading.ts'
import { timed } from '../metrics.ts'
import { ANNOTATIONS } from '../names.ts'
import { isNewerThan, ownerOf, type PodOwner, targetNode } from '../owner.ts'
import { editsBetween } from './edits.ts'
import { isSelected } from './invariants.ts'
import { daemonSetOf, labelsOf, resourcesOf } from './look-ups.ts'
import { countApplied, countBadSelectors, type Origin, tellFailure } from './notices.ts'
import { annotationsOf, expectedHash, patchedPod, withoutStamps } from './patched-pod.ts'
import { Problem, refused, UNPATCHED } from './refusal.ts'

type PodAnswer = Advice | Refusal
const UNCHANGED: Advice = { edits: [], warnings: [] }

/** A pod on its way to be stored, and where it comes from. */
interface Arriving extends Origin {
  readonly pod: Tree
  readonly given: DraftChange<KubeObject>
  readonly tick: Remotes['tick']
}
interface Placed extends Arriving {
  readonly daemonSet: KubeObject
}

export const patching: Mutation<KubeObject> = {
  id: 'PATCH-POD-15',
  says: 'merges the node patches of its DaemonSet into a pod, as if they stood in its template',
  refuses: UNPATCHED,
  when: ({ operation, settings }) => operation === 'CREATE' && isGateOn(settings),
  edits(given, cluster, { tick }) {
    const pod: unknown = given.next
    const owner = isTree(pod) ? ownerOf(pod) : undefined
    if (!isTree(pod) || owner === undefined) return UNCHANGED
    const [of] = resourcesOf(owner)
    return answered({ pod, given, tick, of, namespace: given.namespace, name: owner.name }, owner, cluster)
  },
}

/** An owner that is gone has no patches, and its pod is collected soon (PATCH-POD-10). */
async function answered(arriving: Arriving, owner: PodOwner, cluster: ClusterReader): Promise<PodAnswer> {
  const { pod, namespace } = arriving
  return orRefused(arriving, async () => {
    const daemonSet = await daemonSetOf(owner, namespace, cluster)
    if (daemonSet === undefined) return UNCHANGED
    if (daemonSet.metadata.uid !== owner.uid) return { ...UNCHANGED, doubtful: true }
    const known = { ...arriving, daemonSet }
    const answer = await orRefused(known, () => answeredBy(readingOf(daemonSet), known, cluster))
    return 'edits' in answer && isNewerThan(daemonSet, pod) ? { ...answer, doubtful: true } : answer
  })
}

async function orRefused(arriving: Arriving, work: () => Promise<PodAnswer>): Promise<PodAnswer> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof Problem) return refused(cause, arriving, arriving.given.settings)
    throw cause
  }
}

async function answeredBy(reading: PatchReading, arriving: Placed, cluster: ClusterReader): Promise<PodAnswer> {
  const { unreadable } = reading
  if (unreadable !== undefined) {
    const told = tellFailure('parse', 'NodePatchesInvalid', unreadable, arriving)
    return { ...unpatched(arriving), ...told, audit: { unpatched: 'parse' } }
  }
  if (reading.entries.length === 0) return unpatched(arriving)
  const node = targetNode(arriving.pod)
  if (node === undefined) throw new Problem('no_target_node', 'the pod names no Node')
  const labels = await labelsOf(node, cluster)
  const { result: choice, samples } = timed('match', arriving.tick, () => reading.choiceFor(labels))
  const measured = [...samples, ...countBadSelectors(reading, arriving)]
  if (isPatchedAlready(arriving, reading, choice)) return UNCHANGED
  if (choice.entries.length === 0) return { ...unpatched(arriving), measured }
  const patched = patchedOn(node, reading, choice, arriving)
  return { ...patched, measured: [...measured, ...(patched.measured ?? [])] }
}

/** PATCH-POD-14: without a stamp, so that pods without patches stay byte for byte as they were. */
function unpatched({ pod, given }: Arriving): Advice {
  const isOurs = given.user.among.includes('CTRL')
  return { ...UNCHANGED, edits: isOurs ? [] : editsBetween(pod, withoutStamps(pod)) }
}

/**
 * To merge twice is not to merge once. A stamp proves a merge if it is the expected one and not of the template, and if
 * the built-in controller made the pod; any other came with copied YAML (PATCH-POD-17).
 */
function isPatchedAlready({ pod, given }: Arriving, { template }: PatchReading, choice: Choice): boolean {
  const stamp = annotationsOf(pod)[ANNOTATIONS.combinedHash]
  if (stamp === undefined) return false
  if (given.user.among.includes('CTRL')) return true
  return stamp === expectedHash(pod, choice) && annotationsOf(template)[ANNOTATIONS.combinedHash] !== stamp
}

function patchedOn(node: string, reading: PatchReading, choice: Choice, arriving: Placed): Advice {
  const { pod, daemonSet, given, tick } = arriving
  const { result: patched, samples } = timed('merge', tick, () => merging(node, () => patchedPod(pod, reading, choice)))
  if (!isSelected(daemonSet, patched))
    throw new Problem('selector_mismatch', 'patched labels no longer match spec.selector', node)
  const applied = choice.entries.map(({ index }) => index).join(',')
  const measured = [...samples, ...countApplied(choice, arriving, given.dryRun)]
  return { ...UNCHANGED, edits: editsBetween(pod, patched), audit: { applied }, measured }
}

function merging<T>(node: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw cause instanceof MergeError ? new Problem('merge', cause.message, node) : cause
  }
}
