import { kinds } from '../../webhooks/index.ts'
import { type Gvr, Refused } from '../cluster/port.ts'
import type { Cause } from '../kube/status.ts'
import { nearest } from './nearest.ts'

interface KindNames {
  readonly apiVersion: string
  readonly kind: string
}

/** What a cluster serves once our definitions are applied. */
const SERVED: readonly KindNames[] = kinds.flatMap(({ resource, definition }) =>
  definition === undefined ? [] : [{ apiVersion: apiVersionOf(resource), kind: resource.kind }],
)
const API_VERSIONS = [...new Set(SERVED.map(({ apiVersion }) => apiVersion))]
const GROUPS = [...new Set(API_VERSIONS.map(groupOf))]

/** Refuses as `kubectl` does what a cluster could not even find a resource for. */
export function mustBeServed(names: KindNames): void {
  const causes = unservedCauses(names)
  const message = causes.map((cause) => `${cause.field}: ${cause.message}`).join('; ')
  if (causes.length > 0) throw new Refused({ code: 404, reason: 'NotFound', message, details: { causes } })
}

/** Why a cluster would not know an object that is meant for our groups; nothing for one that is served, or not ours. */
export function unservedCauses({ apiVersion, kind }: KindNames): readonly Cause[] {
  if (!isMeantForUs({ apiVersion, kind })) return []
  const meant = nearest(
    kind,
    SERVED.map((each) => each.kind),
  )
  const served = SERVED.find((each) => each.kind === meant)?.apiVersion ?? nearestVersion(apiVersion)
  return [
    ...(apiVersion === served
      ? []
      : [notServed('apiVersion', `${apiVersion} is not served; the nearest is ${served}`)]),
    ...(kind === meant ? [] : [notServed('kind', `${served} has no ${kind}; ${insteadOf(meant, served)}`)]),
  ]
}

/** By its group, or one that is nearly ours; a group without a dot is one of Kubernetes, which has none of our kinds. */
function isMeantForUs({ apiVersion, kind }: KindNames): boolean {
  const group = groupOf(apiVersion)
  if (!group.includes('.')) return SERVED.some((each) => each.kind === kind)
  return nearest(group, GROUPS) !== undefined || GROUPS.some((each) => each.endsWith(`.${group}`))
}

const nearestVersion = (apiVersion: string) => nearest(apiVersion, API_VERSIONS) ?? API_VERSIONS.join(', ')

function insteadOf(meant: string | undefined, served: string): string {
  if (meant !== undefined) return `the nearest is ${meant}`
  const all = SERVED.filter(({ apiVersion }) => apiVersion === served).map((each) => each.kind)
  return `it has ${all.sort().join(', ')}`
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
