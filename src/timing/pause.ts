import type { Clock } from './clock.ts'

/** Ends early when the signal aborts, which the caller can read from the signal. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  const callOff = clock.after(ms, end)
  signal.addEventListener('abort', end)
  await promise
  callOff()
  signal.removeEventListener('abort', end)
}

/** Wraps a promise that takes no signal itself. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const give = () => aborted.reject(signal.reason)
  if (signal.aborted) give() // The promise is still awaited, or its rejection would be unhandled.
  signal.addEventListener('abort', give)
  return Promise.race([aborted.promise, promise]).finally(() => signal.removeEventListener('abort', give))
}
