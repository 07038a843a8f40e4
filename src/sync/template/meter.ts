import { Failure } from './failure.ts'
import type { Limits } from './limits.ts'

/** Steps between two looks at the clock. */
const STEPS_A_LOOK = 4_096
/** Bytes that are handled in the time of a step. */
const BYTES_A_STEP = 256

/** Counts what a rendering costs, and ends it when it costs too much (SY-LIM-1). */
export class CostMeter {
  readonly limits: Limits
  private readonly startedAt: number
  private steps = 0
  private made = 0
  private looksAt = STEPS_A_LOOK

  constructor(limits: Limits) {
    this.limits = limits
    this.startedAt = limits.cpuMsNow()
  }

  step(count = 1): void {
    this.steps += count
    if (this.steps > this.limits.steps) throw tooExpensive(`more than ${this.limits.steps} steps`)
    if (this.steps < this.looksAt) return
    this.looksAt = this.steps + STEPS_A_LOOK
    if (this.limits.cpuMsNow() - this.startedAt > this.limits.cpuMs) {
      throw tooExpensive(`more than ${this.limits.cpuMs} ms`)
    }
  }

  checkValue(bytes: number): void {
    if (bytes > this.limits.valueBytes) throw tooExpensive(`a value of more than ${this.limits.valueBytes} bytes`)
  }

  /** A value of so many bytes is about to be made. */
  make(bytes: number): void {
    this.made += bytes
    this.checkValue(bytes)
    if (this.made > this.limits.madeBytes) throw tooExpensive(`values of more than ${this.limits.madeBytes} bytes`)
    this.step(Math.ceil(bytes / BYTES_A_STEP))
  }
}

export const tooExpensive = (why: string) => new Failure(`template too expensive: ${why}`, undefined, true)
