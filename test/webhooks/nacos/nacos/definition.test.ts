import { describe, expect, it } from 'vitest'
import { definitionsOf } from '../../../../src/print/crds.ts'
import { nacos } from '../../../../webhooks/nacos/family.ts'
import { nodesIn, pathsOf, schemaOf, versionOf } from '../../../src/print/crd-parts.ts'
import { SETTINGS } from '../../../support/answerer-parts.ts'
import { at, treesOf } from '../../../support/builders/trees.ts'

const [crd] = definitionsOf([nacos], { settings: SETTINGS, kubeMinor: Number.POSITIVE_INFINITY })
if (crd === undefined) throw new Error('family nacos defines nothing')
const nodes = nodesIn(schemaOf(crd))
const spec = pathsOf(nodes).filter((path) => path.startsWith('.spec'))

describe('the definition of Nacos', () => {
  it('NC-CRD-01 has the names of earlier operators, and no category', () => {
    expect(crd.metadata.name).toBe('nacos.nacos.io')
    expect(crd.spec).toMatchObject({ group: 'nacos.io', scope: 'Namespaced' })
    expect(versionOf(crd)).toMatchObject({ name: 'v1alpha1', served: true, storage: true })
    expect(at(crd, 'spec.names')).toEqual({ kind: 'Nacos', plural: 'nacos', singular: 'nacos', listKind: 'NacosList' })
  })

  it('NC-CRD-02 has a status of its own, and no scale', () => {
    expect(versionOf(crd).subresources).toEqual({ status: {} })
  })

  it('NC-CRD-03 has the fields of both dialects', () => {
    const inside = (field: string, ...names: readonly string[]) => names.map((name) => `.spec.${field}.${name}`)
    const secretRef = (field: string, ...keys: readonly string[]) => inside(field, 'name', ...keys)
    expect(spec).toEqual(
      expect.arrayContaining([
        ...inside('database', 'type', 'mysqlHost', 'mysqlPort', 'mysqlDb', 'mysqlUser', 'mysqlPassword'),
        ...inside('volume', 'hostPath', 'emptyDir', 'volumeClaimTemplate', 'persistentVolumeSize', 'keepAfterDeletion'),
        ...inside('volume', 'enabled', 'requests{}', 'storageClass'),
        ...inside('userConfigRef', 'name', 'key'),
        ...inside('internalConfigRef', 'name', 'key'),
        ...inside('certification', 'enabled', 'token', 'token_expire_seconds', 'cache_enabled'),
        ...inside('k8sWrapper', 'PodSpec', 'podSpec'),
        ...inside('postgres', 'host', 'port', 'database'),
        ...secretRef('postgres.credentialsSecretRef', 'usernameKey', 'passwordKey'),
        ...inside('pgInit', 'enabled', 'timeoutSeconds', 'schemaVersion', 'policy'),
        ...secretRef('adminCredentialsSecretRef', 'usernameKey', 'passwordHashKey'),
        ...secretRef('identitySecretRef', 'keyKey', 'valueKey'),
        ...['imagePullSecrets[].name', 'tolerations[]', 'nodeSelector{}', 'env[]'].map((name) => `.spec.${name}`),
      ]),
    )
  })

  it('NC-CRD-03 limits no value, so that stored objects stay editable', () => {
    const limits = ['enum', 'required', 'minimum', 'maximum', 'pattern', 'maxItems']
    const limited = nodes.filter(
      ({ path, schema }) => path !== '' && limits.some((word) => Object.hasOwn(schema, word)),
    )
    expect(pathsOf(limited)).toEqual([])
  })

  it('NC-CRD-04 copies nothing of the schemas of Kubernetes', () => {
    const any = nodes.filter(({ schema }) => schema['x-kubernetes-preserve-unknown-fields'] === true)
    expect(pathsOf(any).sort()).toEqual([
      '.spec.affinity',
      '.spec.env[]',
      '.spec.k8sWrapper.PodSpec',
      '.spec.k8sWrapper.podSpec',
      '.spec.livenessProbe',
      '.spec.readinessProbe',
      '.spec.resources',
      '.spec.tolerations[]',
      '.spec.volume.emptyDir',
      '.spec.volume.hostPath',
      '.spec.volume.volumeClaimTemplate',
    ])
  })

  it('NC-CRD-05 has no field that the earlier operators do not know', () => {
    const known = [
      ...['image', 'imagePullSecrets', 'replicas', 'resources', 'affinity', 'tolerations', 'nodeSelector'],
      ...['livenessProbe', 'readinessProbe', 'env', 'type', 'function_mode', 'database', 'mysqlInitImage', 'volume'],
      ...['config', 'userConfigRef', 'internalConfigRef', 'finalConfigName', 'certification', 'k8sWrapper'],
      ...['postgres', 'pgInit', 'adminCredentialsSecretRef', 'adminSecretChecksum', 'identitySecretRef'],
    ]
    const top = spec.flatMap((path) => /^\.spec\.(\w+)$/.exec(path)?.[1] ?? [])
    expect(top.sort()).toEqual(known.sort())
  })

  it('NC-CRD-03 has the status of both dialects, and ours', () => {
    const status = pathsOf(nodes).flatMap((path) => /^\.status\.(\w+)$/.exec(path)?.[1] ?? [])
    expect(status.sort()).toEqual([
      ...['admin', 'conditions', 'configDigest', 'event', 'finalConfigName', 'healthy', 'lastRolledOutConfigDigest'],
      ...['observedGeneration', 'pendingConfigDigest', 'pg', 'phase', 'readyReplicas', 'replicas', 'updatedReplicas'],
      ...['version', 'versionDigest'],
    ])
  })

  it('NC-CRD-10 keeps all conditions in one atomic list, since types repeat', () => {
    const conditions = nodes.find(({ path }) => path === '.status.conditions')
    expect(conditions?.schema).toMatchObject({ type: 'array', 'x-kubernetes-list-type': 'atomic' })
    expect(pathsOf(nodes)).toEqual(expect.arrayContaining(['.status.conditions[].podName']))
  })

  it('shows in kubectl get what the earlier operators show, and digest and progress in wide output', () => {
    const columns = treesOf(versionOf(crd).additionalPrinterColumns).map(({ name, type, jsonPath, priority = 0 }) =>
      [name, type, jsonPath, priority].join(' '),
    )
    expect(columns).toEqual([
      'Replicas string .spec.replicas 0',
      'Ready string .status.phase 0',
      'type string .spec.type 0',
      'dbType string .spec.database.type 0',
      'Version string .status.version 0',
      'Healthy boolean .status.healthy 0',
      'Config string .status.configDigest 1',
      'Updated integer .status.updatedReplicas 1',
      'Age date .metadata.creationTimestamp 0',
    ])
  })
})
