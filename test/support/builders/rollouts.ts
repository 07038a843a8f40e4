import type { Built, Words } from '../../../src/cluster/port.ts'
import { foundAs } from '../../../src/cluster/stored.ts'
import { NOTHING_KNOWN } from '../../../src/fact.ts'
import type { Given } from '../../../src/reconcile/controller.ts'
import { settingsOf } from '../../../src/setting.ts'
import { APPS_DAEMONSET } from '../../../webhooks/kruise/daemonsets.ts'
import { applicable } from '../../../webhooks/kruise/list/applicable.ts'
import { componentOf } from '../../../webhooks/kruise/list/hash.ts'
import { patchesOf } from '../../../webhooks/kruise/list/read.ts'
import { ANNOTATIONS, LABELS } from '../../../webhooks/kruise/names.ts'
import { plan } from '../../../webhooks/kruise/rollout/plan.ts'
import { rolloutPodOf } from '../../../webhooks/kruise/rollout/pod.ts'
import { DAEMON_POD } from '../../../webhooks/kruise/rollout/pod-schema.ts'
import { listOf, onNodes, type RolloutMemory, type RolloutSeen } from '../../../webhooks/kruise/rollout/seen.ts'
import { aDaemonSet, anEntry } from './patched-daemonsets.ts'

export const MOMENT = Date.parse('2026-11-18T12:00:00Z')
/** Kubernetes stores whole seconds. */
const timeAt = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const patchOf = (value: string) => ({ spec: { containers: [{ name: 'agent', env: [{ name: 'DISK', value }] }] } })
/** An entry for Nodes with `disk: large`, and entries for others. */
export const LARGE = anEntry(patchOf('large'))
export const entryFor = (disk: string, value = disk) => ({
  ...anEntry(patchOf(value)),
  selector: { matchLabels: { disk } },
})

const LARGE_NODE: Words = { disk: 'large' }

interface PodWishes {
  readonly name?: string
  readonly node?: string
  /** The list and the labels with which it was created; without them it has no stamp. */
  readonly by?: readonly object[]
  readonly labels?: Words
  readonly with?: Words
  readonly readyFor?: number
  readonly age?: number
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
}

/** A pod of the DaemonSet, as stored. */
export function aDaemonPod(wishes: PodWishes = {}) {
  const { node = 'n1', name = `agent-${node}`, by, labels = LARGE_NODE, readyFor = 600_000, age = 3_600_000 } = wishes
  const ready = {
    type: 'Ready',
    status: readyFor < 0 ? 'False' : 'True',
    lastTransitionTime: timeAt(MOMENT - readyFor),
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name, namespace: 'demo', uid: `uid-${name}`, resourceVersion: '11' },
      creationTimestamp: timeAt(MOMENT - age),
      labels: { app: 'agent', [LABELS.revision]: 'h1', [LABELS.generation]: '1', ...wishes.with },
      annotations: by === undefined ? {} : stampsOf(by, labels),
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'd1', controller: true }],
      ...wishes.metadata,
    },
    spec: { nodeName: node, ...wishes.spec },
    status: { phase: 'Running', conditions: [ready], ...wishes.status },
  }
}

/** What admission writes on a pod. */
export function stampsOf(by: readonly object[], labels: Words = LARGE_NODE, base = 'h1'): Words {
  const entries = applicable(patchesOf(aDaemonSet({ annotation: by })).entries, labels)
  if (entries.length === 0) return {}
  return {
    [ANNOTATIONS.combinedHash]: `${base}-${componentOf(entries)}`,
    [ANNOTATIONS.applied]: entries.map(({ index }) => index).join(','),
  }
}

type StoredPod = ReturnType<typeof aDaemonPod>

/** The annotations and labels of a pod that was marked. */
export function marked(pod: StoredPod, reason = 'PatchChanged', at = MOMENT - 30_000) {
  const saved = { [LABELS.revision]: 'h1', [LABELS.generation]: '1' }
  const mark = JSON.stringify({ reason, at: new Date(at).toISOString(), labels: saved })
  const { [LABELS.generation]: _, ...labels } = { ...pod.metadata.labels, [LABELS.revision]: 'h1-stale' }
  return {
    ...pod,
    metadata: { ...pod.metadata, labels, annotations: { ...pod.metadata.annotations, [ANNOTATIONS.stale]: mark } },
  }
}

interface RolloutWishes {
  readonly list?: unknown
  readonly pods?: readonly Built[]
  readonly nodes?: Readonly<Record<string, Words>>
  readonly annotations?: Words
  readonly spec?: object
  readonly status?: object
  readonly more?: Partial<RolloutSeen>
}

/** A DaemonSet with a patch for large disks and what the rollout sees of it. */
export function aRollout(wishes: RolloutWishes = {}): RolloutSeen {
  const { list = [LARGE], pods = [], nodes = { n1: LARGE_NODE, n2: LARGE_NODE, n3: {} }, annotations = {} } = wishes
  const made = aDaemonSet({ annotation: list, annotations: { [ANNOTATIONS.generation]: '1', ...annotations } })
  const status = { observedGeneration: 1, desiredNumberScheduled: pods.length, ...wishes.status }
  const daemonSet = { ...made, spec: { ...made.spec, ...wishes.spec }, status }
  const found = { of: APPS_DAEMONSET, daemonSet: foundAs(APPS_DAEMONSET, daemonSet), ...listOf(daemonSet) }
  const podsSeen = pods.map((pod) => rolloutPodOf(foundAs(DAEMON_POD, pod)))
  return { ...found, pods: onNodes({ ...found, pods: podsSeen }, new Map(Object.entries(nodes))), ...wishes.more }
}

interface PlanWishes {
  readonly at?: number
  readonly remembered?: RolloutMemory | undefined
  readonly settings?: object
}

/** Answers the plan at so many milliseconds after the moment. */
export function rolloutPlan(seen: RolloutSeen, { at = 0, remembered, settings = {} }: PlanWishes = {}) {
  const given: Given<RolloutMemory> = {
    ...{ at: new Date(MOMENT + at), attempt: 0, profile: 'seed', facts: NOTHING_KNOWN },
    ...(remembered && { remembered }),
    settings: settingsOf({ ...settings }),
  }
  const { actions, notices = [], measured = [], againInMs, remember } = plan(seen, given)
  const ofPods = actions.filter(({ of }) => of.kind === 'Pod')
  return {
    actions: ofPods,
    others: actions.filter(({ of }) => of.kind !== 'Pod'),
    notices,
    measured,
    againInMs,
    remember,
  }
}

const NOTHING_SEEN = { sightings: new Map(), expected: new Map(), marks: new Map() }

/** What is known of a list that is not new. */
export function known(seen: RolloutSeen, more: Partial<RolloutMemory> = {}): RolloutMemory {
  const since = MOMENT - 100_000
  return { list: seen.list, since, ...NOTHING_SEEN, bypassed: 0, isRolling: false, ...more }
}

/** As it stands in a cluster where the webhook is in place. */
export const MUTATING_CONFIGURATION = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'daemonset-patches-mutator' },
  webhooks: [{ name: 'pods.daemonset-patches.kruise.io', clientConfig: { caBundle: 'Y2E=' } }],
}
