import type { ClusterReader } from '../../kit/schema.ts'
import { CRD, ENDPOINT_SLICE, LEASE, MUTATING_CONFIGURATION, type StoredLease } from './resources.ts'

export const KRUISE_CONFIGURATION = 'kruise-mutating-webhook-configuration'

/** What OpenKruise leaves in a cluster. */
export interface RivalTraces {
  readonly leases: readonly StoredLease[]
  /** Whether a Service answers for its mutating webhooks. */
  readonly isServed: boolean
  readonly isConverting: boolean
}

export async function rivalTraces(live: ClusterReader): Promise<RivalTraces> {
  const leases = await live.list(LEASE, { namespace: '', name: 'kruise-manager' })
  const configuration = await live.get(MUTATING_CONFIGURATION, { namespace: '', name: KRUISE_CONFIGURATION })
  const [first] = configuration?.webhooks ?? []
  const crd = await live.get(CRD, { namespace: '', name: 'daemonsets.apps.kruise.io' })
  const { strategy, webhook } = crd?.spec?.conversion ?? {}
  const isConverting = strategy === 'Webhook' && (webhook?.clientConfig?.service?.name ?? '').startsWith('kruise-')
  return { leases, isServed: await isBacked(first?.clientConfig?.service, live), isConverting }
}

/** Why OpenKruise counts as running (PATCH-CTL-2): two controllers of one DaemonSet would undo each other's work. */
export function rivalIn({ leases, isServed, isConverting }: RivalTraces, at: Date): string | undefined {
  const held = leases.find((lease) => isHeld(lease, at))
  if (held !== undefined) return `its Lease ${held.metadata.namespace}/${held.metadata.name} is held`
  if (isServed) return `a Service answers for its ${KRUISE_CONFIGURATION}`
  return isConverting ? 'it converts the versions of daemonsets.apps.kruise.io' : undefined
}

const GRACE_SECONDS = 10

/** A renewal that cannot be read counts as one. */
function isHeld({ spec = {} }: Pick<StoredLease, 'spec'>, at: Date): boolean {
  const { holderIdentity, leaseDurationSeconds, renewTime } = spec
  if (!holderIdentity) return false
  const until = Date.parse(renewTime ?? '') + ((leaseDurationSeconds ?? 0) + GRACE_SECONDS) * 1_000
  return !(until < at.getTime())
}

async function isBacked(service: ServiceName | undefined, live: ClusterReader): Promise<boolean> {
  const { name = '', namespace = '' } = service ?? {}
  if (name === '') return false
  const slices = await live.list(ENDPOINT_SLICE, { namespace, labels: { 'kubernetes.io/service-name': name } })
  return slices.some(({ endpoints }) => (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false))
}
interface ServiceName {
  readonly name?: string | undefined
  readonly namespace?: string | undefined
}
