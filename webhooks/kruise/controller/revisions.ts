import { isSame } from '../../kit/admission.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { fnv, lettersOf } from './label-hash.ts'

/** A ControllerRevision, as far as it tells versions apart. */
export interface Revision {
  readonly name: string
  readonly revision: number
  readonly template: unknown
  readonly patches: unknown
  /** Its label controller-revision-hash. */
  readonly hash: string
  /** Its label daemonset.kruise.io/template-hash, which revisions of Kruise do not have. */
  readonly templateHash: string | undefined
}
export interface Version {
  readonly template: Tree
  readonly patches: readonly unknown[]
}

/** A template and its patches make a version, whatever its number (PATCH-CTL-11). */
export function isOfVersion(revision: Revision, version: Version): boolean {
  return isSameTemplate(revision.template, version.template) && isSamePatches(revision.patches, version.patches)
}

const isSameTemplate = (one: unknown, other: unknown) => isSame(bare(one), bare(other))
const isSamePatches = (one: unknown, other: readonly unknown[]) => isSame(Array.isArray(one) ? one : [], other)

/** Without nulls and empty objects, which Kruise's data has in places (`creationTimestamp: null`), and the directive at its root. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => bare(item) ?? {})
  if (!isTree(value)) return value === null ? undefined : value
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const kept = name === '$patch' ? undefined : bare(field)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

export type Canonical = (value: unknown) => string

/** The hash of a template: that of any revision that has it already, so that an adopted DaemonSet restarts nothing. */
export function templateHashOf(
  revisions: readonly Revision[],
  { template }: Version,
  canonical: Canonical,
  collisions: number,
): string {
  const same = revisions.find((revision) => isSameTemplate(revision.template, template))
  if (same !== undefined) return same.templateHash ?? same.hash
  return lettersOf(fnv(`${canonical(bare(template) ?? {})}${collisions === 0 ? '' : collisions}`))
}

/** The number of the current revision: above all others. */
export function numberOf(current: Revision | undefined, revisions: readonly Revision[]): number {
  const highest = Math.max(0, ...revisions.filter((each) => each !== current).map(({ revision }) => revision))
  return current !== undefined && current.revision > highest ? current.revision : highest + 1
}

/** Old revisions beyond the limit, the oldest first; never one that a pod names (PATCH-CTL-20). */
export function expendable(old: readonly Revision[], limit: number, isNamed: (revision: Revision) => boolean) {
  const free = old.filter((revision) => !isNamed(revision)).sort((one, other) => one.revision - other.revision)
  return free.slice(0, Math.max(0, old.length - limit))
}

/** What a revision stores; Kruise's own revisions have no patches either. */
export function dataOf({ template, patches }: Version): Tree {
  return { spec: { template: { ...template, $patch: 'replace' }, ...(patches.length > 0 && { patches }) } }
}
export function versionIn(data: unknown): { readonly template: unknown; readonly patches: unknown } {
  const spec = isTree(data) && isTree(data.spec) ? data.spec : {}
  return { template: spec.template, patches: spec.patches }
}
