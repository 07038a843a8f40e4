import type { Bytes } from '../bytes.ts'
import { countRunes } from '../runes.ts'

/** What stands between the per cent sign of a directive and its verb. */
export interface Flags {
  readonly minus: boolean
  readonly plus: boolean
  readonly sharp: boolean
  readonly space: boolean
  readonly zero: boolean
  /** Plus and sharp of the verb v: they change how structures print, and not their numbers. */
  readonly plusV: boolean
  readonly sharpV: boolean
  readonly width: number | undefined
  readonly precision: number | undefined
}

export const NO_FLAGS: Flags = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
}

/** To its width, which counts runes (SY-FMT-4). */
export function padded(text: Bytes, { width = 0, minus, zero }: Flags): Bytes {
  if (width === 0) return text
  const missing = width - countRunes(text)
  if (missing <= 0) return text
  return minus ? text + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + text
}
