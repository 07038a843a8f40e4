import { type Cel, valueAt } from '../../admission/rule.ts'
import { type Violation, words } from '../../admission/verdict.ts'
import type { Kind } from '../../kind.ts'
import type { Cause } from '../../kube/status.ts'
import { invalid } from '../api-words/causes.ts'
import type { Checked } from './structural-check.ts'

/** The API server's objections to an object from the CEL rules of its kind. */
export type CelCheck = (request: CelRequest) => readonly Cause[]
interface CelRequest extends Pick<Checked, 'worded'> {
  readonly next: unknown
  readonly prev: unknown
  readonly found: readonly Cause[]
  readonly isWhole: boolean
}

/** CEL rules run last, and not on an object that could make them fail. */
export function celCheck(identity: Kind['identity'] = () => []): CelCheck {
  return ({ next, prev, found, worded, isWhole }) => {
    if (found.some(({ reason }) => BLOCKING.includes(reason))) return isWhole ? worded : [UNCHECKED]
    return [...identity(next, prev).flatMap((violation) => causeOf(violation, next)), ...worded]
  }
}

const BLOCKING = [
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]
const UNCHECKED = invalid(
  '<nil>',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
)

/** The message leaves out a value that is an object or a list. */
function causeOf({ rule, ...finding }: Violation, next: unknown): readonly Cause[] {
  if (rule.cel === undefined) return []
  const value = valueAt(next, rule.cel.at)
  const violated = words({ ...finding, rule })
  const message = `Invalid value: ${typeof value === 'object' ? '' : `${JSON.stringify(value)}: `}${violated}`
  return [{ field: fieldOf(rule.cel), reason: 'FieldValueInvalid', message }]
}

const fieldOf = ({ at, fieldPath = '' }: Cel) => `${at}${fieldPath}`.replace(/^\./, '')
