import { type Review, reviewOf } from '../../admission/review.ts'
import { Fault } from '../../faults.ts'
import { isTree } from '../../schema.ts'

/** Bounds the depth, so that later code may recurse over an object (SV-1). */
const DEEPEST = 100

export function notJson(): Fault {
  return new Fault('MEDIA_TYPE', 'only content type application/json is taken')
}

export function decode(text: string): Review {
  const body = parsed(text)
  if (mayBeDeeperThan(DEEPEST, text) && isDeeperThan(DEEPEST, body))
    throw new Fault('BODY_TOO_DEEP', `nested deeper than ${DEEPEST} levels`)
  return reviewOf(body)
}

/** JSON.parse keeps keys such as `__proto__` as own data properties, and needs no copy. */
function parsed(text: string): unknown {
  if (text === '') throw new Fault('BODY_EMPTY', 'the body is empty; an AdmissionReview in JSON is expected')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Fault('BODY_NOT_JSON', `the body ${lackIn(text, cause)}; an AdmissionReview in JSON is expected`, {
      cause,
    })
  }
}

/** Does not quote the body, which may contain a secret. */
function lackIn(text: string, cause: unknown): string {
  if (text.startsWith('\uFEFF')) return 'begins with a byte order mark, which JSON does not have'
  if (text.startsWith('\x1F\uFFFD')) return 'is compressed, which is not taken'
  const message = cause instanceof Error ? cause.message : ''
  const [, at] = /at position (\d+)/.exec(message) ?? []
  if (/^Unexpected end|^Unterminated/.test(message)) return `ends too soon, after ${text.length} characters`
  return at === undefined ? 'is not JSON' : `is not JSON from its character ${Number(at) + 1} on`
}

/**
 * The depth is at most the number of opening brackets plus one. Counting them is quick and settles most reviews; the
 * walk takes a tenth of the time of parsing.
 */
function mayBeDeeperThan(levels: number, text: string): boolean {
  return openings('{', '}', text, levels) + openings('[', ']', text, levels) >= levels
}

function openings(open: string, close: string, text: string, enough: number): number {
  let many = 0
  for (let at = text.indexOf(open); at >= 0 && many < enough; at = text.indexOf(open, at + 1)) {
    if (text[at + 1] !== close) many += 1
  }
  return many
}

/** Most values of a review are leaves, so it skips them without a call. */
function isDeeperThan(levels: number, holder: unknown): boolean {
  if (levels === 0) return isHolder(holder)
  if (Array.isArray(holder)) return holder.some((item) => isHolder(item) && isDeeperThan(levels - 1, item))
  if (!isTree(holder)) return false
  for (const key in holder) if (isHolder(holder[key]) && isDeeperThan(levels - 1, holder[key])) return true
  return false
}
const isHolder = (value: unknown) => typeof value === 'object' && value !== null
