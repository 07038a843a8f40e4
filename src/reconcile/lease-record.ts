import type { Built, ClusterReader, Ref, Stored } from '../cluster/port.ts'
import { resource } from '../cluster/resource.ts'
import { isStored } from '../cluster/stored.ts'
import { sha256Of } from '../kube/digests.ts'
import { isTree, object, type Tree } from '../schema.ts'

/** The schema is empty, since it is a kind of Kubernetes, and since every client with the right may write any content. */
export const LEASE = resource(
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', scope: 'Namespaced' },
  object({}),
)

export const LEASE_NAME = 'tars-admission-worker'
/** Workers of other namespaces elect a leader of their own (WR-7). */
export function leaseNameFor(namespaces: readonly string[]): string {
  if (namespaces.length === 0) return LEASE_NAME
  return `${LEASE_NAME}-${sha256Of([...new Set(namespaces)].toSorted().join(',')).slice(0, 8)}`
}

/** The rights that an election takes: get, create and update of Leases in the namespace of the installation. */
export interface LeaseClient {
  readonly reader: Pick<ClusterReader, 'get'>
  readonly writer: {
    create(of: typeof LEASE, object: Built): Promise<Stored>
    replace(of: typeof LEASE, object: Stored): Promise<Stored>
  }
}

export async function leaseAt(ref: Ref, { reader }: Pick<LeaseClient, 'reader'>): Promise<Stored | undefined> {
  const found: unknown = await reader.get(LEASE, ref)
  return isStored(found) ? found : undefined
}

/** What counts of a Lease. */
export interface LeaseRecord {
  /** Empty where none is named. */
  readonly holder: string
  /** The holder has given it up, as client-go does it. */
  readonly isReleased: boolean
  /** Two of the same text are the same record. */
  readonly text: string
  readonly renewTime: unknown
  readonly seconds: number | undefined
}

export function recordOf(lease: Tree): LeaseRecord {
  const spec = specOf(lease)
  const { holderIdentity, leaseDurationSeconds: seconds, renewTime } = spec
  const holder = typeof holderIdentity === 'string' ? holderIdentity : ''
  return {
    holder,
    isReleased: holderIdentity === '' && seconds === 1,
    text: JSON.stringify(spec),
    renewTime,
    seconds: typeof seconds === 'number' ? seconds : undefined,
  }
}
const specOf = ({ spec }: Tree): Tree => (isTree(spec) ? spec : {})

/** Who claims a Lease and when; `count` differs from that of the last claim. */
export interface Claim {
  readonly identity: string
  readonly at: Date
  readonly count: number
}

export const LEASE_SECONDS = 15

export function newLease({ namespace, name }: Ref, claim: Claim): Built {
  const metadata = { namespace, name }
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: claimed({}, claim, 0) }
}

/** Renewed, or taken over: then the time of acquisition is new, and the transitions count one more. */
export function claimedLease(lease: Stored, claim: Claim): Stored {
  const spec = specOf(lease)
  const { acquireTime, leaseTransitions } = spec
  const next = claimed(spec, claim, transitionsAfter(leaseTransitions))
  const isRenewal = spec.holderIdentity === claim.identity
  return { ...lease, spec: isRenewal ? { ...next, acquireTime, leaseTransitions } : next }
}

export function releasedLease(lease: Stored, claim: Claim): Stored {
  const next = claimed(specOf(lease), { ...claim, identity: '' }, 0)
  const { leaseTransitions } = specOf(lease)
  return { ...lease, spec: { ...next, leaseDurationSeconds: 1, leaseTransitions } }
}

function claimed(spec: Tree, { identity, at, count }: Claim, leaseTransitions: number): Tree {
  const time = microTime(at, count)
  return {
    ...spec,
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_SECONDS,
    acquireTime: time,
    renewTime: time,
    leaseTransitions,
  }
}

/** The API server keeps 32 bits of it. */
const MOST_TRANSITIONS = 2 ** 31 - 1
function transitionsAfter(transitions: unknown): number {
  const isCount = typeof transitions === 'number' && Number.isInteger(transitions) && transitions >= 0
  return isCount && transitions < MOST_TRANSITIONS ? transitions + 1 : 0
}

/**
 * A MicroTime has exactly six decimals; the API server refuses three (measured). The last three count, so that two
 * records of one holder differ even if the wall clock is set back between them.
 */
export function microTime(at: Date, count: number): string {
  return at.toISOString().replace('Z', `${String(count % 1_000).padStart(3, '0')}Z`)
}
