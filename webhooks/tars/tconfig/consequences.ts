import { isTerminating } from '../../../src/kube/metadata.ts'
import {
  type Consequence,
  type Create,
  type Delete,
  type FollowUp,
  type Intent,
  someOf,
  type Update,
} from '../../kit/admission.ts'
import type { ClusterReader, Found, Words } from '../../kit/schema.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { confirmed } from './confirmed.ts'
import { TCONFIG, type TConfig } from './schema.ts'
import {
  ACTIVATED,
  groupOf,
  isActivation,
  isActive,
  isInForce,
  isLive,
  isOfGroup,
  isToBeDeactivated,
  isToBeDeleted,
  titleOf,
} from './shape.ts'

type Member = Found<TConfig>

// Versions are listed as metadata: a whole history, with a megabyte per version, is too large to list in time or to hold.
// The labels of an object that was stored without review may be wrong, so each candidate is read before it is marked.

/**
 * These write marks alone, and a mark loses no data: the worker decides by what was finally stored whether a marked
 * version really ends (TC-S6).
 */
export const consequences: readonly Consequence<TConfig>[] = [
  {
    id: 'TC-S1',
    says: 'an activation marks the versions that were in force until then, for the worker to deactivate',
    on: 'write',
    when: isActivation,
    follow: deactivateOthers,
  },
  {
    id: 'TC-S2',
    says: 'the deletion of the version in force marks all other versions, for the worker to delete: the history goes with it',
    on: 'delete',
    exempt: ['CTRL', 'KUBE'],
    when: ({ prev }) => takesAlong(prev),
    follow: deleteOthers,
  },
]

async function deactivateOthers(given: Create<TConfig> | Update<TConfig>, cluster: ClusterReader): Promise<FollowUp> {
  const { next, namespace } = given
  const found = await cluster.list(TCONFIG, {
    namespace,
    labels: { ...groupOf(next), ...ACTIVATED },
    metadataOnly: true,
  })
  const isMeant = (each: Member) => isOther(each, next) && isInForce(each)
  const others = await confirmed(found.filter(isMeant), isMeant, cluster)
  const labels = { [LABELS.deactivate]: 'Deactivating', [LABELS.deactivating]: '' }
  const names = others.map(({ metadata }) => metadata.name).sort()
  const noted = { [ANNOTATIONS.markedBy]: next.metadata.name }
  return {
    intents: others.map(marking({ ...given, because: 'TC-S1', noted, labels, isMeant: async (each) => isMeant(each) })),
    warnings: names.length === 0 ? [] : [`deactivates TConfig ${someOf(names)}`],
  }
}

/**
 * A version that waits for its finalizers has marked its history already; versions created since are not part of it.
 * A marked version is out of force, or is deleted by the worker.
 */
const takesAlong = (prev: Member) => isActive(prev) && isLive(prev) && !isToBeDeactivated(prev)

async function deleteOthers(given: Delete<TConfig>, cluster: ClusterReader): Promise<FollowUp> {
  const { prev, namespace } = given
  const found = await cluster.list(TCONFIG, { namespace, labels: groupOf(prev), metadataOnly: true })
  // A version of this list that came into force since the request was made has ended the deleted one before.
  if (!(await stillTakesAlong(given, cluster))) return { intents: [], warnings: [] }
  const isCandidate = (each: Member) => isOther(each, prev) && isLive(each)
  const members = await confirmed(found.filter(isCandidate), isCandidate, cluster)
  // In the version of the list: what was activated since then is decided again.
  const others = found.filter(({ metadata: { uid } }) => members.some(({ metadata }) => metadata.uid === uid))
  // Marked versions are not read again, so that a retry after a 503 continues with the rest of a long history.
  const marked = found.filter((each) => isOther(each, prev) && isToBeDeleted(each) && !isTerminating(each))
  /** If an old version was activated meanwhile, this one is out of force and the history stays. */
  const isMeant = async (each: Member, live: ClusterReader) => isCandidate(each) && stillTakesAlong(given, live)
  const { name, uid = '' } = prev.metadata
  const noted = { [ANNOTATIONS.markedBy]: name, [ANNOTATIONS.markedByUid]: uid }
  return {
    intents: others.map(marking({ ...given, because: 'TC-S2', noted, labels: { [LABELS.deleting]: '' }, isMeant })),
    warnings: [`${versions(others.length + marked.length + 1)}, and there is no way back: ${titleOf(prev)}`],
  }
}

/** By its own fields, since metadata does not show what was deactivated. A new object may have taken its name since. */
async function stillTakesAlong({ prev, namespace }: Delete<TConfig>, live: ClusterReader): Promise<boolean> {
  const now = await live.get(TCONFIG, { namespace, name: prev.metadata.name })
  return now !== undefined && now.metadata.uid === prev.metadata.uid && takesAlong(now)
}

const versions = (count: number) =>
  count === 1 ? 'removes 1 version, the only one' : `removes ${count} versions, this one with its whole history`

function isOther(each: Member, config: TConfig): boolean {
  return each.metadata.name !== config.metadata.name && isOfGroup(each, config)
}

interface Marking {
  readonly because: string
  /** Who caused the mark. A new object may take the name of a deleted one, but not its uid (TC-R2). */
  readonly noted: Words
  readonly at: Date
  readonly namespace: string
  readonly labels: Words
  readonly isMeant: (member: Member, live: ClusterReader) => Promise<boolean>
}

/** The intent expects the very object, in the very version, that was read. */
function marking({ because, noted, at, namespace, labels, isMeant }: Marking): (member: Member) => Intent {
  const annotations = { [ANNOTATIONS.markedAt]: at.toISOString(), ...noted }
  return function intentFor({ metadata: { name, uid = '', resourceVersion = '' } }) {
    const ref = { namespace, name }
    const patch = { metadata: { labels, annotations } }
    return {
      action: { do: 'merge', of: TCONFIG, ref, expects: { uid, resourceVersion }, patch, because },
      async again(live) {
        const now = await live.get(TCONFIG, ref)
        if (now === undefined || now.metadata.uid !== uid) return undefined
        return (await isMeant(now, live)) ? intentFor(now) : undefined
      },
    }
  }
}
