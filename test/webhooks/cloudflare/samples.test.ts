import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { settingsOf } from '../../../src/setting.ts'
import { cloudflare } from '../../../webhooks/cloudflare/family.ts'
import { fileOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'

const KINDS = cloudflare.kinds(settingsOf({}), []).length
const review = (...words: readonly string[]) => ran(['review', '--families', 'cloudflare', ...words])

it.each(['apply', 'CREATE', 'DELETE'])(
  'CF-CRD-01 CF-CRD-06 the samples are admitted, one beside the other: %s',
  async (operation) => {
    const { code, out } = await review('-f', 'manifests/samples/cloudflare', '--operation', operation)
    expect({ code, out }).toEqual({ code: 0, out: '9 objects: 9 admitted, 0 refused\n' })
  },
)

it('a kind without namespaces gets none, and none may be written', async () => {
  const network = (metadata: string) =>
    fileOf(`apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: VirtualNetwork
metadata: ${metadata}
spec: {}
`)
  const seeded = await review('--seed', network('{ name: a }'), '-f', network('{ name: a }'))
  expect(seeded).toMatchObject({ code: 0, out: '1 object: 1 admitted, 0 refused\n' })
  const { code, out } = await review('-f', network('{ name: a, namespace: demo }'))
  expect(code).toBe(1)
  expect(out).toContain(':3: metadata.namespace: Forbidden: not allowed on this type')
})

it('CF-CRD-02 the family is printed by name, with every kind and its status', async () => {
  const { out } = await ran(['manifests', '--families', 'cloudflare', '--set', 'crds'])
  const definitions = parseAllDocuments(out).map((document): unknown => document.toJS())
  expect(definitions).toHaveLength(KINDS)
  for (const definition of definitions)
    expect(definition).toMatchObject({ spec: { versions: [{ subresources: { status: {} } }] } })
})

it('CF-CRD-02 every kind but TunnelBinding, which has none, reports conditions by their type', async () => {
  const { out } = await ran(['manifests', '--families', 'cloudflare', '--set', 'crds'])
  const statuses = parseAllDocuments(out)
    .map((document) => Object(document.toJS()).spec)
    .filter(({ names }) => names.kind !== 'TunnelBinding')
    .map(({ versions: [{ schema }] }) => schema.openAPIV3Schema.properties.status)
  expect(statuses).toHaveLength(KINDS - 1)
  for (const status of statuses)
    expect(status.properties).toMatchObject({
      conditions: { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
      observedGeneration: { type: 'integer' },
    })
})

it('CF-CRD-03 the settings of a gateway rule are kept as they are, and all other fields are known', async () => {
  const { out } = await ran(['manifests', '--families', 'cloudflare', '--set', 'crds'])
  const [rule, ...others] = parseAllDocuments(out)
    .map((document) => Object(document.toJS()).spec)
    .filter(({ names }) => names.kind === 'GatewayRule')
    .map(({ versions: [{ schema }] }) => schema.openAPIV3Schema.properties.spec.properties)
  expect(others).toEqual([])
  expect(rule.ruleSettings).toMatchObject({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })
})

it('and a family that is off is in no print by default', async () => {
  expect((await ran(['manifests'])).out).not.toContain('cloudflare')
})
