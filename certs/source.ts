import type { Built, Gvr, ObjectWatcher, Ref, Stored } from '../src/cluster/port.ts'
import { Fault } from '../src/faults.ts'
import { isTree } from '../src/schema.ts'
import type { Log } from '../src/telemetry/log.ts'
import { type Clock, every } from '../src/timing/clock.ts'
import type { CertMetrics } from './metrics.ts'
import type { ServingPair } from './pair.ts'
import { Pursuit, wordsOf } from './pursuit.ts'

/** Provides the serving pair. It has a pair from the start: without one the factory rejects. */
export interface CertificateSource {
  current(): ServingPair
  /** Calls the listener for each renewed pair or additional CA, once it is `current`. */
  onRenewed(listener: (pair: ServingPair) => void): void
  stop(): void
}

export const SECRETS: Gvr = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', scope: 'Namespaced' }

/** Polls the wall clock, since a timer of twenty days would be late by the time that the machine slept. */
const CHECK_EVERY = 60_000

export interface SecretSourceParts {
  readonly secret: Ref
  readonly cluster: ObjectWatcher
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<CertMetrics, 'certReloads'>
}

/** Answers from the Secret which pair to serve from now on; the same pair when nothing is due. */
export type NextPair = (secret: Stored | undefined, served: ServingPair | undefined) => Promise<ServingPair>

/** Checks a Secret whenever it changes, and every minute. On any failure the last good pair stays in use. */
export async function sourceFrom(parts: SecretSourceParts, look: NextPair): Promise<CertificateSource> {
  const { secret, cluster, clock, log, metrics } = parts
  const first = Promise.withResolvers<ServingPair>()
  const listeners: ((pair: ServingPair) => void)[] = []
  let served: ServingPair | undefined

  async function act(seen: Stored | undefined): Promise<void> {
    const pair = await look(seen, served)
    if (pair === served) return
    served = pair
    first.resolve(pair)
    for (const listener of listeners) listener(pair)
  }
  function failed(err: unknown, attempt: number): void {
    if (err instanceof Fault && err.code === 'CERTIFICATE') first.reject(err) // a retry would not help
    log.warn({ ...secret, ...wordsOf(err), err, attempt }, 'no new serving pair')
    metrics.certReloads.inc({ result: 'failed' })
  }

  const pursuit = new Pursuit({ act, failed, clock })
  const following = cluster.follow(SECRETS, secret, (seen) => pursuit.tell(seen))
  const cancel = every(CHECK_EVERY, () => pursuit.again(), clock)
  function stop(): void {
    cancel()
    following.stop()
    pursuit.stop()
  }

  try {
    const pair = await first.promise
    return { current: () => served ?? pair, onRenewed: (listener) => void listeners.push(listener), stop }
  } catch (fault) {
    stop()
    throw fault
  }
}

/** The value of a key, empty when the key is absent. */
export function textIn({ data }: Built, key: string): string {
  const value = isTree(data) ? data[key] : undefined
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : ''
}

/** The Secret's name in messages. */
export function placeOf({ namespace, name }: Ref): string {
  return `Secret ${namespace}/${name}`
}
