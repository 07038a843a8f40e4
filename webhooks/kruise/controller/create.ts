import type { Built } from '../../kit/controller.ts'
import { isTree, type KubeObject, type Tree, type Words } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET } from '../daemonsets.ts'
import { combinedHash } from '../list/hash.ts'
import { consistent, patchedTemplate } from '../list/patched.ts'
import type { Choice, PatchReading } from '../list/reading.ts'
import { specOf, treeIn, without } from '../list/touched.ts'
import { ANNOTATIONS, LABELS, STAMPS } from '../names.ts'
import { boundTo } from './daemon-pod.ts'
import { labelHashOf } from './label-hash.ts'

export interface Making {
  readonly daemonSet: KubeObject
  readonly reading: PatchReading
  readonly templateHash: string
  /** The hash of the current revision. */
  readonly revision: string
}

/** The pod of a node, as the seed makes it: the template, its patches, then what a daemon needs. Throws MergeError. */
export function podFor(
  { daemonSet: { metadata }, reading, templateHash, revision }: Making,
  node: string,
  choice: Choice,
): Built {
  const { entries, component } = choice
  const template = consistent(reading.template, patchedTemplate(reading.template, entries), entries)
  const { labels, annotations, finalizers } = treeIn(template, 'metadata')
  const stamps = {
    [ANNOTATIONS.combinedHash]: combinedHash(templateHash, component),
    [ANNOTATIONS.applied]: entries.map(({ index }) => index).join(','),
    [ANNOTATIONS.templateHash]: choice.templateHash(),
  }
  const { namespace = '', name } = metadata
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: `${name}-`,
      namespace,
      labels: { ...without(textsIn(labels), OWN_WORDS), [LABELS.revision]: labelHashOf(templateHash, component) },
      annotations: {
        ...without(textsIn(annotations), OWN_WORDS),
        ...(component !== '' && stamps),
        [ANNOTATIONS.revision]: revision,
      },
      ...(Array.isArray(finalizers) && { finalizers }),
      ownerReferences: [ownerOf(metadata)],
    },
    spec: boundTo(node, specOf(template)),
  }
}

/** What the controller writes and reads itself. Copied off a pod, it would make each new pod an outdated one (PATCH-CTL-13). */
const OWN_WORDS: readonly string[] = [...STAMPS, ANNOTATIONS.stale, LABELS.lifecycle]

/** Those that a template has all the same. */
export function ownWordsIn(template: Tree): readonly string[] {
  const metadata = treeIn(template, 'metadata')
  const words = { ...textsIn(metadata.labels), ...textsIn(metadata.annotations) }
  return OWN_WORDS.filter((word) => Object.hasOwn(words, word))
}

/** The reference that makes a DaemonSet the controller of an object. */
export function ownerOf({ name, uid = '' }: KubeObject['metadata']) {
  const { kind } = KRUISE_DAEMONSET
  return {
    apiVersion: `${KRUISE_DAEMONSET.group}/${KRUISE_DAEMONSET.version}`,
    kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

export function textsIn(value: unknown): Words {
  const entries = Object.entries(isTree(value) ? value : {})
  return Object.fromEntries(entries.flatMap(([key, each]) => (typeof each === 'string' ? [[key, each]] : [])))
}
