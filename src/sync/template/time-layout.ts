import type { Bytes } from './bytes.ts'
import { type GoTime, offsetText, type WallClock } from './moment.ts'

export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** The parts of Go's layouts. A longer one stands before its own beginning. */
const PARTS =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|_?2006|2|__2|_2|3|4|5|PM|pm|[-Z]07(?::00:00|0000|:00|00)?|[.,](?:0+|9+)(?!\d)/g

const DEFAULT_LAYOUT = '2006-01-02 15:04:05.999999999 -0700 MST'

/** The time as Go prints it, in the layout or in that of its own. */
export function timeText({ wallClock }: GoTime, layout: Bytes = DEFAULT_LAYOUT): Bytes {
  return layout.replace(PARTS, (part) => partText(part, wallClock))
}

const two = (part: number) => String(part).padStart(2, '0')
const hour12 = (hour: number) => hour % 12 || 12

const TEXTS: Readonly<Record<string, (clock: WallClock) => Bytes>> = {
  January: ({ month }) => MONTHS[month - 1] ?? '',
  Jan: ({ month }) => (MONTHS[month - 1] ?? '').slice(0, 3),
  Monday: ({ weekday }) => WEEKDAYS[weekday] ?? '',
  Mon: ({ weekday }) => (WEEKDAYS[weekday] ?? '').slice(0, 3),
  MST: ({ zone }) => zone,
  2006: yearText,
  _2006: (clock) => `_${yearText(clock)}`,
  '06': ({ year }) => two(Math.abs(year % 100)),
  '01': ({ month }) => two(month),
  1: ({ month }) => String(month),
  '02': ({ day }) => two(day),
  _2: ({ day }) => String(day).padStart(2),
  2: ({ day }) => String(day),
  '002': ({ yearDay }) => String(yearDay).padStart(3, '0'),
  __2: ({ yearDay }) => String(yearDay).padStart(3),
  15: ({ hour }) => two(hour),
  '03': ({ hour }) => two(hour12(hour)),
  3: ({ hour }) => String(hour12(hour)),
  '04': ({ minute }) => two(minute),
  4: ({ minute }) => String(minute),
  '05': ({ second }) => two(second),
  5: ({ second }) => String(second),
  PM: ({ hour }) => (hour >= 12 ? 'PM' : 'AM'),
  pm: ({ hour }) => (hour >= 12 ? 'pm' : 'am'),
}

function partText(part: string, clock: WallClock): Bytes {
  const text = TEXTS[part]
  if (text !== undefined) return text(clock)
  return /^[.,]/.test(part) ? fractionText(part, clock) : zoneOffset(part, clock)
}

function yearText({ year }: WallClock): Bytes {
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`
}

/** Nines leave out the zeros at the end. */
function fractionText(part: string, { millisecond }: WallClock): Bytes {
  const digits = String(millisecond)
    .padStart(3, '0')
    .padEnd(part.length - 1, '0')
    .slice(0, part.length - 1)
  const shown = part.includes('9') ? digits.replace(/0+$/, '') : digits
  return shown === '' ? '' : `${part.charAt(0)}${shown}`
}

function zoneOffset(part: string, { offsetMinutes }: WallClock): Bytes {
  if (part.startsWith('Z') && offsetMinutes === 0) return 'Z'
  const seconds = part.length > 6 ? (part.includes(':') ? ':00' : '00') : ''
  if (part.length === 3) return offsetText(offsetMinutes, '')
  return `${offsetText(offsetMinutes, part.includes(':') ? ':minutes' : 'minutes')}${seconds}`
}
