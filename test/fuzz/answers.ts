import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../../src/admission/answer.ts'
import type { Response } from '../../src/admission/response.ts'
import { answeredReview } from '../../src/admission/response.ts'
import type { Review } from '../../src/admission/review.ts'
import { isTree } from '../../src/schema.ts'
import { type Phase, patched, responseIn } from '../support/webhook-answers.ts'
import { must } from './target.ts'

/**
 * What an API server takes (AP-7 … AP-9, AP-16): the form, a patch that it can apply and that gives the object which
 * the mutations made, warnings in their bounds, a refusal that says something, and no label value that it would refuse.
 */
export function mustBeTaken({ response }: Answer, review: Review, sent: unknown, phase: Phase): void {
  const body = JSON.stringify(answeredReview(response))
  const heard = responseIn({ code: 200, type: 'application/json', retryAfter: undefined, body }, phase, review.uid)
  mustBeShown(response)
  if (heard.patch === undefined) return
  must(review.operation !== 'DELETE', 'a patch on DELETE')
  must(isDeepStrictEqual(patched(heard, sent), review.object), 'the patch gives another object')
  for (const value of labelsAdded(heard.patch)) must(isLabelValue(value), `a label ${JSON.stringify(value)}`)
}

function mustBeShown({ allowed, status, warnings = [] }: Response): void {
  must(warnings.length <= 10, 'more than 10 warnings')
  for (const warning of warnings) {
    must([...warning].length <= 120 && warning !== '', `a warning of ${warning.length} characters`)
    must(!/\p{Cc}/u.test(warning), 'a warning with control characters')
  }
  must(allowed === (status === undefined), 'a status without a refusal, or the other way round')
  if (status === undefined) return
  const { code, message, reason, details } = status
  must(code >= 400 && code < 600 && message !== '' && reason !== '', `a refusal of ${code} that says nothing`)
  const isAskedAgain = details?.retryAfterSeconds === 1 || /\(PATCH-POD-30\)/.test(message) // the owner of a pod tries again
  must(code !== 503 || isAskedAgain, 'a 503 that nobody asks again')
  must(code !== 422 || (details?.causes ?? []).length > 0, 'a 422 without causes')
}

function labelsAdded(patch: unknown): readonly unknown[] {
  const operations: unknown = JSON.parse(Buffer.from(String(patch), 'base64').toString())
  return (Array.isArray(operations) ? operations : []).flatMap(({ op, path, value }) => {
    if (op !== 'add' || !path.startsWith('/metadata/labels')) return []
    return isTree(value) ? Object.values(value) : [value]
  })
}

/** As the API server has it, in other words than ours. */
function isLabelValue(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > 63) return false
  return value === '' || (/^[\w.-]+$/.test(value) && /^[^_.-]/.test(value) && /[^_.-]$/.test(value))
}
