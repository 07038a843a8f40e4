import { isTree, type JsonSchema, type Tree } from '../schema.ts'
import { childSchema } from '../schema-check.ts'
import { pointerTo } from './patch.ts'

/** A number or a boolean in place of a string: YAML parses an unquoted value so. */
export interface BareText {
  readonly path: string
  readonly pointer: string
  readonly value: number | boolean
}
export const inQuotes = ({ value }: BareText) => `is a ${typeof value}, and a text belongs there; write it in quotes`

/** The limit of findings, since an object may contain 8 MiB of them. */
const MOST_FOUND = 100
const MOST_LOOKED_AT = 100_000

/** Finds the first ones. Skips fields with a format: a rule has its own message for a password. */
export function bareTexts(object: Tree, schema: JsonSchema): readonly BareText[] {
  const found: BareText[] = []
  let left = MOST_LOOKED_AT
  function look(value: unknown, known: JsonSchema | undefined, place?: SchemaPlace): void {
    left -= 1
    if (known === undefined || left < 0 || found.length === MOST_FOUND) return
    if (Array.isArray(value))
      for (const [step, item] of value.entries()) look(item, known.items, { step, holder: known, place })
    else if (isTree(value))
      for (const step of Object.keys(value)) look(value[step], childSchema(known, step), { step, holder: known, place })
    else if ((typeof value === 'number' || typeof value === 'boolean') && isForTexts(known, value))
      found.push({ path: pathOf(place), pointer: pointerTo(...stepsOf(place).map(({ step }) => `${step}`)), value })
  }
  look(object, schema)
  return found
}

interface SchemaPlace {
  readonly step: string | number
  readonly holder: JsonSchema
  readonly place: SchemaPlace | undefined
}

function stepsOf(place: SchemaPlace | undefined): readonly SchemaPlace[] {
  return place === undefined ? [] : [...stepsOf(place.place), place]
}

/** Writes paths as `spec.ports[0].name` and `metadata.labels[tars.io/Parent]`. */
function pathOf(place: SchemaPlace | undefined): string {
  const steps = stepsOf(place).map(({ step, holder }) => (isNamed(step, holder) ? `.${step}` : `[${step}]`))
  return steps.join('').slice(1)
}
const isNamed = (step: string | number, { additionalProperties }: JsonSchema) =>
  typeof step === 'string' && additionalProperties === undefined

/** The field may take integers too, and this number is none: `cpu: 1.5`. */
function isForTexts({ type, format, ...schema }: JsonSchema, value: unknown): boolean {
  if (schema['x-kubernetes-int-or-string']) return !Number.isInteger(value)
  return type === 'string' && format === undefined
}
