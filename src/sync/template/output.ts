import { type Bytes, binaryOf } from './bytes.ts'
import { type CostMeter, tooExpensive } from './meter.ts'

/** What a template has printed so far. */
export class Output {
  private readonly meter: CostMeter
  private readonly parts: Bytes[] = []
  private length = 0

  constructor(meter: CostMeter) {
    this.meter = meter
  }

  get bytes(): Uint8Array {
    return binaryOf(this.parts.join(''))
  }

  write(text: Bytes): void {
    this.length += text.length
    const { outputBytes } = this.meter.limits
    if (this.length > outputBytes) throw tooExpensive(`an output of more than ${outputBytes} bytes`)
    this.parts.push(text)
  }
}
