import type { Built, Gvr, ObjectWatcher, Ref, Stored } from '../src/cluster/port.ts'
import { Fault } from '../src/faults.ts'
import { isTree } from '../src/schema.ts'
import type { Log } from '../src/telemetry/log.ts'
import { type Clock, every } from '../src/timing/clock.ts'
import type { CertMetrics } from './metrics.ts'
import type { ServingPair } from './pair.ts'
import { Pursuit, wordsOf } from './pursuit.ts'

/** Where the serving pair comes from. There is one from the start: a source that cannot find any is not made. */
export interface CertificateSource {
  current(): ServingPair
  /** Told of each further pair, or of one more CA to trust, once it is `current`. */
  onRenewed(listener: (pair: ServingPair) => void): void
  stop(): void
}

export const SECRETS: Gvr = { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', scope: 'Namespaced' }

/** By the wall clock, since a timer of twenty days would be off by all the time the machine slept. */
const CHECK_EVERY = 60_000

export interface SecretMeans {
  readonly secret: Ref
  readonly cluster: ObjectWatcher
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<CertMetrics, 'certReloads'>
}

/** One look at the Secret: what is to be served from now on, which is the same pair when nothing is due. */
export type NextPair = (secret: Stored | undefined, served: ServingPair | undefined) => Promise<ServingPair>

/** Looks at a Secret whenever it changes, and every minute. Whatever becomes of it, the last good pair is served on. */
export async function sourceFrom(means: SecretMeans, look: NextPair): Promise<CertificateSource> {
  const { secret, cluster, clock, log, metrics } = means
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
    if (err instanceof Fault && err.code === 'CERTIFICATE') first.reject(err) // no waiting will mend it
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

/** The value of a key, empty when it is not there. */
export function textIn({ data }: Built, key: string): string {
  const value = isTree(data) ? data[key] : undefined
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : ''
}

/** How messages call it. */
export function placeOf({ namespace, name }: Ref): string {
  return `Secret ${namespace}/${name}`
}
