import { describe, expect, it } from 'vitest'
import {
  childNamesOf,
  finalNameOf,
  isMerging,
  isOldWay,
  replicasOf,
  sourcesOf,
} from '../../../../webhooks/nacos/nacos/shape.ts'

const aNacos = (spec?: object) => ({ metadata: { namespace: 'demo', name: 'n' }, ...(spec && { spec }) })

describe('the sources of a Nacos', () => {
  it.each([
    { name: 'none without a spec', spec: undefined, sources: [] },
    { name: 'internal first, whatever the order of the fields', spec: both(), sources: ['internal a/i', 'user b/u'] },
    {
      name: 'under the usual keys where none is named',
      spec: { userConfigRef: { name: 'b', key: '' }, internalConfigRef: { name: 'a' } },
      sources: ['internal a/internal.properties', 'user b/user.properties'],
    },
    { name: 'NC-MRG-01 none of a reference without a name', spec: { userConfigRef: { key: 'u' } }, sources: [] },
    { name: 'NC-MRG-01 none of an empty name', spec: { userConfigRef: { name: '' } }, sources: [] },
  ])('are $name', ({ spec, sources }) => {
    const nacos = aNacos(spec)
    expect(sourcesOf(nacos).map(({ owner, name, key }) => `${owner} ${name}/${key}`)).toEqual(sources)
    expect(isMerging(nacos)).toBe(sources.length > 0)
  })
  it.each([
    { name: 'NC-MRG-02 not beside a reference', spec: { config: 'a=1', userConfigRef: { name: 'b' } }, is: false },
    { name: 'beside a reference without a name', spec: { config: 'a=1', userConfigRef: {} }, is: true },
    { name: 'not when it is empty', spec: { config: '' }, is: false },
    { name: 'not when it is absent', spec: {}, is: false },
  ])('spec.config counts: $name', ({ spec, is }) => {
    expect(isOldWay(aNacos(spec))).toBe(is)
  })
})

it.each([
  { finalConfigName: undefined, is: 'n-final-config' },
  { finalConfigName: '', is: 'n-final-config' },
  { finalConfigName: 'own', is: 'own' },
])('NC-REC-11 the final ConfigMap of $finalConfigName is $is', ({ finalConfigName, is }) => {
  expect(finalNameOf(aNacos({ finalConfigName }), 'n')).toBe(is)
})

it('NC-REC-11 a StatefulSet and two Services have names of their own', () => {
  expect(childNamesOf('n')).toEqual(['n', 'n-headless', 'n-client'])
})

it.each([
  { spec: undefined, is: 1 },
  { spec: { type: 'standalone' }, is: 1 },
  { spec: { type: 'cluster' }, is: 3 },
  { spec: { type: 'cluster', replicas: 5 }, is: 5 },
])('NC-REC-11 $spec has $is members, though admission was away', ({ spec, is }) => {
  expect(replicasOf(aNacos(spec))).toBe(is)
})

function both() {
  return { userConfigRef: { name: 'b', key: 'u' }, internalConfigRef: { name: 'a', key: 'i' } }
}
