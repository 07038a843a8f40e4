import type { Bytes } from './bytes.ts'
import type { Arguments, Func } from './func.ts'
import { GoTime } from './moment.ts'
import { INT, STRING } from './params.ts'
import { MONTHS, timeText, WEEKDAYS } from './time-layout.ts'
import { type Evaluated, type GoValue, Sized } from './values.ts'

/** The method of a value, which a template calls as it reads a field. Nothing else of a value can be called. */
export function methodOf(value: GoValue | undefined, name: Bytes): Func | undefined {
  if (value instanceof GoTime) return OF_TIME.get(name)?.(value)
  const text = value instanceof Sized && name === 'String' ? sizedText(value) : undefined
  return text === undefined ? undefined : { arity: 0, call: () => text }
}

/** The name of a month or of a day of the week. */
export function sizedText({ type, value }: Sized): Bytes | undefined {
  if (type === 'time.Month') return MONTHS[Number(value) - 1]
  return type === 'time.Weekday' ? WEEKDAYS[Number(value)] : undefined
}

const nothing = (call: (moment: GoTime) => Evaluated) => (moment: GoTime) => ({ arity: 0, call: () => call(moment) })
const int = (part: (moment: GoTime) => number) => nothing((moment) => BigInt(part(moment)))
const int64 = (part: (ms: bigint) => bigint) => nothing(({ ms }) => new Sized('int64', part(BigInt(ms))))

const OF_TIME = new Map<Bytes, (moment: GoTime) => Func>([
  ['String', nothing((moment) => timeText(moment))],
  ['Format', (moment) => ({ arity: 1, call: (given) => formatted(moment, given) })],
  ['Unix', int64((ms) => floored(ms, 1_000n))],
  ['UnixMilli', int64((ms) => ms)],
  ['UnixNano', int64((ms) => BigInt.asIntN(64, ms * 1_000_000n))],
  ['Year', int(({ wallClock }) => wallClock.year)],
  ['Month', nothing(({ wallClock }) => new Sized('time.Month', BigInt(wallClock.month)))],
  ['Day', int(({ wallClock }) => wallClock.day)],
  ['Hour', int(({ wallClock }) => wallClock.hour)],
  ['Minute', int(({ wallClock }) => wallClock.minute)],
  ['Second', int(({ wallClock }) => wallClock.second)],
  ['Nanosecond', int(({ wallClock }) => wallClock.millisecond * 1_000_000)],
  ['Weekday', nothing(({ wallClock }) => new Sized('time.Weekday', BigInt(wallClock.weekday)))],
  ['YearDay', int(({ wallClock }) => wallClock.yearDay)],
  ['UTC', nothing((moment) => moment.in('UTC'))],
  ['Local', nothing((moment) => moment.in(moment.localZone))],
  ['AddDate', (moment) => ({ arity: 3, call: (given) => moment.plus(...dateIn(given)) })],
])

const LONGEST_OF_PART = 9

function formatted(moment: GoTime, given: Arguments): Bytes {
  const layout = given.take(STRING)
  given.meter.make(layout.length * LONGEST_OF_PART)
  return timeText(moment, layout)
}

function dateIn(given: Arguments): readonly [number, number, number] {
  return [Number(given.take(INT)), Number(given.take(INT)), Number(given.take(INT))]
}

const floored = (value: bigint, by: bigint) => (value - (((value % by) + by) % by)) / by
