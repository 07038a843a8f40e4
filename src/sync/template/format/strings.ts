import type { Bytes } from '../bytes.ts'
import { fitsRaw, quoted } from '../quoting.ts'
import { runeAt } from '../runes.ts'
import { type Flags, padded } from './flags.ts'

/** Undefined: strings have no such verb. */
export function stringText(text: Bytes, verb: string, flags: Flags): Bytes | undefined {
  if (verb === 'x' || verb === 'X') return hexText(text, verb, flags)
  if (verb === 's' || (verb === 'v' && !flags.sharpV)) return padded(shortened(text, flags), flags)
  return verb === 'q' || verb === 'v' ? padded(quotedText(shortened(text, flags), flags), flags) : undefined
}

function quotedText(text: Bytes, { sharp, plus }: Flags): Bytes {
  return sharp && fitsRaw(text) ? `\`${text}\`` : quoted(text, { asciiOnly: plus })
}

/** A precision counts runes. */
function shortened(text: Bytes, { precision }: Flags): Bytes {
  if (precision === undefined) return text
  let end = 0
  for (let count = 0; count < precision && end < text.length; count++) end += runeAt(text, end).width
  return text.slice(0, end)
}

/** A precision counts bytes here. */
function hexText(text: Bytes, verb: string, flags: Flags): Bytes {
  const bytes = Buffer.from(text.slice(0, flags.precision ?? text.length), 'latin1')
  const prefix = flags.sharp ? '0x' : ''
  const pairs = bytes.toString('hex').replace(/..(?!$)/g, flags.space ? `$& ${prefix}` : '$&')
  const shown = bytes.length === 0 ? '' : prefix + pairs
  return padded(verb === 'X' ? shown.toUpperCase() : shown, flags)
}
