import { isTree, type Tree } from '../../schema.ts'

/** Fields of each type, in the notation that `fields.ts` reads. */
export type FieldNotes = Readonly<Record<string, Readonly<Record<string, string>>>>

const ROOT = 'io.k8s.api.core.v1.PodTemplateSpec'
const SCALARS: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': 'intOrString',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': 'time',
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': 'any',
}

/** The types under PodTemplateSpec in an OpenAPI v3 document of core/v1; none where the document has another shape. */
export function fieldNotesIn(document: unknown): FieldNotes {
  const schemas = tree(tree(tree(document).components).schemas)
  const types = new Map<string, Readonly<Record<string, string>>>()
  const awaited = [ROOT]
  for (const name of awaited) {
    const { properties, required } = tree(schemas[name])
    if (types.has(shortOf(name)) || !isTree(properties)) continue
    const needed = new Set<unknown>(Array.isArray(required) ? required : [])
    const fields = Object.entries(properties).map(([field, schema]): [string, string] => [
      field,
      `${noteOf(tree(schema), awaited)}${needed.has(field) ? '!' : ''}`,
    ])
    types.set(shortOf(name), Object.fromEntries(fields.sort(byName)))
  }
  return Object.fromEntries([...types].sort(byName))
}

function noteOf(schema: Tree, awaited: string[]): string {
  const name = referenceIn(schema)
  if (name !== undefined) {
    awaited.push(name)
    return SCALARS[name] ?? shortOf(name)
  }
  if (isTree(schema.items)) return `[${noteOf(schema.items, awaited)}]${strategyOf(schema)}`
  if (isTree(schema.additionalProperties)) return `{${noteOf(schema.additionalProperties, awaited)}}`
  if (Array.isArray(schema.enum)) return schema.enum.join('|')
  return String(schema.type === 'integer' ? schema.format : schema.type)
}

function strategyOf(schema: Tree): string {
  const merges = String(schema['x-kubernetes-patch-strategy'] ?? '')
    .split(',')
    .includes('merge')
  return merges ? `+${schema['x-kubernetes-patch-merge-key'] ?? ''}` : ''
}

function referenceIn({ $ref, allOf }: Tree): string | undefined {
  const reference = Array.isArray(allOf) ? tree(allOf[0]).$ref : $ref
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined
}

function shortOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}

function tree(value: unknown): Tree {
  return isTree(value) ? value : {}
}
