/** Time is handed in: the wall says when, the tick how long (it never jumps). */
export interface Clock {
  now(): Date
  tick(): number
}
