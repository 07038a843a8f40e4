import { isDeepStrictEqual } from 'node:util'
import jsonPatch from 'fast-json-patch'
import { isTree } from '../schema.ts'
import type { Answer, Answerer, Arrival } from './answer.ts'
import type { Review } from './review.ts'

export type SelfCheck = 'holds' | 'patch differs' | 'not idempotent' | 'not checked'

/**
 * The patch, applied to what arrived, must give what the mutations made of it, and mutating that again must change
 * nothing (SV-8): an API server calls again a little later, under another uid. `sent` is the request's object before
 * anybody touched it, `review.object` the mutated one.
 * A door that is not called again (no reinvocation) may write values that differ each time (W-8).
 */
export async function selfCheck(
  answerer: Answerer,
  { review, answer, sent, arrival }: { review: Review; answer: Answer; sent: unknown; arrival: Arrival },
): Promise<SelfCheck> {
  const { verdict, door } = answer
  const patched = applied(sent, verdict.patch)
  if (!isDeepStrictEqual(patched, review.object)) return 'patch differs'
  if (door?.reinvocation === undefined || verdict.unanswered !== undefined) return 'holds'
  const { verdict: again } = await answerer({ ...review, uid: OTHER, object: patched }, later(arrival))
  if (again.unanswered !== undefined) return 'not checked' // mutations behind the look-up that failed were not asked
  return again.patch.length === 0 ? 'holds' : 'not idempotent'
}

const OTHER = '00000000-0000-4000-8000-000000000000'

/** By more than any time that is written is precise to. */
function later({ at, ...rest }: Arrival): Arrival {
  return { ...rest, at: new Date(at.getTime() + 60_000) }
}

/** Written through no prototype: what of a patch would be is refused (fast-json-patch throws). */
function applied(sent: unknown, patch: Answer['verdict']['patch']): unknown {
  return isTree(sent) ? jsonPatch.applyPatch(sent, structuredClone([...patch]), true).newDocument : sent
}
