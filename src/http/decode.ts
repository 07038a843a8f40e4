import { type Review, reviewOf } from '../admission/review.ts'
import { Fault } from '../faults.ts'

/** Whatever walks an object later may recurse: nothing deeper comes past this (SV-1). */
const DEEPEST = 100

export function decode(text: string): Review {
  const body = parsed(text)
  if (isDeeperThan(DEEPEST, body)) throw new Fault('BODY_TOO_DEEP', `nested deeper than ${DEEPEST} levels`)
  return reviewOf(body)
}

/** Plain JSON.parse: own keys such as `__proto__` come out as data, and no copy is made that could go astray. */
function parsed(text: string): unknown {
  if (text === '') throw new Fault('BODY_EMPTY', 'the body is empty; an AdmissionReview in JSON is expected')
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Fault('BODY_NOT_JSON', 'the body is not JSON; an AdmissionReview in JSON is expected', { cause })
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(levels - 1, item))
  for (const key in value) if (isDeeperThan(levels - 1, Reflect.get(value, key))) return true
  return false
}
