import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/admission/rule.ts'
import { crds } from '../../../src/print/crds.ts'
import { isTree } from '../../../src/schema.ts'
import type { Gadget } from '../../support/builders/gadget.ts'
import { aKind, aRule, TWINS } from '../../support/builders/gadgets.ts'
import { nodesIn, pathsOf, schemaOf, versionOf } from './crd-parts.ts'

describe('a kind', () => {
  it('that belongs to others has no definition of ours', () => {
    expect(crds({ kinds: [aKind()] })).toEqual([])
  })
  it('of ours has what its schema says beside apiVersion, kind and metadata', () => {
    const definition = { description: 'A gadget.', writers: 'authors' as const, shortNames: ['g'], columns: [] }
    const [crd] = crds({ kinds: [aKind({ definition })] })
    const schema = crd && schemaOf(crd)
    const { properties, description } = isTree(schema) ? schema : {}
    expect(Object.keys(isTree(properties) ? properties : {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'purpose',
      'grade',
      'status',
    ])
    expect(description).toBe('A gadget.')
  })
  it.each([
    { category: undefined, printed: {} },
    { category: 'toys', printed: { categories: ['toys'] } },
  ])('has the category of its family, where that has one: $category', ({ category, printed }) => {
    const kinds = [aKind({ definition: { description: 'A gadget.', writers: 'authors', shortNames: [], columns: [] } })]
    const [crd] = crds({ kinds, ...(category && { category }) })
    const names = { kind: 'Gadget', listKind: 'GadgetList', plural: 'gadgets', singular: 'gadget', ...printed }
    expect(crd?.spec).toHaveProperty('names', names)
  })
  it.each([
    { shortNames: [], printed: {} },
    { shortNames: ['g'], printed: { shortNames: ['g'] } },
  ])('has short names where it has any: $shortNames', ({ shortNames, printed }) => {
    const [crd] = crds({
      kinds: [aKind({ definition: { description: 'A gadget.', writers: 'authors', shortNames, columns: [] } })],
    })
    const names = { kind: 'Gadget', listKind: 'GadgetList', plural: 'gadgets', singular: 'gadget', ...printed }
    expect(crd?.spec).toHaveProperty('names', names)
  })

  const scale = { replicas: '.spec.count', statusReplicas: '.status.count', selector: '.status.selector' }
  const paths = {
    specReplicasPath: '.spec.count',
    statusReplicasPath: '.status.count',
    labelSelectorPath: '.status.selector',
  }
  it.each([
    { name: 'none', subresources: undefined, printed: undefined },
    { name: 'status', subresources: { status: true }, printed: { status: {} } },
    { name: 'both', subresources: { status: true, scale }, printed: { status: {}, scale: paths } },
  ] as const)('has the subresources that it says: $name', ({ subresources, printed }) => {
    const definition = {
      description: 'A gadget.',
      writers: 'authors' as const,
      shortNames: [],
      columns: [],
      ...(subresources && { subresources }),
    }
    const [crd] = crds({ kinds: [aKind({ definition })] })
    expect(crd && versionOf(crd).subresources).toEqual(printed)
  })
})

describe('a rule with a twin in CEL (CV-1)', () => {
  const definition = { description: 'A gadget.', writers: 'authors' as const, shortNames: [], columns: [] }
  const printedOf = (rules: readonly Rule<Gadget>[], kubeMinor?: number) => {
    const [crd] = crds(
      { kinds: [aKind({ definition, validate: rules })] },
      kubeMinor === undefined ? undefined : { kubeMinor },
    )
    const nodes = crd === undefined ? [] : nodesIn(schemaOf(crd))
    return Object.fromEntries(
      nodes.flatMap(({ path, schema: { 'x-kubernetes-validations': rules } }) =>
        rules && path !== '.spec.born' ? [[path, rules]] : [],
      ),
    )
  }
  const MAKER = {
    rule: 'self == oldSelf',
    message: 'is set once; make another gadget for the other "maker" (GX-V1)',
    reason: 'FieldValueInvalid',
  }
  const NAME = {
    rule: 'oldSelf.hasValue() || !has(self.spec.maker) || self.metadata.name.startsWith(self.spec.maker.lowerAscii())',
    messageExpression: '("must begin with \\"" + self.spec.maker.lowerAscii() + "\\"") + "; take another name (GX-V2)"',
    reason: 'FieldValueInvalid',
    fieldPath: '.metadata.name',
    optionalOldSelf: true,
  }

  it('is printed at its field, in its own words, remedy and id once', () => {
    expect(printedOf(TWINS)).toEqual({ '': [NAME], '.spec.maker': [MAKER] })
  })

  it('is printed beside others of the same field', () => {
    const also = { ...aRule({ message: () => 'is odd', remedy: 'even it' }), cel: { at: 'spec.maker', holds: 'true' } }
    expect(printedOf([...TWINS.slice(0, 1), also])).toEqual({
      '.spec.maker': [MAKER, { rule: 'true', message: 'is odd; even it (XX-V1)', reason: 'FieldValueInvalid' }],
    })
  })

  it('brings metadata.name into the schema where it points there, and else not', () => {
    const nameIn = (rules: readonly Rule<Gadget>[], kubeMinor?: number) => {
      const [crd] = crds(
        { kinds: [aKind({ definition, validate: rules })] },
        kubeMinor === undefined ? undefined : { kubeMinor },
      )
      return pathsOf(crd === undefined ? [] : nodesIn(schemaOf(crd))).includes('.metadata.name')
    }
    expect(nameIn(TWINS)).toBe(true)
    expect(nameIn(TWINS.slice(0, 1))).toBe(false)
    expect(nameIn(TWINS, 29)).toBe(false)
  })

  it.each([
    { kubeMinor: 30, printed: { '': [NAME], '.spec.maker': [MAKER] } },
    { kubeMinor: 29, printed: { '.spec.maker': [MAKER] } },
    { kubeMinor: 27, printed: { '.spec.maker': [{ rule: MAKER.rule, message: MAKER.message }] } },
  ])('says to Kubernetes 1.$kubeMinor what it knows alone (CV-7)', ({ kubeMinor, printed }) => {
    expect(printedOf(TWINS, kubeMinor)).toEqual(printed)
  })

  it('has no words of its own for Kubernetes 1.26, which cannot fill in', () => {
    const filled = { ...aRule({ remedy: 'mend it' }), cel: { at: 'spec', holds: 'true', says: 'self.title' } }
    expect(printedOf([filled], 26)).toEqual({ '.spec': [{ rule: 'true' }] })
    expect(printedOf([filled], 27)).toEqual({
      '.spec': [{ rule: 'true', messageExpression: '(self.title) + "; mend it (XX-V1)"' }],
    })
  })

  it('stands in the place of a pattern that says what it means', () => {
    const printed = (kubeMinor: number) => {
      const [crd] = crds({ kinds: [aKind({ definition })] }, { kubeMinor })
      return nodesIn(crd === undefined ? {} : schemaOf(crd)).find(({ path }) => path === '.spec.born')?.schema
    }
    const { pattern, says, ...born } = aKind().resource.schema.properties?.spec?.properties?.born ?? {}
    const rule = { rule: `self.matches(${JSON.stringify(pattern)})`, message: says }
    expect(printed(30)).toEqual({ ...born, 'x-kubernetes-validations': [{ ...rule, reason: 'FieldValueInvalid' }] })
    expect(printed(27)).toEqual({ ...born, 'x-kubernetes-validations': [rule] })
  })

  it('must point at a field that there is', () => {
    const astray = { ...aRule(), cel: { at: 'spec.maker.name', holds: 'true' } }
    expect(() => printedOf([astray])).toThrow('XX-V1 has a twin at spec.maker.name, which the schema does not have')
  })
})
