import { canonical } from '../../../src/kube/canonical-json.ts'
import type { Action, Built } from '../../kit/controller.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { effectiveList } from '../list/read.ts'
import { treeIn } from '../list/touched.ts'
import { LABELS } from '../names.ts'
import { ownerOf, textsIn } from './create.ts'
import { fnv, lettersOf } from './label-hash.ts'
import { CONTROLLER_REVISION, type StoredRevision } from './resources.ts'
import {
  dataOf,
  expendable,
  isOfVersion,
  numberOf,
  type Revision,
  templateHashOf,
  type Version,
  versionIn,
} from './revisions.ts'
import type { DaemonSetSeen } from './seen.ts'

/** The current version and what makes it the highest revision. */
export interface Revised {
  readonly templateHash: string
  /** The hash of the current revision. */
  readonly hash: string
  readonly actions: readonly Action[]
  /** The name of the next revision is taken by another version: PATCH-CTL-11. */
  readonly isTaken?: true
}
type Revising = Pick<DaemonSetSeen, 'daemonSet' | 'revisions'>

export function revised({ daemonSet, revisions }: Revising): Revised {
  const known = revisions.map(revisionFrom)
  const version = { template: daemonSet.spec?.template ?? {}, patches: effectiveList(daemonSet).items }
  const templateHash = templateHashOf(known, version, canonical, collisionsOf(daemonSet))
  const same = known.filter((each) => isOfVersion(each, version))
  const highest = Math.max(...same.map(({ revision }) => revision))
  const current = same.find(({ revision }) => revision === highest)
  const number = numberOf(current, known)
  if (current === undefined) {
    const isTaken = (hash: string) => known.some(({ name }) => name === `${daemonSet.metadata.name}-${hash}`)
    const hash = hashOf(version, templateHash, isTaken, collisionsOf(daemonSet))
    if (isTaken(hash)) return { templateHash, hash, actions: [], isTaken: true }
    return { templateHash, hash, actions: [creation({ daemonSet, version, templateHash, hash, number })] }
  }
  const stored = revisions.find(({ metadata }) => metadata.name === current.name)
  const actions = current.revision === number || stored === undefined ? [] : [renumbering(stored, number)]
  return { templateHash, hash: current.hash, actions }
}

/**
 * A version without patches has the hash of its template, as with OpenKruise. Two lists may collide under one template,
 * of which the hash stays: then collisions count for the list.
 */
function hashOf({ patches }: Version, templateHash: string, isTaken: (hash: string) => boolean, collisions: number) {
  const text = `${templateHash}-${canonical(patches)}`
  const plain = patches.length === 0 ? templateHash : lettersOf(fnv(text))
  return isTaken(plain) && collisions > 0 ? lettersOf(fnv(`${text}${collisions}`)) : plain
}

function revisionFrom({ metadata: { name, labels }, data, revision = 0 }: StoredRevision): Revision {
  const hash = labels?.[LABELS.revision] ?? ''
  return { name, revision, hash, templateHash: labels?.[LABELS.templateHash], ...versionIn(data) }
}

interface Creation extends Pick<Revising, 'daemonSet'> {
  readonly version: Version
  readonly templateHash: string
  readonly hash: string
  readonly number: number
}
function creation({ daemonSet: { metadata }, version, templateHash, hash, number }: Creation): Action {
  const object: Built = {
    apiVersion: 'apps/v1',
    kind: CONTROLLER_REVISION.kind,
    metadata: {
      name: `${metadata.name}-${hash}`,
      namespace: metadata.namespace ?? '',
      labels: {
        ...textsIn(treeIn(version.template, 'metadata').labels),
        [LABELS.revision]: hash,
        [LABELS.templateHash]: templateHash,
      },
      ownerReferences: [ownerOf(metadata)],
    },
    data: dataOf(version),
    revision: number,
  }
  return { do: 'create', of: CONTROLLER_REVISION, object, because: 'PATCH-CTL-11' }
}

function renumbering({ metadata }: StoredRevision, revision: number): Action {
  return { do: 'merge', of: CONTROLLER_REVISION, ...meant(metadata), patch: { revision }, because: 'PATCH-CTL-11' }
}

/** Old revisions that no pod names, by its label or by the annotation of its revision (PATCH-CTL-20). */
export function cleaned(
  revisions: readonly StoredRevision[],
  current: string,
  limit: number,
  named: ReadonlySet<string>,
): readonly Action[] {
  const old = revisions.map(revisionFrom).filter(({ hash }) => hash !== current)
  const gone = expendable(old, limit, ({ hash, templateHash = '' }) => named.has(hash) || named.has(templateHash))
  return revisions.flatMap(({ metadata }): readonly Action[] => {
    const isGone = gone.some(({ name }) => name === metadata.name)
    return isGone ? [{ do: 'remove', of: CONTROLLER_REVISION, ...meant(metadata), because: 'PATCH-CTL-20' }] : []
  })
}

/** What a write of a stored object is meant for. */
export function meant({ namespace = '', name, uid = '', resourceVersion = '' }: KubeObject['metadata']) {
  return { ref: { namespace, name }, expects: { uid, resourceVersion } }
}

const collisionsOf = ({ status }: Revising['daemonSet']) => status?.collisionCount ?? 0
