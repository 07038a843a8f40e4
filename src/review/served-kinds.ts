import { type Gvr, Refused } from '../cluster/port.ts'
import type { Kind } from '../kind.ts'
import type { Cause } from '../kube/status.ts'
import { nearest } from './nearest.ts'

interface KindNames {
  readonly apiVersion: string
  readonly kind: string
}

/** The kinds that a cluster serves once the definitions are applied. */
const servedOf = (kinds: readonly Kind[]): readonly KindNames[] =>
  kinds.flatMap(({ resource, definition }) =>
    definition === undefined ? [] : [{ apiVersion: apiVersionOf(resource), kind: resource.kind }],
  )
const versionsOf = (served: readonly KindNames[]) => [...new Set(served.map(({ apiVersion }) => apiVersion))]

/** Refuses, as `kubectl` does, an object whose resource the cluster does not serve. */
export function mustBeServed(names: KindNames, kinds: readonly Kind[]): void {
  const causes = unservedCauses(names, kinds)
  const message = causes.map((cause) => `${cause.field}: ${cause.message}`).join('; ')
  if (causes.length > 0) throw new Refused({ code: 404, reason: 'NotFound', message, details: { causes } })
}

/** Why a cluster would not know an object that is meant for our groups; nothing for one that is served, or not ours. */
export function unservedCauses({ apiVersion, kind }: KindNames, kinds: readonly Kind[]): readonly Cause[] {
  const all = servedOf(kinds)
  if (!isMeantFor(all, { apiVersion, kind })) return []
  const meant = nearest(
    kind,
    all.map((each) => each.kind),
  )
  const served = all.find((each) => each.kind === meant)?.apiVersion ?? nearestVersion(apiVersion, versionsOf(all))
  return [
    ...(apiVersion === served
      ? []
      : [notServed('apiVersion', `${apiVersion} is not served; the nearest is ${served}`)]),
    ...(kind === meant ? [] : [notServed('kind', `${served} has no ${kind}; ${insteadOf(meant, served, all)}`)]),
  ]
}

/** Matches our groups and similar ones; a group without a dot belongs to Kubernetes, which has none of our kinds. */
function isMeantFor(served: readonly KindNames[], { apiVersion, kind }: KindNames): boolean {
  const group = groupOf(apiVersion)
  if (!group.includes('.')) return served.some((each) => each.kind.toLowerCase() === kind.toLowerCase())
  const groups = versionsOf(served).map(groupOf)
  return nearest(group, groups) !== undefined || groups.some((each) => each.endsWith(`.${group}`))
}

const nearestVersion = (apiVersion: string, versions: readonly string[]) =>
  nearest(apiVersion, versions) ?? versions.join(', ')

function insteadOf(meant: string | undefined, served: string, all: readonly KindNames[]): string {
  if (meant !== undefined) return `the nearest is ${meant}`
  const there = all.filter(({ apiVersion }) => apiVersion === served).map((each) => each.kind)
  return `it has ${there.sort().join(', ')}`
}

const notServed = (field: string, message: string): Cause => ({ field, reason: 'FieldValueNotSupported', message })

function apiVersionOf({ group, version }: Gvr): string {
  return [group, version].filter(Boolean).join('/')
}

/** What stands before the slash; without one, what names a domain is a group whose version was forgotten. */
function groupOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/')
  return version === undefined && !group.includes('.') ? '' : group
}
