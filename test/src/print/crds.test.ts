import { describe, expect, it } from 'vitest'
import { definitionsOf } from '../../../src/print/crds.ts'
import { families } from '../../../webhooks/index.ts'
import { SETTINGS } from '../../support/answerer-parts.ts'
import { at } from '../../support/builders/trees.ts'
import { kinds } from '../../support/kinds.ts'
import { nodesIn, pathsOf, schemaOf, versionOf } from './crd-parts.ts'

const printed = definitionsOf(families, { settings: SETTINGS, kubeMinor: Number.POSITIVE_INFINITY })

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
      'minLength',
      'maxLength',
      'pattern',
      'format',
      'enum',
      'minimum',
      'maximum',
      'items',
      'minItems',
      'maxItems',
      'properties',
      'required',
      'additionalProperties',
      'anyOf',
      'oneOf',
      'x-kubernetes-int-or-string',
      'x-kubernetes-list-type',
      'x-kubernetes-list-map-keys',
      'x-kubernetes-preserve-unknown-fields',
      'x-kubernetes-validations',
    ]
    expect(
      nodes.flatMap(({ path, schema }) =>
        Object.keys(schema)
          .filter((word) => !WORDS.includes(word))
          .map((word) => `${path}: ${word}`),
      ),
    ).toEqual([])
  })
  it('has the scope of its kind, and is stored in the one version that it serves', () => {
    const { scope } = kinds.find(({ resource }) => crd.metadata.name.startsWith(`${resource.plural}.`))?.resource ?? {}
    expect(crd.spec).toMatchObject({ scope, versions: [{ served: true, storage: true }] })
  })
})

/** tars.md 1.1 */
const KINDS = [
  { kind: 'TTemplate', plural: 'ttemplates', short: ['tt'], columns: { Parent: '.spec.parent' } },
  {
    kind: 'TConfig',
    plural: 'tconfigs',
    short: ['tc'],
    columns: {
      App: '.app',
      Server: '.server',
      PodSeq: '.podSeq',
      ConfigName: '.configName',
      Version: '.version',
      Activated: '.activated',
    },
  },
  { kind: 'TFrameworkConfig', plural: 'tframeworkconfigs', short: ['tfc'], columns: {} },
  { kind: 'TEndpoint', plural: 'tendpoints', short: ['te'], columns: {} },
  { kind: 'TImage', plural: 'timages', short: ['ti'], columns: { Type: '.imageType' } },
  {
    kind: 'TServer',
    plural: 'tservers',
    short: ['ts'],
    columns: {
      App: '.spec.app',
      Server: '.spec.server',
      SubType: '.spec.subType',
      Replicas: '.spec.k8s.replicas',
      Ready: '.status.readyReplicas',
    },
  },
  {
    kind: 'TDeploy',
    plural: 'tdeploys',
    short: ['td'],
    columns: {
      App: '.apply.app',
      Server: '.apply.server',
      Approve: '.metadata.labels.tars\\.io/Approve',
      Deployed: '.deployed',
    },
  },
  { kind: 'TTree', plural: 'ttrees', short: [], columns: {} },
  { kind: 'TExitedRecord', plural: 'texitedrecords', short: [], columns: {} },
  { kind: 'TAccount', plural: 'taccounts', short: ['ta'], columns: { Username: '.spec.username' } },
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
  it('is of one group and version, and listed under "tars"', () => {
    expect(crd?.spec).toMatchObject({ group: 'k8s.tars.io', versions: [{ name: 'v1beta2' }] })
  })
  it('has its columns in kubectl get, and the age after them', () => {
    const shown = crd && versionOf(crd).additionalPrinterColumns
    const byName = Array.isArray(shown) ? shown.map(({ name, jsonPath }) => [name, jsonPath]) : []
    expect(byName).toEqual([...Object.entries(columns), ['Age', '.metadata.creationTimestamp']])
  })
})
