import type { Clock } from './clock.ts'

/** A signal that aborts with its parent, or with its own reason unless it is rewound in time. */
export interface Fuse {
  readonly signal: AbortSignal
  /** Milliseconds until it aborts. */
  left(): number
  rewind(): void
  /** Cancels its own time; it still aborts with its parent. */
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
