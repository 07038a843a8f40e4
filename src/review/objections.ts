import { type Violation, words } from '../admission/verdict.ts'
import type { Refused } from '../cluster/port.ts'
import type { Cause } from '../kube/status.ts'
import type { JsonSchema } from '../schema.ts'
import { schemaAt } from './nearest-field.ts'
import { placed } from './refusal.ts'

/** One objection to an object, in the words that its author would read. */
export interface Objection {
  readonly rule: string // SCHEMA where the schema refuses
  readonly path: string
  readonly message: string
}
export const SCHEMA = 'schema'

/** Drops duplicates, since a rule may repeat the refusal of a mutation. */
export function byRules(violations: readonly Violation[]): readonly Objection[] {
  const objections = violations.map((each) => ({ rule: each.rule.id, path: each.path, message: words(each) }))
  return [...new Map(objections.map((each) => [`${each.path}: ${each.message}`, each])).values()]
}

export function bySchema(schema: JsonSchema, { status: { details, message } }: Refused): readonly Objection[] {
  const causes = details?.causes ?? []
  if (causes.length === 0) return [{ rule: SCHEMA, path: '', message }]
  return causes
    .flatMap((cause) => placed(schema, cause))
    .map((cause) => ({ rule: SCHEMA, path: cause.field, message: withoutValue(schema, cause) }))
}

/** A value that does not fit may be a password, so the message does not quote it. */
function withoutValue(schema: JsonSchema, { field, message }: Cause): string {
  const meaning = schemaAt(schema, field.split('.'))?.says
  if (meaning !== undefined && message.endsWith(meaning)) return meaning
  const [, kind = '', rest = ''] = /^((?:Invalid|Unsupported|Duplicate) value): (.*)$/s.exec(message) ?? []
  if (kind === '') return message
  const from = Math.max(...[`${field} in body `, 'supported values: '].map((word) => rest.lastIndexOf(word)))
  const reason = from < 0 ? '' : rest.slice(from).replace(/(must be of type [\w,-]+): .*$/s, '$1')
  return [kind, reason].filter(Boolean).join(': ')
}
