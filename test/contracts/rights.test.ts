import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { rightsGranted, rightsUsed } from '../cluster/rights.ts'
import { fileOf } from '../support/folders.ts'

const WEBHOOK = { namespace: 'tars-system', name: 'tars-webhook' }
const OURS = 'system:serviceaccount:tars-system:tars-webhook'
const SECRETS = '/api/v1/namespaces/tars-system/secrets'

const certs = { resource: 'secrets', namespace: 'tars-system', name: 'tars-webhook-certs', apiVersion: 'v1' }
const other = { ...certs, name: 'somebodys' }
const template = { apiGroup: 'k8s.tars.io', resource: 'ttemplates', apiVersion: 'v1beta2' }
const get = (objectRef: object) => ({ verb: 'get', objectRef, requestURI: '/' })
const watch = (query: string) => ({
  verb: 'watch',
  objectRef: { resource: 'secrets', namespace: 'tars-system', apiVersion: 'v1' },
  requestURI: `${SECRETS}?watch=1${query}`,
})

function used(calls: readonly object[], username = OURS): readonly string[] {
  const lines = calls.map((call) => JSON.stringify({ ...call, user: { username } }))
  return rightsUsed(fileOf(`${lines.join('\n')}\n`, 'audit.log'), WEBHOOK)
}

describe('the least right that allows what was asked (SC-2)', () => {
  it.each([
    {
      name: 'of one Secret, twice',
      calls: [get(certs), get(certs)],
      right: 'get secrets in tars-system named tars-webhook-certs',
    },
    { name: 'of another Secret besides', calls: [get(certs), get(other)], right: 'get secrets in tars-system' },
    {
      name: 'of a Secret of that name elsewhere besides',
      calls: [get(certs), get({ ...certs, namespace: 'default' })],
      right: 'get secrets named tars-webhook-certs',
    },
    {
      name: 'of all namespaces besides one',
      calls: [get({ ...template, namespace: 'demo' }), get(template)],
      right: 'get ttemplates.k8s.tars.io',
    },
    {
      name: 'of a subresource',
      calls: [get({ ...template, subresource: 'status', name: 'a' })],
      right: 'get ttemplates/status.k8s.tars.io named a',
    },
    {
      name: 'of one Secret that is watched',
      calls: [watch('&fieldSelector=metadata.name%3Dtars-webhook-certs')],
      right: 'watch secrets in tars-system named tars-webhook-certs',
    },
    { name: 'of all Secrets that are watched', calls: [watch('')], right: 'watch secrets in tars-system' },
    {
      name: 'of what is selected by more than a name',
      calls: [watch('&fieldSelector=metadata.name%3Da%2Ctype%3DOpaque')],
      right: 'watch secrets in tars-system',
    },
  ])('$name', ({ calls, right }) => {
    expect(used(calls)).toEqual([right])
  })

  it('is of each webhook configuration by its name', () => {
    const configuration = { apiGroup: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations' }
    const calls = ['ours', 'theirs', 'ours'].map((name) => get({ ...configuration, name }))
    const rights = ['ours', 'theirs'].map(
      (name) => `get ${configuration.resource}.${configuration.apiGroup} named ${name}`,
    )
    expect(used(calls)).toEqual(rights)
  })

  it('is of two verbs where an apply creates', () => {
    const apply = { ...get({ ...template, name: 'a' }), verb: 'patch' }
    const patched = { ...apply, responseStatus: { code: 200 } }
    const created = { ...apply, responseStatus: { code: 201 } }
    expect(used([patched])).toEqual(['patch ttemplates.k8s.tars.io named a'])
    expect(used([created])).toEqual(['create ttemplates.k8s.tars.io named a', 'patch ttemplates.k8s.tars.io named a'])
  })

  it('is of each verb and each API group by itself', () => {
    const calls = [get(template), { ...get(template), verb: 'list' }, get({ ...template, apiGroup: 'old.tars.io' })]
    expect(used(calls)).toEqual([
      'get ttemplates.k8s.tars.io',
      'get ttemplates.old.tars.io',
      'list ttemplates.k8s.tars.io',
    ])
  })

  it('is not of what somebody else asked', () => {
    expect(used([get(certs)], `${OURS}-too`)).toEqual([])
  })
})

const printedFor = (account: string) => rightsGranted(readFileSync('manifests/rbac/rbac.yaml', 'utf8'), account)

describe('the rights that roles give', () => {
  const roleOf = (kind: string, more: string, namespace = '') => `
kind: ${kind}
metadata: { name: planted${namespace && `, namespace: ${namespace}`} }
rules: [{ apiGroups: [""], resources: [secrets], verbs: [get]${more} }]
`
  it.each([
    { name: 'a ClusterRole everywhere', role: roleOf('ClusterRole', ''), right: 'get secrets' },
    { name: 'a Role in its namespace', role: roleOf('Role', '', 'tars-system'), right: 'get secrets in tars-system' },
    {
      name: 'a rule with names to those objects',
      role: roleOf('Role', ', resourceNames: [tars-webhook-certs]', 'tars-system'),
      right: 'get secrets in tars-system named tars-webhook-certs',
    },
  ])('$name', ({ role, right }) => {
    expect(rightsGranted(role, 'planted')).toEqual([right])
  })

  it('are of the webhook: one Secret by name, each configuration by name, the kinds and namespaces everywhere, marks on TConfigs, and the probe of PATCH-API-8', () => {
    expect(printedFor('tars-webhook')).toEqual([
      'create daemonsets.apps.kruise.io in tars-system',
      'create events',
      'create podtemplates',
      'get configmaps',
      'get customresourcedefinitions.apiextensions.k8s.io named daemonsets.apps.kruise.io',
      'get daemonsets.apps',
      'get daemonsets.apps.kruise.io',
      'get mutatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-mutator',
      'get mutatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-mutator',
      'get mutatingwebhookconfigurations.admissionregistration.k8s.io named kruise-mutating-webhook-configuration',
      'get mutatingwebhookconfigurations.admissionregistration.k8s.io named tars-admission-mutating',
      'get nacos.nacos.io',
      'get namespaces',
      'get nodes',
      'get runtimeclasses.node.k8s.io',
      'get secrets in tars-system named tars-webhook-certs',
      'get tconfigs.k8s.tars.io',
      'get tframeworkconfigs.k8s.tars.io',
      'get tservers.k8s.tars.io',
      'get ttemplates.k8s.tars.io',
      'get validatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-validator',
      'get validatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-validator',
      'get validatingwebhookconfigurations.admissionregistration.k8s.io named tars-admission-validating',
      'list daemonsets.apps',
      'list daemonsets.apps.kruise.io',
      'list nacos.nacos.io',
      'list nodes',
      'list tconfigs.k8s.tars.io',
      'list tframeworkconfigs.k8s.tars.io',
      'list tservers.k8s.tars.io',
      'list ttemplates.k8s.tars.io',
      'patch mutatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-mutator',
      'patch mutatingwebhookconfigurations.admissionregistration.k8s.io named tars-admission-mutating',
      'patch tconfigs.k8s.tars.io',
      'patch validatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-validator',
      'patch validatingwebhookconfigurations.admissionregistration.k8s.io named tars-admission-validating',
      'update secrets in tars-system named tars-webhook-certs',
      'watch customresourcedefinitions.apiextensions.k8s.io named daemonsets.apps.kruise.io',
      'watch daemonsets.apps',
      'watch daemonsets.apps.kruise.io',
      'watch mutatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-mutator',
      'watch mutatingwebhookconfigurations.admissionregistration.k8s.io named kruise-mutating-webhook-configuration',
      'watch mutatingwebhookconfigurations.admissionregistration.k8s.io named tars-admission-mutating',
      'watch nacos.nacos.io',
      'watch nodes',
      'watch secrets in tars-system named tars-webhook-certs',
      'watch tconfigs.k8s.tars.io',
      'watch tframeworkconfigs.k8s.tars.io',
      'watch ttemplates.k8s.tars.io',
      'watch validatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-validator',
      'watch validatingwebhookconfigurations.admissionregistration.k8s.io named tars-admission-validating',
    ])
  })

  it('are of the worker: no more than its rules name, and not one that forges or reads Secrets', () => {
    const beyond = printedFor('tars-controller').filter((right) => !OF_WORKER.includes(right))
    expect(beyond).toEqual([])
  })
})

const READ = ['get', 'list', 'watch']
const FOLLOWED = ['get', 'watch']
const CHANGE = [...READ, 'update', 'patch']
const FULL = [...CHANGE, 'create', 'delete']
const MADE = [...READ, 'create', 'patch', 'delete']
/** The worker's rights in tars.md §5; of TTemplates also get, since the rules of the auditor look single ones up. */
const OF_WORKER = Object.entries({
  services: MADE,
  persistentvolumeclaims: MADE,
  'statefulsets.apps': MADE,
  'daemonsets.apps': MADE,
  'daemonsets/status.apps': ['patch'],
  'daemonsets.apps.kruise.io': CHANGE,
  'daemonsets/status.apps.kruise.io': ['patch'],
  pods: [...CHANGE, 'delete'],
  events: ['create', 'patch'],
  namespaces: ['get'],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io named daemonset-patches-mutator': ['get'],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io named kruise-mutating-webhook-configuration': FOLLOWED,
  'customresourcedefinitions.apiextensions.k8s.io named daemonsets.apps.kruise.io': FOLLOWED,
  'daemonsets.apps.kruise.io in tars-system': ['create'],
  nodes: [...READ, 'patch'],
  'leases.coordination.k8s.io in tars-system': ['get', 'create', 'update'],
  'tservers.k8s.tars.io': [...CHANGE, 'create'],
  'tservers/finalizers.k8s.tars.io': ['update'],
  'tservers/status.k8s.tars.io': FULL,
  'tendpoints.k8s.tars.io': FULL,
  'tendpoints/status.k8s.tars.io': FULL,
  'texitedrecords.k8s.tars.io': FULL,
  'tconfigs.k8s.tars.io': FULL,
  'tdeploys.k8s.tars.io': CHANGE,
  'ttrees.k8s.tars.io': [...CHANGE, 'create'],
  'taccounts.k8s.tars.io': CHANGE,
  'timages.k8s.tars.io': CHANGE,
  'tframeworkconfigs.k8s.tars.io': READ,
  'ttemplates.k8s.tars.io': ['get', 'list'],
  configmaps: MADE,
  'nacos.nacos.io': READ,
  'nacos/finalizers.nacos.io': ['update'],
  'nacos/status.nacos.io': ['patch'],
}).flatMap(([resource, verbs]) => verbs.map((verb) => `${verb} ${resource}`))
