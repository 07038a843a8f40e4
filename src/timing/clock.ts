/** Time is a parameter: no code sleeps or reads a clock by itself, so no test has to sleep. */
export interface Clock {
  /** The wall clock, which may be set back, and which does not run while the machine sleeps. */
  now(): Date
  /** Milliseconds since an arbitrary start; monotonic. */
  tick(): number
  after(ms: number, act: () => void): Cancel
  /** A random number from 0 up to 1, for jitter. */
  random(): number
}
export type Cancel = () => void

export const systemClock: Clock = {
  now: () => new Date(),
  tick: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}

export function every(ms: number, act: () => void, { after }: Pick<Clock, 'after'>): Cancel {
  let cancel = after(ms, tick)
  function tick(): void {
    cancel = after(ms, tick)
    act() // the action may cancel it
  }
  return () => cancel()
}
