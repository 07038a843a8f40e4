/** Time is handed in: nothing sleeps or looks at a clock by itself, so that no test need sleep either. */
export interface Clock {
  /** What hour it is. The wall clock may be set back, and stands still while the machine sleeps. */
  now(): Date
  /** Milliseconds since some beginning; never goes back. */
  tick(): number
  after(ms: number, act: () => void): Cancel
  /** From 0 up to 1, for jitter. */
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
    act() // which may call it off
  }
  return () => cancel()
}
