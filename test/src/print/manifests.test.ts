import { describe, expect, it } from 'vitest'
import { manifestsOf } from '../../../src/print/manifests.ts'
import { yamlOf } from '../../../src/print/yaml.ts'
import { families } from '../../../webhooks/index.ts'
import { SETTINGS } from '../../support/answerer-parts.ts'
import { at } from '../../support/builders/trees.ts'

const WANTED = {
  set: 'all',
  namespace: 'tars-system',
  image: 'tars-admission:1',
  monitoringLabel: 'metrics=enabled',
  kubeMinor: 30,
  aggregateRoles: true,
  controllers: [],
  settings: SETTINGS,
} as const
const printed = manifestsOf(families, WANTED)

describe('what is installed', () => {
  it('goes from what needs nothing to what makes the API server wait for us', () => {
    const order = printed.map(({ kind }) => String(kind))
    const first = (kind: string) => order.indexOf(kind)
    expect(first('CustomResourceDefinition')).toBeLessThan(first('Namespace'))
    expect(first('Namespace')).toBeLessThan(first('ServiceAccount'))
    expect(first('ClusterRoleBinding')).toBeLessThan(first('Deployment'))
    const last = order.slice(order.findLastIndex((kind) => !kind.endsWith('WebhookConfiguration')) + 1)
    expect([...new Set(last)]).toEqual(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])
  })
  it('lets nothing laxer than itself into its namespace', () => {
    const namespace = printed.find(({ kind }) => kind === 'Namespace')
    const labels = at(namespace, 'metadata.labels')
    expect(labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
  })
  it('is found by its labels, but for the definitions, which outlive an installation', () => {
    const bare = printed.filter((each) => at(each, 'metadata.labels') === undefined)
    expect(new Set(bare.map(({ kind }) => kind))).toEqual(new Set(['CustomResourceDefinition']))
  })
  it('names every object once', () => {
    const names = printed.map((each) => `${each.kind} ${at(each, 'metadata.namespace')}/${at(each, 'metadata.name')}`)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('as text', () => {
  it('has no anchors, which not every reader of YAML follows', () => {
    const shared = { a: 1 }
    expect(yamlOf([{ one: shared, other: shared }])).toBe('one:\n  a: 1\nother:\n  a: 1\n')
  })
  it('has a line between two objects', () => {
    expect(yamlOf([{ a: 1 }, { b: 2 }])).toBe('a: 1\n---\nb: 2\n')
  })
})
