import type { ClusterReader } from '../cluster/port.ts'
import { Fault } from '../faults.ts'
import type { Passwords } from './mutation.ts'

/** The limit of a look-up with all its pages (SV-4), unless its door has a lower one. */
const LOOK_UP_MS = 1_000
/** The limit of a dry run, which calls other webhooks too (PATCH-V-20). */
const DRY_RUN_MS = 2_000
/** Shorter than LOOK_UP_MS, so that the client reports the timeout and can name the call. */
export const LIVE_READ_MS = 900
/** A tenth is left for the way back. A review that still waits at four fifths of the rest is put off (SV-4). */
const SHARE = 0.9 * 0.8

export interface Deadline {
  /** Milliseconds until the review stops waiting for a look-up. */
  left(): number
}

export function deadlineOf(timeoutMs: number, clock: () => number, began = clock()): Deadline {
  const end = began + timeoutMs * SHARE
  return { left: () => end - clock() }
}

/** Ends every look-up in time: after so many milliseconds, and never later than the deadline. */
export function bounded(reader: ClusterReader, { left }: Deadline, lookUpMs = LOOK_UP_MS): ClusterReader {
  return within(reader, { left, lookUpMs }, (what, read, ms) =>
    ms <= 0 ? Promise.reject(late(what)) : race(read(), ms, () => late(what)),
  )
}

/** Bounds a cached reader. Answers from memory are accepted however late it is; live reads must be in time. */
export function boundedCache(reader: ClusterReader, { left }: Deadline, lookUpMs = LOOK_UP_MS): ClusterReader {
  return within(reader, { left, lookUpMs }, (what, read, ms) => race(read(), Math.max(0, ms), () => late(what)))
}

/** Removes a password from the queue at the deadline. */
export function boundedPasswords(passwords: Passwords, { left }: Deadline): Passwords {
  return {
    hash: (text, cost) => inTime(left(), (gone) => passwords.hash(text, cost, gone)),
    verify: (text, hash) => inTime(left(), (gone) => passwords.verify(text, hash, gone)),
  }
}

async function inTime<T>(ms: number, work: (gone: AbortSignal) => Promise<T>): Promise<T> {
  const tooLate = () => new Fault('DEADLINE', 'the password could not be hashed in time')
  if (ms <= 0) throw tooLate()
  const gone = new AbortController()
  try {
    return await race(work(gone.signal), ms, tooLate)
  } finally {
    gone.abort()
  }
}

type Bound = <T>(what: string, read: () => Promise<T>, ms: number) => Promise<T>

interface Limits extends Deadline {
  readonly lookUpMs: number
}

function within(reader: ClusterReader, { left, lookUpMs }: Limits, bound: Bound): ClusterReader {
  const ms = () => Math.min(lookUpMs, left())
  return {
    get: (of, ref) => bound(`${of.plural} could not be read`, () => reader.get(of, ref), ms()),
    list: (of, where) => bound(`${of.plural} could not be read`, () => reader.list(of, where), ms()),
    dryRun: (of, ...asked) =>
      bound(`${of.plural} could not be dry-run`, () => reader.dryRun(of, ...asked), Math.min(DRY_RUN_MS, left())),
  }
}

function late(what: string): Fault {
  return new Fault('DEADLINE', `${what} in time`)
}

async function race<T>(work: Promise<T>, ms: number, tooLate: () => Fault): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(tooLate()), ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
