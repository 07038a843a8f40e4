import { describe, expect, it } from 'vitest'
import { type Crd, definitionsOf } from '../../../../src/print/crds.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { kruise } from '../../../../webhooks/kruise/family.ts'
import { at, treesOf } from '../../../support/builders/trees.ts'

const printed = (enableDaemonsetController: boolean): readonly Crd[] =>
  definitionsOf([kruise], { kubeMinor: 36, settings: settingsOf({ enableDaemonsetController }) })
const [crd] = printed(true)
const versions = treesOf(at(crd, 'spec.versions'))
const [stored] = versions
const spec = (path: string) => at(stored, `schema.openAPIV3Schema.properties.spec.properties.${path}`)

describe('PATCH-API-7 the definition of apps.kruise.io', () => {
  it('is printed with the setting of the controller alone', () => {
    expect(printed(false)).toEqual([])
    expect(printed(true)).toHaveLength(1)
  })
  it('tells by a label that this project installed it', () => {
    expect(at(crd, 'metadata.name')).toBe('daemonsets.apps.kruise.io')
    expect(at(crd, 'metadata.labels')).toHaveProperty(['app.kubernetes.io/managed-by'], 'tars-admission')
  })
})

describe('PATCH-API-6 its versions', () => {
  it('have one schema, so that no conversion loses a field', () => {
    const told = versions.map((each) => [at(each, 'name'), at(each, 'served'), at(each, 'storage')])
    expect(told).toEqual([
      ['v1beta1', true, true],
      ['v1alpha1', true, false],
    ])
    expect(at(versions[1], 'schema')).toEqual(at(stored, 'schema'))
  })
  it('have the short names, the status and the columns of OpenKruise', () => {
    expect(at(crd, 'spec.names.shortNames')).toEqual(['daemon', 'ads'])
    expect(at(stored, 'subresources')).toEqual({ status: {} })
    const columns = treesOf(at(stored, 'additionalPrinterColumns')).map(
      (each) => `${at(each, 'name')} ${at(each, 'priority') ?? 0}`,
    )
    expect(columns).toEqual([
      'DESIRED 0',
      'CURRENT 0',
      'READY 0',
      'UP-TO-DATE 0',
      'AVAILABLE 0',
      'CONTAINERS 1',
      'IMAGES 1',
      'Age 0',
    ])
  })
  it('keep the fields of both', () => {
    for (const path of ['scaleStrategy', 'updateStrategy']) expect(spec(path)).toBeDefined()
    const status = at(stored, 'schema.openAPIV3Schema.properties.status.properties')
    for (const field of ['updateRevision', 'daemonSetHash']) expect(status).toHaveProperty(field)
    expect(spec('template')).toMatchObject({ 'x-kubernetes-preserve-unknown-fields': true })
  })
  it('have patches as one whole, at most ten', () => {
    expect(spec('patches')).toMatchObject({ maxItems: 10, 'x-kubernetes-list-type': 'atomic' })
    expect(spec('patches.items.required')).toEqual(['selector', 'patch'])
    expect(spec('patches.items.properties.selector')).toMatchObject({ 'x-kubernetes-map-type': 'atomic' })
    expect(spec('patches.items.properties.patch')).toMatchObject({ 'x-kubernetes-preserve-unknown-fields': true })
    expect(spec('selector')).toMatchObject({ 'x-kubernetes-map-type': 'atomic' })
  })
})
