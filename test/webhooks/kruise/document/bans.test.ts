import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { documentFindings } from '../../../../webhooks/kruise/document/document.ts'

const DISCARDS = 'would discard the template; use a separate DaemonSet'
const OWNER = 'set by owner or API server'
const IDENTITY = 'owner identity; selector keys must keep matching'
const BOOKS = 'bookkeeping'
const PLACEMENT = 'placement is decided before the patch'
const INVALID = 'not valid in a DaemonSet template'
const COMPUTED = 'computed; set priorityClassName / runtimeClassName'

const findings = (patch: Tree) => documentFindings(patch, { selectorKeys: ['app'] })
const labels = (of: unknown) => ({ metadata: { labels: of } })
const annotations = (of: unknown) => ({ metadata: { annotations: of } })
const affinity = (of: unknown) => ({ spec: { affinity: of } })

describe('PATCH-V-10 what a node patch may not touch', () => {
  it.each<readonly [string, Tree, string]>([
    ['.$patch', { $patch: 'replace' }, DISCARDS],
    ['.$retainKeys', { $retainKeys: ['spec'] }, DISCARDS],
    ['.metadata.$patch', { metadata: { $patch: 'delete' } }, DISCARDS],
    ['.metadata', { metadata: null }, DISCARDS],
    ['.spec.$patch', { spec: { $patch: 'replace' } }, DISCARDS],
    ['.spec.$retainKeys', { spec: { $retainKeys: [] } }, DISCARDS],
    ['.spec', { spec: null }, DISCARDS],
    ...[
      ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
      ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink', 'ownerReferences', 'managedFields'],
    ].map((name) => [`.metadata.${name}`, { metadata: { [name]: null } }, OWNER] as const),
    [
      '.metadata[$setElementOrder/ownerReferences]',
      { metadata: { '$setElementOrder/ownerReferences': [{ uid: 'a' }] } },
      OWNER,
    ],
    ...[
      'controller-revision-hash',
      'pod-template-generation',
      'pod-template-hash',
      'lifecycle.apps.kruise.io/state',
    ].map((name) => [`.metadata.labels[${name}]`, labels({ [name]: 'x' }), IDENTITY] as const),
    ['.metadata.labels.app', labels({ app: 'x' }), IDENTITY],
    ['.metadata.labels.app', labels({ app: null }), IDENTITY],
    ['.metadata.labels', labels(null), IDENTITY],
    ['.metadata.labels.$patch', labels({ $patch: 'replace', size: 'l' }), IDENTITY],
    ['.metadata.labels.$retainKeys', labels({ $retainKeys: ['size'] }), IDENTITY],
    ...[
      'daemonset.kruise.io/patch-stale',
      'apps.kruise.io/inplace-update-state',
      'apps.kruise.io/inplace-update-grace',
      'lifecycle.apps.kruise.io/timestamp',
    ].map((name) => [`.metadata.annotations[${name}]`, annotations({ [name]: 'x' }), BOOKS] as const),
    ['.metadata.annotations', annotations(null), BOOKS],
    ['.metadata.annotations.$patch', annotations({ $patch: 'delete' }), BOOKS],
    ['.spec.nodeName', { spec: { nodeName: 'n' } }, PLACEMENT],
    ['.spec.nodeSelector', { spec: { nodeSelector: { disk: 'large' } } }, PLACEMENT],
    ['.spec.affinity.nodeAffinity', affinity({ nodeAffinity: {} }), PLACEMENT],
    ['.spec.affinity', affinity(null), PLACEMENT],
    ['.spec.affinity.$patch', affinity({ $patch: 'replace' }), PLACEMENT],
    ['.spec.affinity.$retainKeys', affinity({ $retainKeys: [] }), PLACEMENT],
    ['.spec.restartPolicy', { spec: { restartPolicy: 'Never' } }, INVALID],
    ['.spec.activeDeadlineSeconds', { spec: { activeDeadlineSeconds: 5 } }, INVALID],
    ['.spec.ephemeralContainers', { spec: { ephemeralContainers: [] } }, INVALID],
    ['.spec.priority', { spec: { priority: 1 } }, COMPUTED],
    ['.spec.preemptionPolicy', { spec: { preemptionPolicy: 'Never' } }, COMPUTED],
    ['.spec.overhead', { spec: { overhead: {} } }, COMPUTED],
    ['.spec.serviceAccount', { spec: { serviceAccount: 'a' } }, 'deprecated alias; use serviceAccountName'],
    ['.spec.schedulingGroup', { spec: { schedulingGroup: {} } }, 'not per node'],
    ['.spec.hostnameOverride', { spec: { hostnameOverride: 'a' } }, 'not per node'],
  ])('%s', (path, patch, why) => {
    expect(findings(patch)).toEqual([{ id: 'PATCH-V-10', path, text: `may not be set by a node patch: ${why}` }])
  })

  it.each<readonly [string, Tree]>([
    ['a label that no selector names', labels({ size: 'large', other: null })],
    ['an annotation', annotations({ 'daemonset.example/x': 'y', note: null })],
    ['finalizers', { metadata: { finalizers: ['a/b'], '$deleteFromPrimitiveList/finalizers': ['c/d'] } }],
    ['affinity to pods', affinity({ podAffinity: null, podAntiAffinity: { $patch: 'replace' } })],
    ['the restart policy of every DaemonSet', { spec: { restartPolicy: 'Always' } }],
    ['that of a container', { spec: { initContainers: [{ name: 'a', restartPolicy: 'Always' }] } }],
    ['tolerations', { spec: { tolerations: [{ operator: 'Exists', effect: 'NoSchedule' }] } }],
    ['readinessGates', { spec: { readinessGates: [{ conditionType: 'example.com/a' }] } }],
    ['classes', { spec: { priorityClassName: 'high', runtimeClassName: 'kata' } }],
    ['a service account', { spec: { serviceAccountName: 'a' } }],
    ['the network of the host', { spec: { hostNetwork: true } }],
    ['volumes', { spec: { volumes: [{ name: 'a', emptyDir: { sizeLimit: '1Gi' } }] } }],
    ['the scheduler', { spec: { schedulerName: 'a', schedulingGates: [{ name: 'example.com/a' }] } }],
    ['nothing', {}],
  ])('allowed: %s', (_, patch) => expect(findings(patch)).toEqual([]))
})
