import { isDeepStrictEqual } from 'node:util'
import jsonPatch from 'fast-json-patch'
import { isTree } from '../schema.ts'
import type { Answer, Answerer, Arrival } from './answer.ts'
import type { Review } from './review.ts'

export type SelfCheck = 'holds' | 'patch differs' | 'not idempotent' | 'not checked'

/**
 * The patch, applied to the object that arrived, must yield the mutated object, and mutating that again must change
 * nothing (SV-8): an API server may call again a little later, with another uid. `sent` is the original object of the
 * request, `review.object` the mutated one. A door without reinvocation may write values that differ each time (W-8).
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
  if (again.unanswered !== undefined) return 'not checked' // mutations after the failed look-up did not run
  return again.patch.length === 0 ? 'holds' : 'not idempotent'
}

const OTHER = '00000000-0000-4000-8000-000000000000'

/** Exceeds the precision of every timestamp that a mutation writes. */
function later({ at, ...rest }: Arrival): Arrival {
  return { ...rest, at: new Date(at.getTime() + 60_000) }
}

/** fast-json-patch throws on a patch that would write through a prototype. */
function applied(sent: unknown, patch: Answer['verdict']['patch']): unknown {
  return isTree(sent) ? jsonPatch.applyPatch(sent, structuredClone([...patch]), true).newDocument : sent
}
