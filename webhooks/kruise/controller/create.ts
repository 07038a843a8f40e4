import type { Built } from '../../kit/controller.ts'
import { isTree, type KubeObject, type Words } from '../../kit/schema.ts'
import { KRUISE_DAEMONSET } from '../daemonsets.ts'
import { combinedHash } from '../list/hash.ts'
import { consistent, patchedTemplate } from '../list/patched.ts'
import type { Choice, PatchReading } from '../list/reading.ts'
import { specOf, treeIn } from '../list/touched.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
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
      labels: { ...textsIn(labels), [LABELS.revision]: labelHashOf(templateHash, component) },
      annotations: { ...textsIn(annotations), ...(component !== '' && stamps), [ANNOTATIONS.revision]: revision },
      ...(Array.isArray(finalizers) && { finalizers }),
      ownerReferences: [ownerOf(metadata)],
    },
    spec: boundTo(node, specOf(template)),
  }
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
