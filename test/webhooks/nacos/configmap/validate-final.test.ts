import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { CTRL, DEPUTIES } from '../../../support/answerer-parts.ts'
import { aConfigMap, BOTH, nacosWith } from '../nacos/admitting.ts'
import { onChange, onDelete } from './reviewed.ts'

const OWNER = { apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'n', uid: 'u', controller: true }
const ROLE = { 'nacos.io/config-role': 'final' }
const FINAL = aConfigMap(
  'n-final-config',
  { 'application.properties': 'a=1' },
  { labels: ROLE, ownerReferences: [OWNER] },
)
const withMetadata = (metadata: Tree): Built => ({ ...FINAL, metadata: { ...FINAL.metadata, ...metadata } })
const USED = { there: [nacosWith(BOTH)] }
const [COLLECTOR = ''] = DEPUTIES

describe('NC-ADM-44 what is generated is not edited', () => {
  const says = (path: string, instead = 'edit "team" or "ops" instead') => [
    `403 Forbidden: ${path}: ConfigMap "n-final-config" is generated for Nacos "n"; ${instead} (NC-ADM-44)`,
  ]
  it.each([
    { name: 'its data', next: { ...FINAL, data: { 'application.properties': 'a=2' } }, path: 'data' },
    { name: 'its binary data', next: { ...FINAL, binaryData: { a: 'AA==' } }, path: 'binaryData' },
    { name: 'to be immutable', next: { ...FINAL, immutable: true }, path: 'immutable' },
    { name: 'its label', next: withMetadata({ labels: {} }), path: 'metadata.labels' },
    { name: 'its owner', next: withMetadata({ ownerReferences: [] }), path: 'metadata.ownerReferences' },
  ])('$name', async ({ next, path }) => {
    expect(await onChange(FINAL, next, USED)).toEqual(says(path))
    expect(await onChange(FINAL, next, { ...USED, user: CTRL })).toEqual(['allowed'])
  })
  it('the garbage collector may take owners away', async () => {
    expect(await onChange(FINAL, withMetadata({ ownerReferences: [] }), { ...USED, user: COLLECTOR })).toEqual([
      'allowed',
    ])
  })
  it('other metadata may change', async () => {
    expect(await onChange(FINAL, withMetadata({ labels: { ...ROLE, a: 'b' }, annotations: { c: 'd' } }), USED)).toEqual(
      ['allowed'],
    )
  })
  it('one that no Nacos generates may change', async () => {
    const next = { ...FINAL, data: {} }
    expect(await onChange(FINAL, next, { there: [] })).toEqual(['allowed'])
    const free = withMetadata({ ownerReferences: [] })
    expect(await onChange(free, { ...free, data: {} }, USED)).toEqual(['allowed'])
  })
  it('without sources the Nacos itself is named', async () => {
    expect(await onChange(FINAL, { ...FINAL, data: {} }, { there: [nacosWith()] })).toEqual(
      says('data', 'edit that Nacos instead'),
    )
  })
})

describe('NC-ADM-45 what is generated is not deleted', () => {
  it('while its Nacos is there', async () => {
    expect(await onDelete(FINAL, USED)).toEqual([
      '403 Forbidden: metadata.name: ConfigMap demo/n-final-config: ConfigMap "n-final-config" is generated for Nacos "n"; edit "team" or "ops" instead (NC-ADM-45)',
    ])
    expect(await onDelete(FINAL, { ...USED, user: CTRL })).toEqual(['allowed'])
  })
  it('goes with its Nacos', async () => {
    expect(await onDelete(FINAL, { there: [] })).toEqual(['allowed'])
    const going = nacosWith(BOTH, { deletionTimestamp: '2026-11-18T11:00:00Z' })
    expect(await onDelete(FINAL, { there: [going], user: COLLECTOR })).toEqual(['allowed'])
  })
})
