import { isTerminating } from '../../../src/kube/metadata.ts'
import { type Action, defineController, type Given, type Plan, referred, type Sight } from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import { namedFields } from '../named-fields.ts'
import { FRAMEWORK_NAME, LABELS } from '../names.ts'
import { POD, type Pod, podFrom, podsOfServers } from '../pods.ts'
import { LEAST_LIMIT, TFRAMEWORKCONFIG, type TFrameworkConfig } from '../tframeworkconfig/schema.ts'
import { TSERVER, type TServer } from '../tserver/schema.ts'
import { nameIn } from '../tserver/shape.ts'
import { exitedPod, MOST_RECORDED, TEXITEDRECORD, type TExitedRecord } from './schema.ts'

interface Seen {
  readonly record: TExitedRecord
  /** The TFrameworkConfig of the namespace. */
  readonly config: Found<TFrameworkConfig> | undefined
  /** Pods that are terminating, and pods that are gone. */
  readonly ended: readonly Found<Pod>[]
}

const FIELDS = ['metadata.creationTimestamp', 'metadata.deletionTimestamp', 'status.podIP', 'status.hostIP']
const configOf = ({ namespace = '' }: { readonly namespace?: string }) => ({ namespace, name: FRAMEWORK_NAME })

/** The pods in a TExitedRecord; the controller of its TServer creates it. */
export const texitedrecordController = defineController<TExitedRecord, Seen>({
  name: 'texitedrecord',
  of: TEXITEDRECORD,
  keeps: { asText: true },
  refersTo: ({ metadata }) => [{ of: TFRAMEWORKCONFIG, key: configOf(metadata) }],
  watches: [
    { ...podsOfServers(nameIn, FIELDS), keepsGone: true },
    referred(TFRAMEWORKCONFIG, { fields: ['recordLimit'] }),
  ],
  reads: [{ resource: TSERVER, keeps: { fields: ['spec.app', 'spec.server', 'metadata.deletionTimestamp'] } }],
  writes: [{ resource: TEXITEDRECORD, verbs: ['patch'] }],
  async observe(key, sight) {
    const { cached } = sight
    const [record, server] = await Promise.all([cached.get(TEXITEDRECORD, key), cached.get(TSERVER, key)])
    if (record === undefined || !isWritable(record) || server === undefined) return undefined
    return { record, config: await cached.get(TFRAMEWORKCONFIG, configOf(key)), ended: await endedOf(server, sight) }
  },
  plan,
})

/** A list that cannot be read cannot be continued. */
function isWritable(record: Found<TExitedRecord>): record is TExitedRecord {
  return TEXITEDRECORD.isOutline(record) && !isTerminating(record)
}

/** The server decides whose pods they are: its record may have been edited. */
async function endedOf({ spec, metadata }: Found<TServer>, { cached, gone }: Sight) {
  const { namespace = '' } = metadata
  const { app, server } = spec ?? {}
  if (app === undefined || server === undefined) return []
  const there = await cached.list(POD, { namespace, labels: { [LABELS.app]: app, [LABELS.server]: server } })
  const isOfServer = ({ metadata: { labels } }: Found<Pod>) =>
    labels?.[LABELS.app] === app && labels[LABELS.server] === server
  return [...there.filter(isTerminating), ...gone(POD).map(podFrom).filter(isOfServer)]
}

/** TX-R4: the list is cut to the limit, even if no pod ended. */
export function plan({ record, config, ended }: Seen, { at }: Pick<Given, 'at'>): Plan {
  const limit = limitOf(config)
  const kept = record.pods.slice(0, limit)
  const added = unrecorded(ended, record)
    .map((pod) => entryOf(pod, at))
    .filter(isNews(kept, limit))
  if (added.length === 0 && kept.length === record.pods.length) return { actions: [] }
  const pods = [...added, ...kept].toSorted(newestFirst).slice(0, limit)
  return { actions: [replacement(record, pods, added.length > 0 ? 'TX-R2' : 'TX-R4')] }
}

type ExitedPod = TExitedRecord['pods'][number]

function limitOf(config: Found<TFrameworkConfig> | undefined): number {
  const limit = config?.recordLimit?.texitedPod ?? WITHOUT_CONFIG
  return Math.max(LEAST_LIMIT, Math.min(limit, MOST_RECORDED))
}
const WITHOUT_CONFIG = 60

/** TX-R3: a pod is recorded once. */
function unrecorded(ended: readonly Found<Pod>[], { pods }: TExitedRecord) {
  const seen = new Set(pods.map(({ uid }) => uid))
  return ended.filter(({ metadata: { uid } }) => !seen.has(uid) && seen.add(uid))
}

/** TX-R2 */
function entryOf({ metadata, status }: Found<Pod>, at: Date) {
  const { uid, name, labels, creationTimestamp, deletionTimestamp } = metadata
  const { hostIP: nodeIP, podIP } = status ?? {}
  const deleteTime = deletionTimestamp ?? `${at.toISOString().slice(0, 19)}Z`
  return { uid, name, id: labels?.[LABELS.serverId], nodeIP, podIP, createTime: creationTimestamp, deleteTime }
}

/**
 * A full list takes a pod that ended later than one in it, and no other: more pods than the limit that are terminating
 * for long would push each other out again and again.
 */
function isNews(kept: readonly ExitedPod[], limit: number) {
  const oldest = kept.toSorted(newestFirst).at(limit - 1)
  return (entry: Ended) => oldest === undefined || newestFirst(entry, oldest) < 0
}

type Ended = Pick<ExitedPod, 'deleteTime'>
/** Times of one form are in the order of their texts. */
function newestFirst({ deleteTime: one = '' }: Ended, { deleteTime: other = '' }: Ended): number {
  if (one === other) return 0
  return one > other ? -1 : 1
}

function replacement({ metadata }: TExitedRecord, pods: readonly unknown[], because: string): Action {
  const { namespace = '', name, uid = '', resourceVersion = '' } = metadata
  return {
    do: 'patch',
    of: TEXITEDRECORD,
    ref: { namespace, name },
    expects: { uid, resourceVersion },
    operations: [{ op: 'replace', path: '/pods', value: pods.map((pod) => namedFields(exitedPod, pod)) }],
    because,
  }
}
