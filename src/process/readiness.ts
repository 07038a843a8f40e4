import type { Check } from '../http/side-servers.ts'

/**
 * What held once holds: an old cache or an API server that is away must not take all replicas out of the Service at once
 * (SV-11).
 */
export function once(holds: () => boolean): () => boolean {
  let held = false
  return () => {
    held ||= holds()
    return held
  }
}

const POLL_MS = 20

/** Resolves when nothing is missing. The checks are polled, because each becomes true for a reason of its own. */
export function passed(checks: readonly Check[], made: AsyncDisposableStack): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(ask, POLL_MS).unref()
  made.defer(() => clearInterval(timer))
  function ask(): void {
    if (checks.some(({ missing }) => missing() !== undefined)) return
    clearInterval(timer)
    resolve()
  }
  ask()
  return promise
}
