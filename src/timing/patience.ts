import type { Clock } from './clock.ts'

/** Ends early when the signal aborts; whoever waited then asks the signal. */
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

/** For what takes no signal itself. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const give = () => aborted.reject(signal.reason)
  if (signal.aborted) give() // and yet the promise is waited for: nobody else would catch what it throws
  signal.addEventListener('abort', give)
  return Promise.race([aborted.promise, promise]).finally(() => signal.removeEventListener('abort', give))
}

/** A signal that aborts with its parent, or with a reason of its own when nobody rewinds it in time. */
export interface Fuse {
  readonly signal: AbortSignal
  /** Milliseconds until it burns down. */
  left(): number
  rewind(): void
  /** It does not burn down any more, but still aborts with its parent. */
  hold(): void
  release(): void
}

export function fuse(clock: Clock, ms: number, burnt: () => Error, parent?: AbortSignal): Fuse {
  const controller = new AbortController()
  const follow = () => controller.abort(parent?.reason)
  let end = 0
  let callOff = () => {}

  const hold = () => callOff()
  const rewind = () => {
    callOff()
    end = clock.tick() + ms
    callOff = clock.after(ms, () => controller.abort(burnt()))
  }
  const release = () => {
    callOff()
    parent?.removeEventListener('abort', follow)
  }

  rewind()
  if (parent?.aborted) follow()
  parent?.addEventListener('abort', follow)
  return { signal: controller.signal, left: () => end - clock.tick(), rewind, hold, release }
}
