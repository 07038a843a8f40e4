import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../src/telemetry/log.ts'
import { type Clock, every } from '../src/timing/clock.ts'
import { type Laid, standingIn, type WatchFolder, watchFolder } from './folder.ts'
import type { CertMetrics } from './metrics.ts'
import { type ServingPair, servingPair } from './pair.ts'
import { Pursuit, wordsOf } from './pursuit.ts'
import type { CertificateSource } from './source.ts'

export interface FilesParts {
  /** Must hold tls.crt, tls.key and ca.crt before we start. */
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<CertMetrics, 'certReloads'>
  readonly read?: (folder: string) => Promise<Laid>
  readonly watch?: WatchFolder
}

/** Polls too, since some file systems emit no events, and a folder may replace the watched one. */
const LOOKED_EVERY = 1_000

/**
 * Serves the pair that an external issuer writes into a folder, and every renewal (CT-3). A bad pair is a fault at the
 * start; later the last good pair stays in use until the files are valid again.
 */
export async function filesSource(parts: FilesParts): Promise<CertificateSource> {
  const { folder, clock, read = standingIn, watch = watchFolder } = parts
  const listeners: ((pair: ServingPair) => void)[] = []
  const trouble = lastingTrouble(parts)
  const checked = (laid: Laid) => servingPair(laid, folder, clock.now())
  let served = checked(await read(folder))

  async function look(): Promise<void> {
    const laid = await read(folder)
    const { notAfter: _, ...known } = served
    if (!isDeepStrictEqual(laid, known)) {
      served = checked(laid)
      for (const listener of listeners) listener(served)
    }
    trouble.over()
  }

  const pursuit = new Pursuit({ act: look, failed: trouble.seen, clock })
  const unwatch = watch(folder, () => pursuit.again())
  const cancel = every(LOOKED_EVERY, () => pursuit.again(), clock)
  pursuit.tell(folder) // the folder may have changed before the watch began
  return {
    current: () => served,
    onRenewed: (listener) => void listeners.push(listener),
    stop() {
      cancel()
      unwatch()
      pursuit.stop()
    },
  }
}

/** Files that are written one by one do not match for a moment, which is no trouble yet. */
const LASTING = 1_000

/** Logs a trouble once, and again only when its reason changes or when it returns after a good read. */
function lastingTrouble({ folder, clock, log, metrics }: FilesParts) {
  let known: { readonly reason: string | undefined; readonly since: number; readonly isLogged: boolean } | undefined
  return {
    over() {
      known = undefined
    },
    seen(err: unknown): void {
      const { reason } = wordsOf(err)
      if (known === undefined || known.reason !== reason) known = { reason, since: clock.tick(), isLogged: false }
      if (known.isLogged || clock.tick() - known.since < LASTING) return
      known = { ...known, isLogged: true }
      log.warn({ file: folder, reason, err }, 'no new serving pair')
      metrics.certReloads.inc({ result: 'failed' })
    },
  }
}
