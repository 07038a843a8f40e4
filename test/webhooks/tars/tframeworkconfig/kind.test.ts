import { describe, expect, it } from 'vitest'
import { crds } from '../../../../src/print/crds.ts'
import { tframeworkconfig } from '../../../../webhooks/tars/tframeworkconfig/kind.ts'
import { TFRAMEWORKCONFIG } from '../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { at } from '../../../support/builders/trees.ts'
import { clusterOf } from '../../../support/clusters.ts'

describe('TFrameworkConfig meets the API server as tars.md 2.1 says', () => {
  it('when it is created, and nobody waits for it', () => {
    expect(tframeworkconfig.doors).toEqual([
      {
        name: 'validating-frameworkconfig.tars.io',
        path: '/validating',
        phase: 'validate',
        operations: ['CREATE'],
        failurePolicy: 'Ignore',
        timeoutSeconds: 5,
        sideEffects: 'None',
      },
    ])
  })

  it('under the names of tars.md 1.1', () => {
    const [crd] = crds({ kinds: [tframeworkconfig] })
    expect(crd?.metadata.name).toBe('tframeworkconfigs.k8s.tars.io')
    expect(at(crd, 'spec.names')).toMatchObject({ kind: 'TFrameworkConfig', shortNames: ['tfc'] })
  })
})

describe('a TFrameworkConfig', () => {
  const head = { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TFrameworkConfig' }
  const metadata = { name: 'tars-framework', namespace: 'demo' }
  const least = { ...head, metadata, imageRegistry: { registry: 'r' }, nodeImage: { image: 'i' } }

  it('is filled with what usually holds', async () => {
    const stored = await clusterOf().create(TFRAMEWORKCONFIG, {
      ...least,
      imageBuild: {},
      upChain: { default: [{ host: 'h', port: 8_888 }] },
    })
    expect(stored).toMatchObject({
      imageRegistry: { registry: 'r', secret: '' },
      nodeImage: { image: 'i', secret: '' },
      imageBuild: { maxBuildTime: 300, idFormat: '' },
      recordLimit: { texitedPod: 48, tconfigHistory: 48, timageRelease: 48 },
      upChain: { default: [{ host: 'h', port: 8_888, timeout: 6_000, isTcp: true }] },
      expand: {},
    })
  })

  it.each([
    { name: 'the least', object: least, fits: true },
    { name: 'a whole one', object: aTFrameworkConfig(), fits: true },
    { name: 'an image by its digest', object: { ...least, nodeImage: { image: 'R_1/n@sha256:AB' } }, fits: true },
    { name: 'no registry', object: { ...least, imageRegistry: {} }, fits: false },
    { name: 'no node image', object: { ...least, nodeImage: undefined }, fits: false },
    { name: 'an image with a space', object: { ...least, nodeImage: { image: 'a b' } }, fits: false },
    { name: 'an empty image', object: { ...least, nodeImage: { image: '' } }, fits: false },
    { name: 'a secret that is no name', object: { ...least, nodeImage: { image: 'i', secret: 'S' } }, fits: false },
    { name: 'a limit below ten', object: { ...least, recordLimit: { timageRelease: 9 } }, fits: false },
    { name: 'a limit above a hundred', object: { ...least, recordLimit: { timageRelease: 101 } }, fits: false },
    ...[
      { maxBuildTime: 180, fits: true },
      { maxBuildTime: 900, fits: true },
      { maxBuildTime: 179, fits: false },
      { maxBuildTime: 901, fits: false },
    ].map(({ maxBuildTime, fits }) => ({
      name: `a build of ${maxBuildTime} seconds`,
      object: { ...least, imageBuild: { maxBuildTime } },
      fits,
    })),
    { name: 'a limit of ten', object: { ...least, recordLimit: { timageRelease: 10 } }, fits: true },
    { name: 'a limit of a hundred', object: { ...least, recordLimit: { tconfigHistory: 100 } }, fits: true },
    ...[
      { port: 1, fits: true },
      { port: 65_535, fits: true },
      { port: 0, fits: false },
      { port: 65_536, fits: false },
    ].map(({ port, fits }) => ({
      name: `an endpoint at port ${port}`,
      object: { ...least, upChain: { a: [{ host: 'h', port }] } },
      fits,
    })),
    { name: 'a chain without an endpoint', object: { ...least, upChain: { default: [] } }, fits: false },
  ])('with $name: $fits', ({ object, fits }) => {
    expect(TFRAMEWORKCONFIG.is(JSON.parse(JSON.stringify(object)))).toBe(fits)
  })
})
