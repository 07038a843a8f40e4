import { Fault } from '../../faults.ts'
import type { Cause, Status } from '../../kube/status.ts'
import { qualified } from '../paths.ts'
import { type Gvr, Refused } from '../port.ts'

// Why a write was not taken, as kube-apiserver words it.

/** The kind is the one that the object calls itself by. */
export function invalid(of: Gvr, name: string, causes: readonly Cause[]): Refused {
  const { group, kind } = of
  const said = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))]
  const list = said.length === 1 ? said.join() : `[${said.join(', ')}]`
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

/** What became of the object by a patch cannot be read. */
export function unreadablePatch(patched: unknown, words: string): Refused {
  const message = `Invalid value: ${JSON.stringify(JSON.stringify(patched))}: ${words}`
  const causes = [{ field: 'patch', reason: 'FieldValueInvalid', message }]
  return refused(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes })
}

/** It does not tell which operation failed, nor why. */
export function failedPatch(): Refused {
  return refused(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
}

export function alreadyExists(of: Gvr, name: string, isGoing: boolean): Refused {
  const message = `${qualified(of)} "${name}" already exists`
  const details = { group: of.group, kind: of.plural, name }
  return refused(409, 'AlreadyExists', isGoing ? `object is being deleted: ${message}` : message, details)
}

export function gone(of: Gvr, name: string): Fault {
  return new Fault('GONE', `${qualified(of)} "${name}" not found`)
}

export function conflict(of: Gvr, name: string, why = MODIFIED): Fault {
  return new Fault('CONFLICT', `Operation cannot be fulfilled on ${qualified(of)} "${name}": ${why}`)
}
const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again'

/** A code below 400 is no refusal, so it becomes one (AP-8). */
export function denied(
  webhook: string,
  { code = 0, reason = '', message = '', ...status }: Partial<Status> = {},
): Refused {
  const said = message || reason
  const words = said === '' ? ' without explanation' : `: ${said}`
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
