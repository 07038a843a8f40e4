import { describe, expect, it } from 'vitest'
import { fieldIn, POD_TEMPLATE, podTemplateOf, united } from '../../../../src/kube/strategic-merge/fields.ts'
import { fieldNotesIn } from '../../../../src/kube/strategic-merge/openapi.ts'
import type { Tree } from '../../../../src/schema.ts'

const PREFIX = 'io.k8s.api.core.v1.'
const to = (name: string) => ({ allOf: [{ $ref: `#/components/schemas/${PREFIX}${name}` }] })
const list = (items: Tree, strategy: string, key?: string) => ({
  type: 'array',
  items,
  'x-kubernetes-patch-strategy': strategy,
  ...(key && { 'x-kubernetes-patch-merge-key': key }),
})
const documentOf = (schemas: Readonly<Record<string, Tree>>) => ({
  components: { schemas: Object.fromEntries(Object.entries(schemas).map(([name, of]) => [`${PREFIX}${name}`, of])) },
})
const DOCUMENT = documentOf({
  PodTemplateSpec: { properties: { spec: to('PodSpec') } },
  PodSpec: {
    required: ['containers'],
    properties: {
      containers: list(to('Container'), 'merge', 'name'),
      volumes: list(to('Container'), 'merge,retainKeys', 'name'),
      finalizers: list({ type: 'string' }, 'merge'),
      args: { type: 'array', items: { type: 'string' } },
      limits: { type: 'object', additionalProperties: { $ref: 'io.k8s.apimachinery.pkg.api.resource.Quantity' } },
      policy: { type: 'string', enum: ['Always', 'Never'] },
      grace: { type: 'integer', format: 'int64' },
    },
  },
  Container: { properties: { name: { type: 'string' } } },
  Other: { properties: { x: { type: 'string' } } },
})

describe('the table of the fields of PodTemplateSpec', () => {
  it('is read from an OpenAPI document, as far as the pod template reaches', () => {
    expect(fieldNotesIn(DOCUMENT)).toEqual({
      Container: { name: 'string' },
      PodSpec: {
        args: '[string]',
        containers: '[Container]+name!',
        finalizers: '[string]+',
        grace: 'int64',
        limits: '{quantity}',
        policy: 'Always|Never',
        volumes: '[Container]+name',
      },
      PodTemplateSpec: { spec: 'PodSpec' },
    })
  })

  it.each([undefined, {}, { components: { schemas: [] } }])('is empty where %j is no such document', (document) => {
    expect(fieldNotesIn(document)).toEqual({})
  })

  it('its notation says type, strategy and merge key', () => {
    const spec = fieldIn(podTemplateOf(fieldNotesIn(DOCUMENT)), 'spec')
    const of = (key: string) => fieldIn(spec?.type, key)
    expect(of('containers')).toMatchObject({ required: true, type: { is: 'list', merges: true, key: 'name' } })
    expect(of('finalizers')).toEqual({ required: false, type: { is: 'list', merges: true, items: { is: 'string' } } })
    expect(of('args')).toMatchObject({ type: { is: 'list', merges: false } })
    expect(of('limits')).toMatchObject({ type: { is: 'map', values: { is: 'quantity' } } })
    expect(of('policy')).toMatchObject({ type: { is: 'enum', values: ['Always', 'Never'] } })
    expect(of('x')).toBeUndefined()
  })

  it('two of them unite', () => {
    const newer = { Container: { name: 'int32', added: 'Added' }, Added: { x: 'string' } }
    const both = united(fieldNotesIn(DOCUMENT), newer)
    expect(both).toMatchObject({ ...newer, PodTemplateSpec: { spec: 'PodSpec' } })
  })

  it.each([
    ['spec', true],
    ['Spec', true],
    ['ſpec', true],
    ['spe', false],
    ['__proto__', false],
  ])('%s is looked up in any case: %s', (key, isFound) => {
    expect(fieldIn(POD_TEMPLATE, key) !== undefined).toBe(isFound)
  })
})
