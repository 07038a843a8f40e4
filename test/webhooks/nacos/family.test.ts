import { describe, expect, it } from 'vitest'
import { needsOf } from '../../../src/cluster/needs.ts'
import { controllersOf, type Family, kindsOf } from '../../../src/family.ts'
import { families } from '../../../webhooks/index.ts'
import { nacos } from '../../../webhooks/nacos/family.ts'
import { NACOS } from '../../../webhooks/nacos/nacos/schema.ts'
import { rightsGranted } from '../../cluster/rights.ts'
import { SETTINGS } from '../../support/answerer-parts.ts'
import { REMOTES } from '../../support/remotes.ts'
import { ran } from '../../support/world.ts'

const others = families.filter((family) => family !== nacos)
const printed = async (some: readonly Family[]) =>
  (await ran(['manifests', `--families=${some.map(({ name }) => name).join()}`])).out
const doorsOf = (some: readonly Family[]) =>
  kindsOf(some, SETTINGS).flatMap(({ resource, doors }) => doors.map(({ name }) => `${name} ${resource.plural}`))
const controllersIn = (some: readonly Family[]) => controllersOf(some, REMOTES, SETTINGS)
const watchedBy = (some: readonly Family[]) =>
  needsOf({ controllers: controllersIn(some) }, 'worker')
    .reads.filter(({ keeps }) => keeps !== undefined)
    .map(({ resource }) => resource.plural)

describe('NC-MOD-01 the family is one module', () => {
  it('which registers doors, controllers, watches, settings and metrics', () => {
    expect(doorsOf([nacos])).toEqual([
      'mutating-nacos.nacos.io nacos',
      'validating-nacos.nacos.io nacos',
      'validating-configmap.nacos.io configmaps',
    ])
    expect(controllersIn([nacos]).map(({ name }) => name)).toEqual(['nacos', 'nacos-sources'])
    expect([...new Set(watchedBy([nacos]))].sort()).toEqual(['configmaps', 'nacos', 'pods', 'services', 'statefulsets'])
    expect(nacos.settings.map(({ name }) => name)).toEqual(
      [
        'SettleSeconds',
        'MinReadySeconds',
        'StuckSeconds',
        'CreateDeadlineSeconds',
        'ProtectedKeys',
        'ClientServiceType',
      ].map((name) => `nacos${name}`),
    )
    expect(nacos.metrics?.map(({ name }) => name)).toEqual([
      'nacos_config_merges_total',
      'nacos_config_held',
      'nacos_rollout_duration_seconds',
    ])
  })

  it('and prints its definition, its rights and its webhooks', async () => {
    const out = await printed([nacos])
    expect(out.match(/^ {4}kind: (.*)$/gm)).toEqual(['    kind: Nacos'])
    expect(out.match(/^ {2}- name: \S*nacos\.io$/gm)?.sort()).toHaveLength(3)
    expect(rightsGranted(out, 'tars-controller')).toEqual(
      expect.arrayContaining([
        'list nacos.nacos.io',
        'patch configmaps',
        'patch nacos/status.nacos.io',
        'patch statefulsets.apps',
        'watch nacos.nacos.io',
      ]),
    )
  })

  it('of which nothing is left where it does not run', async () => {
    expect(await printed(others)).not.toMatch(/nacos/i)
    expect(doorsOf(others).filter((door) => door.includes('nacos'))).toEqual([])
    expect(watchedBy(others)).not.toContain(NACOS.plural)
    expect(controllersIn(others).filter(({ name }) => name.startsWith('nacos'))).toEqual([])
    expect(others.flatMap(({ metrics = [] }) => metrics).filter(({ name }) => name.startsWith('nacos'))).toEqual([])
  })
})
