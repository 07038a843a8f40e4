import { sha256Of } from '../../src/kube/digests.ts'

/** The object of a cluster that manages an object of Cloudflare. */
export interface ManagementInfo {
  readonly kind: string
  /** Empty for kinds without a namespace, and for a short mark. */
  readonly namespace: string
  /** In a short mark `~` and twenty hex digits (CF-OWN-04), which no name of Kubernetes can be. */
  readonly name: string
}
interface Named {
  readonly metadata: { readonly namespace?: string; readonly name: string }
}

/** What the text of a remote object says about its owner. */
export type OwnerMarking =
  | { readonly state: 'none' }
  | { readonly state: 'one'; readonly owner: ManagementInfo; readonly cluster: string; readonly isLegacy: boolean }
  | { readonly state: 'several'; readonly owners: readonly ManagementInfo[] }
  | { readonly state: 'damaged' }

/** The owner of a mark that cannot be read. */
export const UNKNOWN_MANAGER: ManagementInfo = { kind: 'unknown', namespace: '', name: '' }

/** CF-OWN-03: the second form was written by earlier operators. No name holds a `[`, so the search is linear. */
const MARKS =
  /\[managed(?:-by)?:([A-Z][A-Za-z0-9]{0,62})\/(?:([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/)?(~[0-9a-f]{20}|[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?)\]/g
const CLUSTER = /\[cluster:([a-z0-9](?:[-a-z0-9]{0,18}[a-z0-9])?)\]/
const LEGACY = '[managed:'
const ANY_MARK = '[managed'
/** A user may not write these into a comment (CF-OWN-07). */
export const RESERVED_WORDS: readonly string[] = [ANY_MARK, '[cluster:']

export function newManagementInfo({ metadata: { namespace = '', name } }: Named, kind: string): ManagementInfo {
  return { kind, namespace, name }
}

/** `Kind/Namespace/Name`, or `Kind/Name` (CF-OWN-01). */
export function ownerName({ kind, namespace, name }: ManagementInfo): string {
  return [kind, namespace, name].filter(Boolean).join('/')
}

export const markOf = (owner: ManagementInfo) => `[managed-by:${ownerName(owner)}]`
export const shortMarkOf = (owner: ManagementInfo) => `[managed-by:${owner.kind}/${digestOf(owner)}]`
export const clusterToken = (clusterId: string) => (clusterId === '' ? '' : `[cluster:${clusterId}]`)

/** A short mark and the full mark of the same object are equal (CF-OWN-04). */
export function isSameManager(one: ManagementInfo, other: ManagementInfo): boolean {
  return one.kind === other.kind && digestOf(one) === digestOf(other)
}
function digestOf(owner: ManagementInfo): string {
  return owner.name.startsWith('~') ? owner.name : `~${sha256Of(ownerName(owner)).slice(0, 20)}`
}

export function markingOf(text: string): OwnerMarking {
  const marks = [...text.matchAll(MARKS)]
  const [owner, ...others] = marks.map(([, kind = '', namespace = '', name = '']) => ({ kind, namespace, name }))
  if (owner === undefined) return { state: text.includes(ANY_MARK) ? 'damaged' : 'none' }
  if (!others.every((other) => isSameManager(owner, other))) return { state: 'several', owners: [owner, ...others] }
  const isLegacy = marks[0]?.[0].startsWith(LEGACY) === true
  return { state: 'one', owner, cluster: CLUSTER.exec(text)?.[1] ?? '', isLegacy }
}

/** The first mark counts. */
export function parseManagementMarker(text: string): ManagementInfo | null {
  const marking = markingOf(text)
  if (marking.state === 'several') return marking.owners[0] ?? null
  return marking.state === 'one' ? marking.owner : null
}

/** Without marks, without the tokens of clusters, and without one space beside each. */
export function extractUserComment(text: string): string {
  return text.replaceAll(MARKS_WITH_SPACE, '').replaceAll(CLUSTERS_WITH_SPACE, '').trim()
}
const MARKS_WITH_SPACE = new RegExp(`${MARKS.source} ?`, 'g')
const CLUSTERS_WITH_SPACE = new RegExp(`${CLUSTER.source} ?`, 'g')

/** Null where the text has no mark, or that of `info`. Whether an unmarked object may be taken is decided elsewhere. */
export function getConflictingManager(text: string, info: ManagementInfo): ManagementInfo | null {
  const marking = markingOf(text)
  if (marking.state === 'damaged') return UNKNOWN_MANAGER
  const owners = marking.state === 'several' ? marking.owners : [parseManagementMarker(text) ?? info]
  return owners.find((owner) => !isSameManager(owner, info)) ?? null
}

export function canManageResource(text: string, info: ManagementInfo): boolean {
  return getConflictingManager(text, info) === null
}
