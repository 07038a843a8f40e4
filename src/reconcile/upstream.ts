import type { Ref } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Log } from '../telemetry/log.ts'
import type { Clock } from '../timing/clock.ts'
import { pause } from '../timing/pause.ts'
import { type LeaseClient, type LeaseRecord, leaseAt, recordOf } from './lease-record.ts'

/** The Leases of the upstream controller, of 1.4 and of 1.2, as it spells them. */
export const UPSTREAM_LEASES: readonly Ref[] = [
  { namespace: 'tars-system', name: 'tars-controller-manger' },
  { namespace: 'tars-system', name: 'tarscontroller' },
]

export interface LookOut {
  readonly client: Pick<LeaseClient, 'reader'>
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

const LONGEST_SECONDS = 15
const LOOK_MS = 1_000
const RETRY_MS = 2_000

/**
 * Two controllers would undo each other's writes without end, so ours does not start beside a live one (WK-1). A Lease
 * is live if its renewTime changes while we look, for as long as the Lease lasts: no clock is compared with another.
 */
export async function refuseUpstream(around: LookOut): Promise<void> {
  const live = await Promise.all(UPSTREAM_LEASES.map((ref) => liveHolder(ref, around)))
  for (const [index, holder] of live.entries()) {
    const ref = UPSTREAM_LEASES[index]
    if (ref !== undefined && holder !== undefined) throw upstreamRuns(ref, holder)
  }
}

async function liveHolder(ref: Ref, around: LookOut): Promise<string | undefined> {
  const { clock, signal } = around
  const first = await lookUntilAnswered(ref, around)
  const end = clock.tick() + secondsOf(first) * 1_000
  while (first !== undefined && clock.tick() < end && !signal.aborted) {
    await pause(clock, Math.ceil(Math.min(LOOK_MS, end - clock.tick())), signal)
    const now = await lookUntilAnswered(ref, around)
    if (now !== undefined && now.holder !== '' && now.renewTime !== first.renewTime) return now.holder
  }
  return undefined
}

function secondsOf(record: LeaseRecord | undefined): number {
  const { seconds = LONGEST_SECONDS } = record ?? {}
  return seconds > 0 ? Math.min(seconds, LONGEST_SECONDS) : LONGEST_SECONDS
}

/** Without an answer it is not known whether the other runs, so it goes on asking. */
async function lookUntilAnswered(ref: Ref, { client, clock, log, signal }: LookOut): Promise<LeaseRecord | undefined> {
  while (!signal.aborted) {
    try {
      const lease = await leaseAt(ref, client)
      return lease && recordOf(lease)
    } catch (err) {
      log.warn({ ...ref, err }, 'it is not known whether the upstream controller runs')
      await pause(clock, RETRY_MS, signal)
    }
  }
  return undefined
}

function upstreamRuns({ namespace, name }: Ref, holder: string): Fault {
  const lease = `Lease ${name} in namespace ${namespace} is being renewed by ${JSON.stringify(holder.slice(0, 253))}`
  const remedy = 'scale its Deployment to 0 first, or start with --beside-upstream'
  return new Fault('UPSTREAM_RUNS', `the upstream controller is running: ${lease}; ${remedy}`)
}
