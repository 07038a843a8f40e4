import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Action } from '../../kit/controller.ts'
import { type Gvr, isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import { TUNNEL_LABEL as TUNNEL_ANNOTATION } from '../aggregation/tunnel-configs.ts'
import { publishedBy } from '../conversions/binding.ts'
import { parentsStatus } from '../conversions/route-status.ts'
import { statusIn } from '../engine/seen.ts'
import { reported } from '../engine/writes.ts'
import { HTTP_ROUTE, INGRESS } from '../kubernetes.ts'
import { TUNNEL_BINDING } from '../tunnelbinding/schema.ts'
import { onto } from './plan.ts'
import type { Contributed, TunnelSeen } from './seen.ts'
import type { SeenTunnel } from './seen-cluster.ts'
import type { SentConfig } from './step.ts'

/**
 * So many in one turn: the next configuration does not wait until a thousand objects are told of the last one. Each write
 * wakes the tunnel, so the rest follows.
 */
const MOST_REPORTS = 50
const CONFLICT_ANNOTATION = 'cloudflare-operator.io/conflict'

/** What tunnels and the objects that they publish have to say of themselves. What is so already is not written. */
export function reportsOf(seen: TunnelSeen, sent: SentConfig, at: Date): readonly Action[] {
  const all = [
    ...seen.tunnels.flatMap((tunnel) => ofTunnel(tunnel, sent)),
    ...seen.contributed.flatMap((each) => [...annotated(each, seen, sent), ...ofMember(each, seen, sent, at)]),
    ...seen.unpublished.flatMap((each) => ofRoute(each, at)),
    ...seen.left.flatMap(({ of, object }) => withdrawn(of, object, seen.tunnelId)),
  ]
  return all.slice(0, MOST_REPORTS)
}

function ofTunnel({ of, object }: SeenTunnel, { published }: SentConfig): readonly Action[] {
  if (published === undefined || isTerminating(object)) return []
  return reported(of, { object }, { configVersion: published.version, syncedHostnames: published.hostnames })
}

function ofMember(each: Contributed, { tunnelId }: TunnelSeen, { published }: SentConfig, at: Date): readonly Action[] {
  const { of, object } = each.member
  if (of === INGRESS)
    return reported(of, { object }, { loadBalancer: { ingress: [{ hostname: addressOf(tunnelId) }] } })
  if (of === HTTP_ROUTE) return ofRoute(each, at)
  const { hostnames, services } = publishedBy(each)
  const own = new Set(each.rules.map(({ hostname }) => hostname))
  const synced = published && {
    configVersion: published.version,
    syncedHostnames: published.hostnames.filter((hostname) => own.has(hostname)),
  }
  return reported(of, { object }, { hostnames, services, ...synced })
}
const addressOf = (tunnelId: string) => `${tunnelId}.cfargotunnel.com`

function ofRoute({ member: { of, object }, route }: Contributed, at: Date): readonly Action[] {
  const parents = route && parentsStatus(object, route, at)
  const isNews = parents !== undefined && (parents.length > 0 || statusIn(object).parents !== undefined)
  return isNews ? reported(of, { object }, { parents }) : []
}

/** A source finds its tunnel by the annotation when the object of that is gone (CF-AGG-23). */
function annotated({ member: { key, of, object } }: Contributed, { tunnelId }: TunnelSeen, sent: SentConfig) {
  const conflicts = sent.findings.filter(({ source, reason }) => source.key === key && reason === 'DuplicateRule')
  const words =
    conflicts
      .map(({ message }) => message)
      .join('; ')
      .slice(0, 1_024) || null
  const isTold = of === TUNNEL_BINDING && !sent.isAsBefore
  return annotating(of, object, { [TUNNEL_ANNOTATION]: tunnelId, ...(isTold && { [CONFLICT_ANNOTATION]: words }) })
}
function annotating(of: Gvr, object: KubeObject, wanted: Readonly<Record<string, string | null>>): readonly Action[] {
  const before = object.metadata.annotations ?? {}
  const changed = Object.entries(wanted).filter(([name, value]) => (before[name] ?? null) !== value)
  if (changed.length === 0) return []
  const patch = { metadata: { annotations: Object.fromEntries(changed) } }
  return [{ do: 'merge', ...onto({ of, object }, 'CF-AGG-23'), patch }]
}

/** An object that others publish from now on: what it says of this tunnel goes, and what others have written stays. */
function withdrawn(of: Gvr, object: KubeObject, tunnelId: string): readonly Action[] {
  if (isTerminating(object) || object.metadata.annotations?.[TUNNEL_ANNOTATION] !== tunnelId) return []
  const isAddressed = of === INGRESS && addressIn(statusIn(object)) === addressOf(tunnelId)
  return [
    ...(isAddressed ? reported(of, { object }, { loadBalancer: { ingress: null } }) : []),
    ...annotating(of, object, { [TUNNEL_ANNOTATION]: null }),
  ]
}
function addressIn({ loadBalancer }: Tree): unknown {
  const [first]: readonly unknown[] =
    isTree(loadBalancer) && Array.isArray(loadBalancer.ingress) ? loadBalancer.ingress : []
  return isTree(first) ? first.hostname : undefined
}
