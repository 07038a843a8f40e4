import { describe, expect, it } from 'vitest'
import { type Crd, crds } from '../../../src/print/crds.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { kinds } from '../../../webhooks/index.ts'
import { aKind } from '../../support/gadgets.ts'
import { at } from '../../support/trees.ts'

interface Node {
  readonly path: string
  readonly schema: Tree
}

/** Every field of the schema, from the top down. */
function nodesIn(schema: unknown, path = ''): readonly Node[] {
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
const versionOf = ({ spec }: Crd) =>
  isTree(spec) && Array.isArray(spec.versions) && isTree(spec.versions[0]) ? spec.versions[0] : {}
const schemaOf = (crd: Crd) => {
  const { schema } = versionOf(crd)
  return isTree(schema) ? schema.openAPIV3Schema : undefined
}
const pathsOf = (nodes: readonly Node[]) => nodes.map(({ path }) => path)
const printed = crds(kinds)

describe.each(printed.map((crd) => ({ crd, name: crd.metadata.name })))('the definition $name', ({ crd }) => {
  const nodes = nodesIn(schemaOf(crd))
  it('describes every field but metadata, which the API server describes', () => {
    const bare = nodes.filter(({ schema: { description } }) => typeof description !== 'string' || description === '')
    expect(pathsOf(bare).filter((path) => !/[{[]/.test(path))).toEqual(['.metadata'])
  })
  it('is structural: each field has one type, and no two ways to say what is below', () => {
    const TYPES = ['object', 'array', 'string', 'integer', 'boolean']
    const odd = nodes.filter(({ schema }) => {
      const { type, properties, additionalProperties, items } = schema
      const bothWays = properties !== undefined && additionalProperties !== undefined
      const hasType = TYPES.includes(String(type)) || schema['x-kubernetes-int-or-string'] === true
      return !hasType || bothWays || (type === 'array') !== (items !== undefined)
    })
    expect(pathsOf(odd)).toEqual([])
  })
  it('uses no word that a structural schema has not', () => {
    const WORDS = [
      'type',
      'description',
      'default',
      'nullable',
      'format',
      'minLength',
      'maxLength',
      'pattern',
      'enum',
      'minimum',
      'maximum',
      'items',
      'minItems',
      'maxItems',
      'properties',
      'required',
      'additionalProperties',
    ]
    expect(
      nodes.flatMap(({ path, schema }) =>
        Object.keys(schema)
          .filter((word) => !WORDS.includes(word))
          .map((word) => `${path}: ${word}`),
      ),
    ).toEqual([])
  })
  it('is namespaced, listed under "tars", and stored in the one version that it serves', () => {
    expect(crd.spec).toMatchObject({ group: 'k8s.tars.io', scope: 'Namespaced', names: { categories: ['tars'] } })
    expect(versionOf(crd)).toMatchObject({ name: 'v1beta2', served: true, storage: true })
  })
})

/** tars.md 1.1 */
const KINDS = [
  { kind: 'TTemplate', plural: 'ttemplates', short: ['tt'], columns: { Parent: '.spec.parent' } },
  { kind: 'TFrameworkConfig', plural: 'tframeworkconfigs', short: ['tfc'], columns: {} },
  { kind: 'TEndpoint', plural: 'tendpoints', short: ['te'], columns: {} },
  { kind: 'TImage', plural: 'timages', short: ['ti'], columns: { Type: '.imageType' } },
  { kind: 'TTree', plural: 'ttrees', short: [], columns: {} },
  { kind: 'TExitedRecord', plural: 'texitedrecords', short: [], columns: {} },
]
describe.each(KINDS)('$kind as TarsK8S clusters have it', ({ kind, plural, short, columns }) => {
  const crd = printed.find(({ metadata }) => metadata.name === `${plural}.k8s.tars.io`)
  it('has its names', () => {
    const shortNames = short.length > 0 ? { shortNames: short } : {}
    expect(at(crd, 'spec.names')).toEqual({
      kind,
      plural,
      singular: kind.toLowerCase(),
      listKind: `${kind}List`,
      ...shortNames,
      categories: ['tars'],
    })
  })
  it('has its columns in kubectl get, and the age after them', () => {
    const shown = crd && versionOf(crd).additionalPrinterColumns
    const byName = Array.isArray(shown) ? shown.map(({ name, jsonPath }) => [name, jsonPath]) : []
    expect(byName).toEqual([...Object.entries(columns), ['Age', '.metadata.creationTimestamp']])
  })
})

it('every kind of ours is in the table above', () => {
  const names = KINDS.map(({ plural }) => `${plural}.k8s.tars.io`)
  expect(printed.map(({ metadata }) => metadata.name).sort()).toEqual(names.sort())
})

describe('a kind', () => {
  it('that belongs to others has no definition of ours', () => {
    expect(crds([aKind()])).toEqual([])
  })
  it('of ours has what its schema says beside apiVersion, kind and metadata', () => {
    const definition = { description: 'A gadget.', shortNames: ['g'], columns: [] }
    const [crd] = crds([aKind({ definition })])
    const schema = crd && schemaOf(crd)
    const { properties, description } = isTree(schema) ? schema : {}
    expect(Object.keys(isTree(properties) ? properties : {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'purpose',
      'grade',
    ])
    expect(description).toBe('A gadget.')
  })
})
