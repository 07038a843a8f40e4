import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { NAMESPACE_CONTROLLER } from '../../../support/answerer-parts.ts'
import {
  BOTH,
  deletionOf,
  itSays,
  itSaysOfOld,
  nacosWith,
  onCreate,
  onUpdate,
  refused,
  warned,
  wordsTo,
} from './admitting.ts'

describe('NC-ADM-11 the type is one of two', () => {
  const says = refused('spec.type: must be "standalone" or "cluster", got "many"; write one of the two (NC-ADM-11)')
  itSays([
    { name: 'a cluster passes', spec: { type: 'cluster' } },
    { name: 'a single server passes', spec: { type: 'standalone', replicas: 1 } },
    { name: 'none passes, as a single server', spec: { type: undefined, replicas: 1 } },
    { name: 'another is refused', spec: { type: 'many' }, says },
  ])
})

describe('NC-ADM-12 there are replicas, and one of a single server', () => {
  const remedy = 'write 1, or 3 and type cluster (NC-ADM-12)'
  itSaysOfOld([
    { name: 'one is enough of a cluster', spec: { replicas: 1 } },
    { name: 'none is refused', spec: { replicas: 0 }, says: refused(`spec.replicas: must be at least 1; ${remedy}`) },
    {
      name: 'fewer than none is refused',
      spec: { replicas: -1 },
      says: refused(`spec.replicas: must be at least 1; ${remedy}`),
    },
    { name: 'a thousand pass', spec: { replicas: 1_000 } },
    {
      name: 'more are refused',
      spec: { replicas: 1_001 },
      says: refused(`spec.replicas: must be at most 1000; ${remedy}`),
    },
  ])
  itSays([
    { name: 'none that is said passes', spec: { type: 'standalone', replicas: undefined } },
    {
      name: 'two of a single server are refused',
      spec: { type: 'standalone', replicas: 2 },
      says: refused(`spec.replicas: must be 1 when type is standalone; ${remedy}`),
    },
  ])
})

describe('NC-ADM-13 a new Nacos has an image', () => {
  const overlay = (image: string) => ({ image: '', k8sWrapper: { PodSpec: { containers: [{ name: 'n', image }] } } })
  const says = refused('spec.image: required; name the image of the server (NC-ADM-13)')
  itSays([
    { name: 'none is refused', spec: { image: undefined }, says },
    { name: 'an empty one is refused, in the overlay too', spec: overlay(''), says },
    { name: 'that of the overlay passes', spec: overlay('a/b') },
  ])
})

describe('NC-ADM-20 the type stays', () => {
  const says = refused('spec.type: immutable; create another Nacos (NC-ADM-20)')
  it.each([
    { name: 'a cluster that becomes a single server is refused', from: 'cluster', to: 'standalone', says },
    { name: 'and the other way', from: 'standalone', to: 'cluster', says },
    { name: 'an empty type means a single server', from: '', to: 'standalone', says: 'allowed' },
    { name: 'the same passes', from: 'cluster', to: 'cluster', says: 'allowed' },
  ])('$name', async ({ from, to, says }) => {
    expect(await onUpdate(nacosWith({ type: from, replicas: 1 }), nacosWith({ type: to, replicas: 1 }))).toBe(says)
  })
})

describe('NC-ADM-21 NC-STS-53 the volumes of the members only grow', () => {
  const says = refused(
    'spec.volume: only growing the size is allowed (claims are never deleted); leave the rest as it was (NC-ADM-21)',
  )
  const grown = warned('spec.volume: claims that exist do not grow by themselves; grow them by hand (NC-ADM-21)')
  const template = (storage: string, spec: Tree = {}, metadata: Tree = {}) => ({
    volumeClaimTemplate: { metadata, spec: { ...spec, resources: { requests: { storage } } } },
  })
  const plain = (storage: string, storageClass?: string) => ({ enabled: true, requests: { storage }, storageClass })
  it.each([
    { name: 'hostPath to a claim', from: { hostPath: {} }, to: template('1Gi'), says },
    { name: 'a claim to emptyDir', from: template('1Gi'), to: { emptyDir: {} }, says },
    { name: 'a claim to nothing', from: template('1Gi'), to: undefined, says },
    {
      name: 'another path of the node passes',
      from: { hostPath: { path: '/a' } },
      to: { hostPath: { path: '/b' } },
      says: 'allowed',
    },
    { name: 'a larger size passes, with a warning', from: template('1Gi'), to: template('1536Mi'), says: grown },
    { name: 'a smaller size', from: template('1Gi'), to: template('1023Mi'), says },
    { name: 'the same size in other words passes', from: template('1Gi'), to: template('1024Mi'), says: 'allowed' },
    { name: 'no size any more', from: template('1Gi'), to: { volumeClaimTemplate: {} }, says },
    { name: 'another class', from: template('1Gi', { storageClassName: 'a' }), to: template('1Gi'), says },
    {
      name: 'other access modes',
      from: template('1Gi'),
      to: template('1Gi', { accessModes: ['ReadWriteMany'] }),
      says,
    },
    {
      name: 'the usual access mode, now written',
      from: template('1Gi'),
      to: template('1Gi', { accessModes: ['ReadWriteOnce'] }),
      says: 'allowed',
    },
    { name: 'another name of the claim', from: template('1Gi'), to: template('1Gi', {}, { name: 'data' }), says },
    {
      name: 'a larger size that wins over the template',
      from: template('1Gi'),
      to: { ...template('1Gi'), persistentVolumeSize: '2Gi' },
      says: grown,
    },
    { name: 'the other dialect, larger', from: plain('1Gi'), to: plain('2Gi'), says: grown },
    { name: 'the other dialect, of another class', from: plain('1Gi', 'a'), to: plain('1Gi', 'b'), says },
    { name: 'the other dialect, switched off', from: plain('1Gi'), to: { ...plain('1Gi'), enabled: false }, says },
    { name: 'nothing to nothing passes', from: undefined, to: { keepAfterDeletion: true }, says: 'allowed' },
  ])('$name', async ({ from, to, says }) => {
    expect(await onUpdate(nacosWith({ volume: from }), nacosWith({ volume: to }))).toBe(says)
  })
})

describe('NC-ADM-26 there is no default token', () => {
  const sentence =
    'spec.certification.token: required; no default token is provided; set a key of at least 32 bytes in base64, or switch certification off (NC-ADM-26)'
  const certification = { enabled: true }
  it('a new Nacos without one is refused', async () => {
    expect(await onCreate(nacosWith({ certification }))).toBe(refused(sentence))
    expect(await onCreate(nacosWith({ certification: { enabled: true, token: '' } }))).toBe(refused(sentence))
  })
  it('one that is switched on later, too', async () => {
    expect(await onUpdate(nacosWith(), nacosWith({ certification }))).toBe(refused(sentence))
  })
  it('a stored one is warned of', async () => {
    expect(await onUpdate(nacosWith({ certification }), nacosWith({ certification, replicas: 5 }))).toBe(
      warned(`${sentence.slice(0, 107)}… (NC-ADM-26)`),
    )
  })
  it.each([{ enabled: true, token: 'x' }, { enabled: false }, {}])('%j passes', async (passing) => {
    expect(await onCreate(nacosWith({ certification: passing }))).toBe('allowed')
  })
})

describe('warnings', () => {
  const notPerformed = (field: string) =>
    warned(`spec.${field}: not performed by this operator; do it by hand, and remove the field (NC-ADM-30)`)
  const unread = warned(
    'spec.config: this image does not read init.d/custom.properties; use userConfigRef/internalConfigRef (NC-ADM-29)',
  )
  itSays([
    {
      name: 'NC-ADM-24 NC-MRG-44 without the internal source the built-in file is lost',
      spec: { userConfigRef: BOTH.userConfigRef },
      says: warned(
        `spec.internalConfigRef: not set: the final file replaces all of the image's application.properties; set it (NC-ADM-24)`,
      ),
    },
    { name: 'NC-ADM-24 not with both', spec: BOTH },
    { name: 'NC-ADM-24 not without the user source', spec: { internalConfigRef: BOTH.internalConfigRef } },
    {
      name: 'NC-ADM-28 spec.config beside sources',
      spec: { ...BOTH, config: 'a=1' },
      says: warned('spec.config: ignored when userConfigRef or internalConfigRef is set; remove it (NC-ADM-28)'),
    },
    { name: 'NC-ADM-28 not an empty one', spec: { ...BOTH, config: '' } },
    ...['v1.4.5', '1.5.0', 'v2.1.1', '2.4.3-slim', 'v3.0.0'].map((tag) => ({
      name: `NC-ADM-29 NC-BC-04 spec.config with an image of ${tag}`,
      spec: { config: 'a=1', image: `reg:5000/nacos/nacos-server:${tag}` },
      says: unread,
    })),
    ...[':v1.4.4', ':1.3.2', ':v2.0.4', ':v2.1.0', ':2.1.0-slim', ':latest', '', ':v2.4.3x', '@sha256:aa'].map(
      (tag) => ({
        name: `NC-ADM-29 NC-BC-04 not with ${tag || 'no tag'}`,
        spec: { config: 'a=1', image: `nacos/nacos-server${tag}` },
      }),
    ),
    { name: 'NC-ADM-29 not beside sources', spec: { ...BOTH, config: '', image: 'a:v2.4.3' } },
    { name: 'NC-ADM-30 a database to initialize', spec: { pgInit: { enabled: true } }, says: notPerformed('pgInit') },
    { name: 'NC-ADM-30 not one that is switched off', spec: { pgInit: { enabled: false } } },
    {
      name: 'NC-ADM-30 an admin password',
      spec: { adminCredentialsSecretRef: { name: 'a' } },
      says: notPerformed('adminCredentialsSecretRef'),
    },
    {
      name: 'NC-STS-55 a directory of the node that members share',
      spec: { volume: { hostPath: { path: '/data' } } },
      says: warned(
        'spec.volume.hostPath: two members on one node share the directory; take a claim, or keep them apart (NC-STS-55)',
      ),
    },
    {
      name: 'NC-STS-55 not that of one member',
      spec: { type: 'standalone', replicas: 1, volume: { hostPath: { path: '/data' } } },
    },
    { name: 'NC-STS-55 not one that ends with its pod', spec: { volume: { emptyDir: {} } } },
    { name: 'NC-ADM-30 an image for MySQL', spec: { mysqlInitImage: 'a' }, says: notPerformed('mysqlInitImage') },
  ])
})

describe('NC-ADM-90 a protected Nacos stays', () => {
  const annotated = (value: string) => nacosWith({}, { annotations: { 'nacos.io/deletion-protection': value } })
  it('its deletion is refused', async () => {
    expect(await wordsTo(deletionOf(annotated('true')))).toBe(
      '403 Forbidden: metadata.annotations[nacos.io/deletion-protection]: Nacos demo/n: Nacos "n" is protected; remove the annotation first (NC-ADM-90)',
    )
  })
  it('that of another is not', async () => {
    expect(await wordsTo(deletionOf(annotated('false')))).toBe('allowed')
    expect(await wordsTo(deletionOf(nacosWith()))).toBe('allowed')
  })
  it('goes with its namespace', async () => {
    const namespace = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'demo', deletionTimestamp: '2026-11-18T11:00:00Z' },
    }
    const body = deletionOf(annotated('true'), { user: NAMESPACE_CONTROLLER })
    expect(await wordsTo(body, { there: [namespace] })).toBe('allowed')
  })
})
