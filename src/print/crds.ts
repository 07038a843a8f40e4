import type { Cel, RuleWords } from '../admission/rule.ts'
import { words } from '../admission/verdict.ts'
import { type Family, familyNames } from '../family.ts'
import type { Column, Defined, Kind } from '../kind.ts'
import type { JsonSchema, Validation } from '../schema.ts'
import type { Settings } from '../setting.ts'
import { type Manifest, PRODUCT } from './objects.ts'

export type Crd = Manifest & {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
}

export interface For {
  readonly kubeMinor: number
}

/** Prints for the newest API server by default. */
export function crds(
  { kinds, category, ofOthers = [] }: Categorized,
  reach: For = { kubeMinor: Infinity },
): readonly Crd[] {
  const ours = kinds.flatMap(({ definition, ...kind }) => (definition ? [{ ...kind, definition }] : []))
  const print = (each: Defined) => crd({ ...each, category }, reach)
  return [...ours.map(print), ...ofOthers.map((each) => labelled(print(each)))]
}
interface Categorized extends Pick<Family, 'category'> {
  readonly kinds: readonly Kind[]
  readonly ofOthers?: readonly Defined[]
}
/** A definition of a kind of others tells by its label who installed it. */
const labelled = (crd: Crd): Crd => ({ ...crd, metadata: { ...crd.metadata, labels: MANAGED } })
const MANAGED = { 'app.kubernetes.io/managed-by': PRODUCT }

/** Those that the families define under these settings. */
export function definitionsOf(
  families: readonly Family[],
  reach: For & { readonly settings: Settings },
): readonly Crd[] {
  return families.flatMap(({ kinds, defines, ...family }) => {
    const ofOthers = defines?.(reach.settings) ?? []
    return crds({ ...family, kinds: kinds(reach.settings, familyNames(families)), ofOthers }, reach)
  })
}

function crd(
  {
    resource: { group, version: stored, kind, plural, scope, schema },
    definition: { description, shortNames, columns, subresources, alsoServed = [] },
    rules,
    category,
  }: Defined & { readonly category: string | undefined },
  reach: For,
): Crd {
  const version = (name: string, storage: boolean) => ({
    name,
    served: true,
    storage,
    additionalPrinterColumns: [...columns, AGE].map(columnOf),
    ...(subresources && { subresources: subresourcesOf(subresources) }),
    schema: { openAPIV3Schema: twinsIn(rules, reach).reduce(withTwin, wholeOf(description, worded(schema, reach))) },
  })
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames.length > 0 && { shortNames }),
        ...(category !== undefined && { categories: [category] }),
      },
      scope,
      versions: [version(stored, true), ...alsoServed.map((name) => version(name, false))],
    },
  }
}

const AGE: Column = { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' }
const columnOf = ({ name, type, path, isWide }: Column) => ({
  name,
  type,
  jsonPath: path,
  ...(isWide && { priority: 1 }),
})

function subresourcesOf({ status, scale }: NonNullable<Defined['definition']['subresources']>): Manifest {
  return {
    ...(status && { status: {} }),
    ...(scale && {
      scale: {
        specReplicasPath: scale.replicas,
        statusReplicasPath: scale.statusReplicas,
        labelSelectorPath: scale.selector,
      },
    }),
  }
}

/** Adds the fields of every object to the kind's own schema. */
export function wholeOf(description: string, { properties = {}, ...schema }: JsonSchema): JsonSchema {
  const meta: Readonly<Record<string, JsonSchema>> = {
    apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
    kind: { type: 'string', description: 'Kind of this object.' },
    metadata: { type: 'object' }, // the API server defines the rest, and refuses any more here
  }
  return { ...schema, description, properties: { ...meta, ...properties } }
}

/** A pattern with `says` becomes a CEL rule, with that text as its message. */
function worded(
  { says, pattern, items, properties, additionalProperties, ...schema }: JsonSchema,
  reach: For,
): JsonSchema {
  return {
    ...schema,
    ...(pattern !== undefined && (says === undefined ? { pattern } : matching(pattern, says, reach))),
    ...(items && { items: worded(items, reach) }),
    ...(additionalProperties && { additionalProperties: worded(additionalProperties, reach) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, worded(field, reach)])),
    }),
  }
}

function matching(pattern: string, message: string, { kubeMinor }: For): JsonSchema {
  const rule = `self.matches(${JSON.stringify(pattern)})`
  const reason = kubeMinor >= SINCE.reason && ({ reason: 'FieldValueInvalid' } as const)
  return { 'x-kubernetes-validations': [{ rule, message, ...reason }] }
}

interface Twin extends For {
  readonly rule: RuleWords
  readonly cel: Cel
}

/** The minor version since which an API server knows these fields (CV-7). */
const SINCE = { messageExpression: 27, reason: 28, fieldPath: 28, optionalOldSelf: 30 } as const

/** A rule that must also run on create cannot do without `optionalOldSelf`. */
function twinsIn(rules: readonly RuleWords[], { kubeMinor }: For): readonly Twin[] {
  const twins = rules.flatMap((rule) => (rule.cel ? [{ rule, cel: rule.cel, kubeMinor }] : []))
  return twins.filter(({ cel }) => kubeMinor >= SINCE.optionalOldSelf || !cel.optionalOldSelf)
}

function withTwin(whole: JsonSchema, twin: Twin): JsonSchema {
  const { rule, cel } = twin
  const carried = withinAt(whole, cel.at.split('.').filter(Boolean), (schema) => ({
    ...schema,
    'x-kubernetes-validations': [...(schema['x-kubernetes-validations'] ?? []), validationOf(twin)],
  }))
  if (carried === undefined) throw new Error(`${rule.id} has a twin at ${cel.at}, which the schema does not have`)
  return cel.at === '' && cel.fieldPath === '.metadata.name' ? withName(carried) : carried
}

function withinAt(
  schema: JsonSchema,
  [step, ...rest]: readonly string[],
  change: (schema: JsonSchema) => JsonSchema,
): JsonSchema | undefined {
  if (step === undefined) return change(schema)
  const field = schema.properties?.[step] && withinAt(schema.properties[step], rest, change)
  return field && { ...schema, properties: { ...schema.properties, [step]: field } }
}

/** A fieldPath must exist in the schema itself, even a field that the API server defines. */
function withName(whole: JsonSchema): JsonSchema {
  const name: JsonSchema = { type: 'string', description: 'Name of this object.' }
  return { ...whole, properties: { ...whole.properties, metadata: { type: 'object', properties: { name } } } }
}

/** Uses the rule's own message, so that an author reads the same from either layer. */
function validationOf({ rule, cel: { holds, says, fieldPath, optionalOldSelf }, kubeMinor }: Twin): Validation {
  const message = words({ path: '', rule }) // CEL adds what differs from finding to finding
  const end = words({ path: '', rule: { ...rule, message: () => '' } })
  return {
    rule: holds,
    ...(says === undefined && { message }),
    ...(says !== undefined &&
      kubeMinor >= SINCE.messageExpression && { messageExpression: `(${says}) + ${JSON.stringify(end)}` }),
    ...(kubeMinor >= SINCE.reason && { reason: 'FieldValueInvalid' }),
    ...(fieldPath !== undefined && kubeMinor >= SINCE.fieldPath && { fieldPath }),
    ...(optionalOldSelf && { optionalOldSelf }),
  }
}
