import type { Bytes } from './bytes.ts'
import { Failure } from './failure.ts'

/** What a clock on the wall of a time zone shows. */
export interface WallClock {
  readonly year: number
  /** January is 1. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** Sunday is 0. */
  readonly weekday: number
  readonly yearDay: number
  readonly offsetMinutes: number
  readonly zone: Bytes
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A time.Time of Go, to the millisecond. */
export class GoTime {
  readonly ms: number
  readonly timeZone: string
  /** What `Local` returns to. */
  readonly localZone: string

  constructor(ms: number, timeZone: string, localZone = timeZone) {
    if (!Number.isFinite(new Date(ms).getTime())) throw new Failure('the time is out of range')
    this.ms = ms
    this.timeZone = timeZone
    this.localZone = localZone
  }

  in(timeZone: string): GoTime {
    return new GoTime(this.ms, timeZone, this.localZone)
  }

  get wallClock(): WallClock {
    const offsetMinutes = offsetOf(this.ms, this.timeZone)
    const local = new Date(this.ms + offsetMinutes * MINUTE_MS)
    const year = local.getUTCFullYear()
    const day = Date.UTC(year, local.getUTCMonth(), local.getUTCDate())
    return {
      year,
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
      second: local.getUTCSeconds(),
      millisecond: local.getUTCMilliseconds(),
      weekday: local.getUTCDay(),
      yearDay: Math.round((day - Date.UTC(year, 0, 1)) / DAY_MS) + 1,
      offsetMinutes,
      zone: zoneName(this.ms, this.timeZone, offsetMinutes),
    }
  }

  /** Months and days that are too many flow over into the next. */
  plus(years: number, months: number, days: number): GoTime {
    const { year, month, day, hour, minute, second, millisecond } = this.wallClock
    const local = Date.UTC(year + years, month - 1 + months, day + days, hour, minute, second, millisecond)
    const ms = local - offsetOf(local, this.timeZone) * MINUTE_MS
    return new GoTime(local - offsetOf(ms, this.timeZone) * MINUTE_MS, this.timeZone, this.localZone)
  }
}

function offsetOf(ms: number, timeZone: string): number {
  if (timeZone === 'UTC' || !Number.isFinite(ms)) return 0
  const name = nameIn(ms, timeZone, 'longOffset')
  const [, sign, hours, minutes] = /GMT([-+])(\d\d):(\d\d)/.exec(name) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '-' ? -size : size
}

/** Where the time zone has no letters, its offset stands for them, as in Go. */
function zoneName(ms: number, timeZone: string, offsetMinutes: number): Bytes {
  if (timeZone === 'UTC') return 'UTC'
  const name = nameIn(ms, timeZone, 'short')
  return /^[A-Z]{2,5}$/.test(name) ? name : offsetText(offsetMinutes, offsetMinutes % 60 === 0 ? '' : 'minutes')
}

function nameIn(ms: number, timeZone: string, timeZoneName: 'longOffset' | 'short'): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName }).formatToParts(ms)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

export function offsetText(offsetMinutes: number, detail: '' | 'minutes' | ':minutes'): Bytes {
  const size = Math.abs(offsetMinutes)
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
  const rest = detail === '' ? '' : `${detail === ':minutes' ? ':' : ''}${minutes}`
  return `${offsetMinutes < 0 ? '-' : '+'}${hours}${rest}`
}
