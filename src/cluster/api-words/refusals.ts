import { Fault } from '../../faults.ts'
import type { Cause, Status } from '../../kube/status.ts'
import { qualified } from '../paths.ts'
import { type Gvr, Refused } from '../port.ts'

// Why a write was refused, in the words of kube-apiserver.

/** The kind is the one that the object calls itself by. */
export function invalid(of: Gvr, name: string, causes: readonly Cause[]): Refused {
  const { group, kind } = of
  const lines = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  const list = lines.length === 1 ? lines.join() : `[${lines.join(', ')}]`
  return refused(422, 'Invalid', `${qualified({ ...of, plural: kind })} "${name}" is invalid: ${list}`, {
    group,
    kind,
    name,
    causes,
  })
}

export function badRequest(message: string): Refused {
  return refused(400, 'BadRequest', message)
}

/** The patched object cannot be decoded. */
export function unreadablePatch(patched: unknown, words: string): Refused {
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${words}`
  const causes = [{ field: 'patch', reason: 'FieldValueInvalid', message }]
  return refused(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes })
}

/** The API server names neither the failed operation nor the reason. */
export function failedPatch(): Refused {
  return refused(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
}

export function alreadyExists(of: Gvr, name: string, isTerminating: boolean): Refused {
  const message = `${qualified(of)} "${name}" already exists`
  const details = { group: of.group, kind: of.plural, name }
  return refused(409, 'AlreadyExists', isTerminating ? `object is being deleted: ${message}` : message, details)
}

export function gone(of: Gvr, name: string): Fault {
  return new Fault('GONE', `${qualified(of)} "${name}" not found`)
}

export function conflict(of: Gvr, name: string, why = MODIFIED): Fault {
  return new Fault('CONFLICT', `Operation cannot be fulfilled on ${qualified(of)} "${name}": ${why}`)
}
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** Raises a code below 400, which would be no refusal (AP-8). */
export function denied(
  webhook: string,
  { code = 0, reason = '', message = '', ...status }: Partial<Status> = {},
): Refused {
  const lines = message || reason
  const words = lines === '' ? ' without explanation' : `: ${lines}`
  return new Refused({
    ...status,
    status: 'Failure',
    code: Math.max(code, 400),
    reason,
    message: `admission webhook "${webhook}" denied the request${words}`,
  })
}

function refused(code: number, reason: string, message: string, details?: Status['details']): Refused {
  return new Refused({ status: 'Failure', code, reason, message, ...(details && { details }) })
}
