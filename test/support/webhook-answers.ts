import jsonPatch, { type Operation } from 'fast-json-patch'
import type { Status } from '../../src/kube/status.ts'
import { isTree, type Tree } from '../../src/schema.ts'

/** What came back over HTTP. */
export interface HttpAnswer {
  readonly code: number
  readonly type: string
  readonly retryAfter: string | undefined
  readonly body: string
}

export type Phase = 'mutate' | 'validate'

/** The call itself failed: policy Ignore passes over it. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
}

/** The answer cannot be used, whatever the policy. */
export class Unusable extends Error {
  override readonly name = 'Unusable'
}

const VERSION = 'admission.k8s.io/v1'

/** `response` of an answered review, which holds all that kube-apiserver checks of it (AP-7), in its words and order. */
export function responseIn(answer: HttpAnswer, phase: Phase, uid: unknown): Tree {
  const { response, ...review } = reviewIn(answer)
  must(isTree(response), 'webhook response was absent')
  must(response.uid === uid, `expected response.uid="${uid}", got "${textOf(response.uid)}"`)
  const got = `${textOf(review.apiVersion)}, Kind=${textOf(review.kind)}`
  must(
    got === `${VERSION}, Kind=AdmissionReview`,
    `expected webhook response of ${VERSION}, Kind=AdmissionReview, got ${got}`,
  )
  const [hasPatch, hasType] = [textOf(response.patch) !== '', response.patchType !== undefined]
  if (phase === 'mutate') {
    must(!hasPatch || hasType, 'webhook returned response.patch but not response.patchType')
    must(hasPatch || !hasType, 'webhook returned response.patchType but not response.patch')
  } else {
    must(!hasPatch, 'validating webhook may not return response.patch')
    must(!hasType, 'validating webhook may not return response.patchType')
  }
  return response
}

function must(holds: boolean, words: string): asserts holds {
  if (!holds) throw new CallFailed(`received invalid webhook response: ${words}`)
}

function reviewIn({ code, type, body }: HttpAnswer): Tree {
  if (code >= 400) throw notCalled(statusIn(body) ?? GENERIC[code] ?? serverError(body))
  if (body === '') throw notCalled(`0-length response with status code: ${code} and content type: ${type}`)
  const review = parsed(body)
  if (!isTree(review)) throw notCalled(`couldn't get version/kind; json parse error: ${goError(review)}`)
  if (review.apiVersion === 'admission.k8s.io/v1beta1') {
    throw notCalled('converting (v1beta1.AdmissionReview) to (v1.AdmissionReview): unknown conversion')
  }
  const patch = isTree(review.response) ? textOf(review.response.patch) : ''
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(patch))
    throw notCalled(`illegal base64 data at input byte ${patch.search(/[^A-Za-z0-9+/]/)}`)
  return review
}

export function notCalled(words: string): CallFailed {
  return new CallFailed(`failed to call webhook: ${words}`)
}

/** A Status speaks for itself. */
function statusIn(body: string): string | undefined {
  const shown = parsed(body)
  return isTree(shown) && shown.kind === 'Status' && shown.status === 'Failure' ? textOf(shown.message) : undefined
}

const GENERIC: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  404: 'the server could not find the requested resource',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
}
const serverError = (body: string) => `an error on the server ("${body}") has prevented the request from succeeding`

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** As Go words it, for what the reactions show. */
function goError(value: unknown): string {
  const shape =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
  if (value === undefined) return 'invalid character'
  return `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type ${shape}`
}

/** The object as the patch leaves it. An empty patch, and an answer without one, leave it alone. */
export function patched({ patch }: Tree, object: unknown): unknown {
  if (textOf(patch) === '') return object
  const operations: unknown = JSON.parse(Buffer.from(textOf(patch), 'base64').toString())
  if (!isPatch(operations)) {
    const words = 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'
    throw new CallFailed(`received undecodable patch in webhook response: ${words}`)
  }
  if (operations.length === 0) return object
  if (!isTree(object)) throw new Unusable('attempted to modify the object, which is not supported for this operation')
  return operations.reduce((document, operation) => stepped(document, operation), structuredClone(object))
}

function isPatch(value: unknown): value is readonly Operation[] {
  return Array.isArray(value)
}

function stepped(document: Tree, operation: Operation): Tree {
  try {
    return jsonPatch.applyOperation(document, operation, true).newDocument
  } catch {
    throw new Unusable(whyNot(operation))
  }
}

function whyNot({ op, path }: Operation): string {
  switch (op) {
    case 'add':
      return `add operation does not apply: doc is missing path: "${path}": missing value`
    case 'remove':
      return `error in remove for path: '${path}': Unable to remove nonexistent key: ${path.split('/').at(-1)}: missing value`
    case 'test':
      return `testing value ${path} failed: test failed`
    default:
      return `${op} operation does not apply: doc is missing path: ${path}: missing value`
  }
}

/** What the author reads of a refusal (AP-8). */
export function denialBy(webhook: string, status: unknown): Status {
  const { code, message, reason, ...rest }: Partial<Status> = isStatus(status) ? status : {}
  const why = message || reason
  const words = `admission webhook "${webhook}" denied the request${why ? `: ${why}` : ' without explanation'}`
  return { ...rest, status: 'Failure', code: Math.max(code ?? 0, 400), reason: reason ?? '', message: words }
}

function isStatus(value: unknown): value is Partial<Status> {
  return isTree(value)
}

export function internalError(why: string): Status {
  const causes = [{ reason: '', message: why, field: '' }]
  return {
    status: 'Failure',
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${why}`,
    details: { causes },
  }
}

const MOST_RUNES = 4_096
const CUT_TO = 256

/** The Warning headers that reach the author: once each, none with control characters, and cut if they are many (AP-9). */
export function shownWarnings(warnings: readonly string[]): readonly string[] {
  const heard = [...new Set(warnings)].filter((text) => text !== '' && !/\p{Cc}/u.test(text))
  if (heard.reduce((sum, text) => sum + runes(text), 0) <= MOST_RUNES) return heard
  const shown: string[] = []
  for (const text of heard) {
    if (shown.reduce((sum, each) => sum + runes(each), 0) >= MOST_RUNES) break
    shown.push([...text].slice(0, CUT_TO).join(''))
  }
  return shown
}

const runes = (text: string) => [...text].length

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
