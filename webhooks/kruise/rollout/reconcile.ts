import { isTerminating } from '../../../src/kube/metadata.ts'
import { isSame } from '../../kit/admission.ts'
import { type Controller, defineController, type Key, owned, type Sight, type Watch } from '../../kit/controller.ts'
import {
  type Found,
  isTree,
  type KubeObject,
  object,
  type Resource,
  resource,
  type Settings,
  type Words,
} from '../../kit/schema.ts'
import { APPS_DAEMONSET, type DaemonSet, KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../daemonsets.ts'
import { type PatchReading, readingOf } from '../list/reading.ts'
import { LABELS } from '../names.ts'
import { MARK_BURST, MARK_QPS } from '../settings.ts'
import { isInPlaceUpdated } from './inplace.ts'
import { conclude, plan } from './plan.ts'
import { type RolloutPod, rolloutPodOf } from './pod.ts'
import { DAEMON_POD, POD_FIELDS } from './pod-schema.ts'
import { bypassIn, isToReplace, PREFLIGHT_READS } from './preflight.ts'
import { isConcerned, listOf, onNodes, type RolloutMemory, type RolloutSeen, type SeenPod } from './seen.ts'

/** Its metadata alone is kept. */
export const NODE = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' }, object({}))
/** Changes of a rollout come together. */
const GATHER = { quietMs: 500, atMostMs: 1_000 }

/** PATCH-ROLL-8 */
const pace = (settings: Settings) => ({ perSecond: settings.get(MARK_QPS), burst: settings.get(MARK_BURST) })

/**
 * The rollout of patches beside the controller that owns the pods. A DaemonSet that is served in two versions belongs to
 * the newer one.
 */
export const rolloutControllers: readonly Controller[] = [
  rolloutOf('daemonset-patches', APPS_DAEMONSET),
  rolloutOf('daemonset-patches-kruise', KRUISE_DAEMONSET),
  rolloutOf('daemonset-patches-kruise-alpha', KRUISE_DAEMONSET_ALPHA, KRUISE_DAEMONSET),
]

function rolloutOf(name: string, of: Resource<DaemonSet>, newer?: Resource<DaemonSet>): Controller {
  return defineController<DaemonSet, RolloutSeen, never, RolloutMemory>({
    name,
    of,
    watches: [
      {
        ...owned(DAEMON_POD, of, { carrying: [LABELS.revision], fields: POD_FIELDS, ownerKind: of.kind }),
        gather: GATHER,
      },
      nodes(),
    ],
    reads: [
      { resource: DAEMON_POD, asks: ['get'] },
      ...PREFLIGHT_READS,
      ...(newer === undefined ? [] : [{ resource: newer, keeps: { fields: ['metadata.creationTimestamp'] } }]),
    ],
    writes: [
      { resource: DAEMON_POD, verbs: ['merge', 'remove'], pace },
      { resource: of, verbs: ['merge'] },
      { resource: of, subresource: 'status', verbs: ['merge'] },
    ],
    observe: async (key, sight) =>
      newer !== undefined && (await sight.cached.get(newer, key)) !== undefined ? undefined : observe(of, key, sight),
    plan,
    conclude,
  })
}

/** A change of a Node wakes the DaemonSets for which other patches apply to it now (PATCH-ROLL-1). */
function nodes(): Watch {
  return {
    resource: NODE,
    keeps: { fields: ['metadata.labels'] },
    wakes: () => [],
    wakesOnChange({ before, now }, own) {
      const [old, labels] = [before?.metadata.labels, now?.metadata.labels]
      if (before !== undefined && now !== undefined && isSame(old, labels)) return []
      const isMoved = ({ entries, choiceFor }: PatchReading) =>
        before === undefined || now === undefined
          ? entries.length > 0
          : choiceFor(old).component !== choiceFor(labels).component
      return own().flatMap((each) => (isMoved(readingOf(each)) ? [keyOf(each)] : []))
    },
  }
}

const keyOf = ({ metadata: { namespace = '', name } }: KubeObject): Key => ({ namespace, name })

async function observe(of: Resource<DaemonSet>, key: Key, { cached, live }: Sight): Promise<RolloutSeen | undefined> {
  const daemonSet = await cached.get(of, key)
  if (daemonSet === undefined || isTerminating(daemonSet)) return undefined
  const seen = { of, daemonSet, ...listOf(daemonSet), pods: await podsOf(daemonSet, cached) }
  if (!isConcerned(seen)) return undefined
  const nodes = await cached.list(NODE, { namespace: '', metadataOnly: true })
  const labels = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels]))
  const pods = await withWholes(onNodes(seen, labels), live)
  const bypass = pods.some(isToReplace) ? await bypassIn(key.namespace, live) : undefined
  return { ...seen, pods, ...(bypass && { bypass }) }
}

/** Its pods have the labels that it selects; that it controls them decides. */
export async function podsOf(
  { metadata, spec }: Found<DaemonSet>,
  cached: Sight['cached'],
): Promise<readonly RolloutPod[]> {
  const { namespace = '', uid } = metadata
  const labels = wordsIn(spec?.selector?.matchLabels)
  const pods = await cached.list(DAEMON_POD, { namespace, labels, carrying: [LABELS.revision] })
  const isOwn = ({ metadata: { ownerReferences } }: KubeObject) =>
    (ownerReferences ?? []).some((owner) => owner.controller === true && owner.uid === uid)
  return pods.filter(isOwn).map(rolloutPodOf)
}

function wordsIn(value: unknown): Words {
  const words = isTree(value) ? Object.entries(value) : []
  return Object.fromEntries(words.flatMap(([key, word]) => (typeof word === 'string' ? [[key, word]] : [])))
}

const READ_AT_ONCE = 10

/** Pods that were updated in place are read whole, since only their containers show what is left of the patches. */
export async function withWholes(pods: readonly SeenPod[], live: Sight['live']): Promise<readonly SeenPod[]> {
  const wholes: SeenPod[] = []
  for (let at = 0; at < pods.length; at += READ_AT_ONCE) {
    const part = pods.slice(at, at + READ_AT_ONCE)
    wholes.push(...(await Promise.all(part.map((each) => withWhole(each, live)))))
  }
  return wholes
}

async function withWhole(seen: SeenPod, live: Sight['live']): Promise<SeenPod> {
  if (!isInPlaceUpdated(seen.pod) || seen.pod.isEnding) return seen
  const whole = await live.get(DAEMON_POD, seen.pod)
  return isTree(whole) ? { ...seen, whole } : seen
}
