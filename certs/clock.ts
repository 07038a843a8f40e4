/** Time is handed in: what hour it is by the wall, and being called back. */
export interface Clock {
  now(): Date
  after(ms: number, act: () => void): Cancel
  /** From 0 up to 1, for jitter. */
  random(): number
}
export type Cancel = () => void

/** Its timers keep no process alive. */
export const wallClock: Clock = {
  now: () => new Date(),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}

export function every(ms: number, act: () => void, { after }: Clock): Cancel {
  let cancel = after(ms, tick)
  function tick(): void {
    act()
    cancel = after(ms, tick)
  }
  return () => cancel()
}
