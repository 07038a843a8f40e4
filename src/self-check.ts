import { isDeepStrictEqual } from 'node:util'
import jsonPatch from 'fast-json-patch'
import type { Review } from './admission/review.ts'
import type { Answer, Answerer, Arrival } from './answer.ts'
import { isTree } from './schema.ts'

export type SelfCheck = 'holds' | 'patch differs' | 'not idempotent'

/**
 * The patch, applied to what arrived, must give what the mutations made of it, and mutating that again must change
 * nothing (SV-8). `sent` is the request's object before anybody touched it, `review.object` the mutated one.
 * A door that is not called again (no reinvocation) may write values that differ each time (W-8).
 */
export async function selfCheck(
  answerer: Answerer,
  { review, answer, sent, arrival }: { review: Review; answer: Answer; sent: unknown; arrival: Arrival },
): Promise<SelfCheck> {
  const patched = applied(sent, answer.verdict.patch)
  if (!isDeepStrictEqual(patched, review.object)) return 'patch differs'
  if (answer.door?.reinvocation === undefined) return 'holds'
  const again = await answerer({ ...review, object: patched }, arrival)
  return again.verdict.patch.length === 0 ? 'holds' : 'not idempotent'
}

function applied(sent: unknown, patch: Answer['verdict']['patch']): unknown {
  return isTree(sent) ? jsonPatch.applyPatch(sent, structuredClone([...patch]), true).newDocument : sent
}
