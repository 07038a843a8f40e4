import { Fault } from '../../../faults.ts'
import type { Cause, Status } from '../../../kube/status.ts'
import { isTree, type Tree } from '../../../schema.ts'
import { Refused } from '../../port.ts'
import type { HttpAnswer } from './connection.ts'

/** About the moment, or about rights that an operator may still grant; every other 4xx is about what was asked. */
const PASSING: readonly number[] = [401, 403, 408, 410, 429]

function isPassing(status: number): boolean {
  return status < 400 || status >= 500 || PASSING.includes(status)
}

/** A handler for `catch` that adds to the fault what could not be done. */
export function unableTo(what: string): (cause: unknown) => never {
  return (cause) => {
    throw cause instanceof Fault ? new Fault(cause.code, `cannot ${what}: ${cause.message}`, { cause }) : cause
  }
}

/** A read that was not answered: never blamed on the object under review (SV-6). */
export function unread(what: string, answer: HttpAnswer): Fault {
  const status = statusIn(answer)
  const code = isPassing(answer.status) ? 'CLUSTER_UNREACHABLE' : 'CLUSTER_REFUSED'
  return new Fault(code, sentence(what, status), { cause: new Refused(status), retryAfterMs: retryAfterMsIn(status) })
}

function retryAfterMsIn({ details }: Status): number | undefined {
  return details?.retryAfterSeconds && details.retryAfterSeconds * 1_000
}

/** A write that was not taken (CL-4). */
export function unwritten(what: string, answer: HttpAnswer): Fault | Refused {
  const status = statusIn(answer)
  const cause = new Refused(status)
  const fault = (code: 'CONFLICT' | 'GONE' | 'CLUSTER_UNREACHABLE') =>
    new Fault(code, sentence(what, status), { cause, retryAfterMs: retryAfterMsIn(status) })
  if (status.code === 404 || isAboutUid(status)) return fault('GONE')
  if (status.code === 409) return status.reason === 'AlreadyExists' ? cause : fault('CONFLICT')
  return status.code === 429 || status.code >= 500 ? fault('CLUSTER_UNREACHABLE') : cause
}

/** Without the API server's message: it may reveal our permissions to the author. */
function sentence(what: string, { code, reason }: Status): string {
  return `cannot ${what}: the API server answers ${[code, reason].filter(Boolean).join(' ')}`
}

/** Another object of the same name stands there now (AP-19). */
function isAboutUid({ code, details }: Status): boolean {
  return code === 422 && details?.causes?.some(({ field }) => field === 'metadata.uid') === true
}

/** The Status in an answer that is not 2xx, in the API server's own words; what stands before one may say anything. */
export function statusIn({ status: code, body }: HttpAnswer): Status {
  const { reason, message, details } = isTree(body) ? body : {}
  const text = textOf(message) || `the API server answers ${code}`
  return {
    status: 'Failure',
    code,
    reason: textOf(reason),
    message: text,
    ...(isTree(details) && { details: detailsIn(details) }),
  }
}

function detailsIn({ group, kind, name, causes, retryAfterSeconds }: Tree): Status['details'] & object {
  return {
    ...(typeof group === 'string' && { group }),
    ...(typeof kind === 'string' && { kind }),
    ...(typeof name === 'string' && { name }),
    ...(Array.isArray(causes) && { causes: causes.filter(isTree).map(causeIn) }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  }
}

function causeIn({ reason, message, field }: Tree): Cause {
  return { reason: textOf(reason), message: textOf(message), field: textOf(field) }
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
