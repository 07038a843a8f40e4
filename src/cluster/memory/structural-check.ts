import { isDeepStrictEqual } from 'node:util'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Cause } from '../../kube/status.ts'
import { AS_CRDS, isTree, type JsonSchema } from '../../schema.ts'
import { invalid, required, tooLong, tooMany, unsupported, wrongType } from '../causes.ts'

/** What the API server has against an object; on an update, what the update brought alone. */
export type StructuralCheck = (next: unknown, prev?: unknown) => readonly Cause[]

export function structuralCheck(schema: JsonSchema): StructuralCheck {
  let compiled: ValidateFunction | undefined
  return (next, prev) => {
    compiled ??= new Ajv({ ...AS_CRDS, allErrors: true, verbose: true }).compile(schema)
    if (compiled(next)) return []
    const errors = firstOfEachText(compiled.errors ?? [])
    return errors.filter((error) => !isRatcheted(stepsOf(error), next, prev)).flatMap((error) => causesOf(error, next))
  }
}

const ON_TEXT = ['maxLength', 'minLength', 'pattern']
/** Of a text only the first fault is told. */
function firstOfEachText(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.filter(({ keyword, instancePath }, at) => {
    const isAgain = (other: ErrorObject) => ON_TEXT.includes(other.keyword) && other.instancePath === instancePath
    return !ON_TEXT.includes(keyword) || !errors.slice(0, at).some(isAgain)
  })
}

/** What an update leaves as it was may stay wrong; the items of a list have no identity by which to tell. */
function isRatcheted(steps: readonly string[], next: unknown, prev: unknown): boolean {
  if (isDeepStrictEqual(next, prev)) return true
  const [step, ...rest] = steps
  return step !== undefined && isTree(next) && isTree(prev) && isRatcheted(rest, next[step], prev[step])
}

function stepsOf({ instancePath }: ErrorObject): readonly string[] {
  const steps = instancePath.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `spec.parts[0].name`; a key that looks like a number is no index. */
function fieldOf(steps: readonly string[], root: unknown): string {
  let holder = root
  let field = ''
  for (const step of steps) {
    field += Array.isArray(holder) ? `[${step}]` : `.${step}`
    holder = Array.isArray(holder) ? holder[Number(step)] : isTree(holder) ? holder[step] : undefined
  }
  return field.slice(1)
}

function causesOf(error: ErrorObject, root: unknown): readonly Cause[] {
  const field = fieldOf(stepsOf(error), root)
  const { keyword, data, params } = error
  switch (keyword) {
    case 'required':
      return [required([field, params.missingProperty].filter(Boolean).join('.'))]
    case 'type':
      return wrongType(field, data, params.type)
    case 'enum':
      return [unsupported(field, data, params.allowedValues)]
    case 'maxLength':
      return [tooLong(field, params.limit)]
    case 'maxItems':
      return [tooMany(field, Array.isArray(data) ? data.length : 0, params.limit)]
    default:
      return [invalid(field, data, `${field} in body should ${should(keyword, params)}`)]
  }
}

function should(keyword: string, { limit, pattern }: ErrorObject['params']): string {
  switch (keyword) {
    case 'minLength':
      return `be at least ${limit} chars long`
    case 'minimum':
      return `be greater than or equal to ${limit}`
    case 'maximum':
      return `be less than or equal to ${limit}`
    default:
      return `match '${pattern}'`
  }
}
