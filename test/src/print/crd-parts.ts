import type { Crd } from '../../../src/print/crds.ts'
import { isTree, type Tree } from '../../../src/schema.ts'

interface Node {
  readonly path: string
  readonly schema: Tree
}

/** Every field of the schema, from the top down. */
export function nodesIn(schema: unknown, path = ''): readonly Node[] {
  if (!isTree(schema)) return []
  const { properties, items, additionalProperties } = schema
  const below = isTree(properties) ? Object.entries(properties) : []
  return [
    { path, schema },
    ...below.flatMap(([name, field]) => nodesIn(field, `${path}.${name}`)),
    ...nodesIn(items, `${path}[]`),
    ...nodesIn(additionalProperties, `${path}{}`),
  ]
}
export const versionOf = ({ spec }: Crd) =>
  isTree(spec) && Array.isArray(spec.versions) && isTree(spec.versions[0]) ? spec.versions[0] : {}
export const schemaOf = (crd: Crd) => {
  const { schema } = versionOf(crd)
  return isTree(schema) ? schema.openAPIV3Schema : undefined
}
export const pathsOf = (nodes: readonly Node[]) => nodes.map(({ path }) => path)
