import { readFileSync } from 'node:fs'
import jsonPatch from 'fast-json-patch'
import type { AnswererParts } from '../../src/admission/answer.ts'
import type { Built, ClusterReader } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { POD } from '../../webhooks/kruise/kubernetes.ts'
import { ANNOTATIONS } from '../../webhooks/kruise/names.ts'
import { answered, patchIn, wordsOf } from './answerer-parts.ts'
import { readersOf, UNREACHABLE } from './fakes/readers.ts'
import { reviewsOf, type Sent, withRequest } from './reviews.ts'

/** Recorded by test/cluster/record-pods.ts: with or without the host network, by either owner. */
export type Recording = 'native' | 'native-host' | 'kruise' | 'kruise-host'
type Annotations = Readonly<Record<string, string>>
type DaemonSetObject = Built & { readonly spec: { readonly template: Tree } }
interface Recorded {
  readonly daemonSet: DaemonSetObject
  readonly pod: Tree & { readonly metadata: Tree; readonly spec: Tree }
}
export const recorded = (name: Recording): Recorded =>
  JSON.parse(readFileSync(`test/fixtures/daemonset-pods/${name}.json`, 'utf8'))

export const DAEMON_SET_CONTROLLER = 'system:serviceaccount:kube-system:daemon-set-controller'
/** On the Node that the recorded pods are made for. */
export const NODE_OBJECT: Built = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'large-1', labels: { disk: 'large' } },
}

export type PodChange = (pod: Recorded['pod']) => unknown
export type DaemonSetChange = (daemonSet: DaemonSetObject) => Built

export interface PodCase extends Sent {
  readonly of?: Recording
  /** Changes the recorded pod before it arrives. */
  readonly pod?: PodChange
  readonly daemonSet?: DaemonSetChange
  /** The kinds that cannot be read. */
  readonly away?: readonly string[]
  readonly annotations?: Annotations
  readonly node?: Built
  readonly parts?: Partial<AnswererParts>
}

export const withAnnotations = (object: Built, annotations: Annotations): Built => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
})

/** What becomes of a recorded pod whose DaemonSet has these patches for Nodes with large disks. */
export async function admitted(patches: readonly object[] | string, given: PodCase = {}) {
  const {
    of = 'native',
    pod: changed = (pod) => pod,
    daemonSet: made = (each) => each,
    node = NODE_OBJECT,
    parts,
  } = given
  const { daemonSet, pod } = recorded(of)
  const list = typeof patches === 'string' ? patches : JSON.stringify(patches.map(asEntry))
  const listed = made(daemonSet)
  const stored = withAnnotations(listed, { [ANNOTATIONS.patches]: list, ...given.annotations })
  const { cached, live } = readersOf(node, stored)
  const readers = { cached: without(cached, given.away), live: without(live, given.away) }
  const sent = changed(pod)
  const body = withRequest(reviewsOf(POD).creationOf(sent, { user: DAEMON_SET_CONTROLLER, ...given }), {
    namespace: 'recorded',
  })
  const answer = await answered('/mutate-daemonset-pods', body, { readers, ...parts })
  const patch = patchIn(answer)
  const patched: unknown = Array.isArray(patch) ? jsonPatch.applyPatch(structuredClone(sent), patch).newDocument : sent
  const result: Tree = isTree(patched) ? patched : {}
  return {
    ...answer,
    patch,
    sent,
    result,
    spec: isTree(result.spec) ? result.spec : {},
    words: wordsOf(answer),
    stored,
  }
}
/** An entry is one with its selector; else it is a patch. */
const asEntry = (each: object) =>
  'selector' in each ? each : { selector: { matchLabels: { disk: 'large' } }, patch: each }

export function named(list: unknown, name: string): Tree {
  const found: unknown = Array.isArray(list) ? list.find((each) => isTree(each) && each.name === name) : undefined
  return isTree(found) ? found : {}
}
export const diskIn = (spec: Tree) => named(named(spec.containers, 'agent').env, 'DISK').value
export const inEnv = (value: string) => ofContainer('agent', { env: [{ name: 'DISK', value }] })
export const ofContainer = (name: string, more: object) => ({ spec: { containers: [{ name, ...more }] } })

function without(reader: ClusterReader, away: readonly string[] = []): ClusterReader {
  return { ...reader, get: (of, ref) => (away.includes(of.kind) ? UNREACHABLE : reader).get(of, ref) }
}

/** The pod names this controller too, behind one that is none. */
export function ownedBy(part: object): PodChange {
  return ({ metadata, ...pod }) => {
    const owners: readonly unknown[] = Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : []
    const [owner] = owners.filter(isTree)
    return {
      ...pod,
      metadata: {
        ...metadata,
        ownerReferences: [
          { ...owner, controller: false },
          { ...owner, ...part },
        ],
      },
    }
  }
}
