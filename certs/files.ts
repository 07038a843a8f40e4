import { isDeepStrictEqual } from 'node:util'
import type { Log } from '../src/telemetry/log.ts'
import { type Clock, every } from '../src/timing/clock.ts'
import { type Laid, standingIn, type WatchFolder, watchFolder } from './folder.ts'
import type { CertMetrics } from './metrics.ts'
import { type ServingPair, servingPair } from './pair.ts'
import { Pursuit, wordsOf } from './pursuit.ts'
import type { CertificateSource } from './source.ts'

export interface FilesMeans {
  /** Holds tls.crt, tls.key and ca.crt before we start. */
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<CertMetrics, 'certReloads'>
  readonly read?: (folder: string) => Promise<Laid>
  readonly watch?: WatchFolder
}

/** For events that never come: a file system without any, a folder that was put in place of the watched one. */
const LOOKED_EVERY = 1_000

/**
 * A pair that somebody else lays down in a folder, and each one that follows (CT-3). A bad one is a fault at the start;
 * later the last good one is served on until the files are whole again.
 */
export async function filesSource(means: FilesMeans): Promise<CertificateSource> {
  const { folder, clock, read = standingIn, watch = watchFolder } = means
  const listeners: ((pair: ServingPair) => void)[] = []
  const trouble = lastingTrouble(means)
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
  pursuit.tell(folder) // which may have changed before it was watched
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

/** Files that are laid down one after the other do not fit each other for a moment; that is no trouble yet. */
const LASTING = 1_000

/** Told once, and again only when something else is wrong, or the same after all was well. */
function lastingTrouble({ folder, clock, log, metrics }: FilesMeans) {
  let known: { readonly reason: string | undefined; readonly since: number; readonly told: boolean } | undefined
  return {
    over() {
      known = undefined
    },
    seen(err: unknown): void {
      const { reason } = wordsOf(err)
      if (known === undefined || known.reason !== reason) known = { reason, since: clock.tick(), told: false }
      if (known.told || clock.tick() - known.since < LASTING) return
      known = { ...known, told: true }
      log.warn({ file: folder, reason, err }, 'no new serving pair')
      metrics.certReloads.inc({ result: 'failed' })
    },
  }
}
