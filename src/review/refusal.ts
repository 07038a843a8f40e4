import type { Objections } from '../cluster/memory/admission.ts'
import type { Cause, Status } from '../kube/status.ts'
import type { JsonSchema } from '../schema.ts'
import { nearestField, schemaAt } from './nearest-field.ts'

/** All objections to an object: the schema refuses, whatever the rules answer (SV-4). */
export function refusalOf(
  schema: JsonSchema,
  { unknownFields, causes }: Objections,
  status?: Status,
): Status | undefined {
  const objections = [
    ...unknownFields.map((field) => unknownField(schema, field)),
    ...causes.flatMap((cause) => placed(schema, cause)),
  ]
  if (objections.length === 0) return status
  const byRules = (status?.details?.causes ?? []).filter(
    ({ field, message }) => !objections.some(isTwin(field, message)),
  )
  const all = [...objections, ...byRules]
  const message = all.map((each) => `${each.field}: ${each.message}`).join('; ')
  return { code: 422, reason: 'Invalid', message, details: { causes: all } }
}

/** A rule that the definition carries in CEL is reported by both layers, by the API server with the value before it (CV-1). */
const isTwin = (field: string, message: string) => (other: Cause) =>
  other.field === field && other.message.endsWith(message)

function unknownField(schema: JsonSchema, field: string): Cause {
  const meant = nearestField(schema, field)
  const message = `unknown field${meant === undefined ? '' : `; the nearest is ${meant}`}`
  return { field, reason: 'FieldValueNotSupported', message }
}

/**
 * The API server reports some errors without a field, and names the field in the text. Its note that rules were not
 * checked is wrong here, and an error with a cause of its own is not repeated.
 */
export function placed(schema: JsonSchema, cause: Cause): readonly Cause[] {
  if (cause.field !== '<nil>') return [cause]
  const [, field, many] =
    /"([^"]*)" must validate one and only one schema .* Found (\d+|none)/.exec(cause.message) ?? []
  if (field === undefined) return []
  const names = schemaAt(schema, field.split('.'))?.oneOf?.map(({ required: [name] }) => name) ?? []
  return [{ ...cause, field, message: `must have exactly one of ${names.join(', ')}; it has ${many}` }]
}
