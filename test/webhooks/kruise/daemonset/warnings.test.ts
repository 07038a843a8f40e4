import { describe, expect, it } from 'vitest'
import type { Built, Gvr } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { APPS_DAEMONSET, KRUISE_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { allWordsTo, OFF } from './reviewed.ts'

const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
const object = (kind: string, apiVersion: string, name: string, more: Tree = {}) => ({
  apiVersion,
  kind,
  metadata: { namespace: '', name },
  ...more,
})
const NODE = { ...object('Node', 'v1', 'n'), metadata: { namespace: '', name: 'n', labels: { disk: 'large' } } }
const REGISTRATION = 'admissionregistration.k8s.io/v1'
const VALIDATOR = object('ValidatingWebhookConfiguration', REGISTRATION, 'daemonset-patches-validator')
const mutator = (values: readonly string[], more: Tree = {}) =>
  object('MutatingWebhookConfiguration', REGISTRATION, 'daemonset-patches-mutator', {
    webhooks: [
      {
        name: 'pods.daemonset-patches.kruise.io',
        namespaceSelector: {
          matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values }],
          ...more,
        },
      },
    ],
  })
const runtime = (nodeSelector: Tree) =>
  object('RuntimeClass', 'node.k8s.io/v1', 'kata', { scheduling: { nodeSelector } })

const spec = (fields: Tree) => ({ spec: fields })
const agent = (fields: Tree) => spec({ containers: [{ name: 'agent', ...fields }] })
const requests = (fields: Tree, limits: Tree = {}) => agent({ resources: { requests: fields, limits } })
const withLabels = (labels: Tree, patch: Tree = agent({ env: [] })) =>
  anEntry(patch, { selector: { matchLabels: labels } })
const TEMPLATE = {
  metadata: { labels: { app: 'agent' } },
  spec: {
    containers: [
      {
        name: 'agent',
        image: 'a',
        ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }],
        resources: { requests: { cpu: '1' } },
      },
      { name: 'other', image: 'a', ports: [{ containerPort: 53 }] },
    ],
  },
}
const TYPED = (rollingUpdateType: string) => ({ updateStrategy: { rollingUpdate: { rollingUpdateType } } })

interface Case {
  readonly name: string
  readonly list: readonly unknown[]
  readonly quiet: readonly unknown[]
  readonly path: string
  readonly text: string
  readonly of?: Gvr
  readonly more?: Tree
  readonly objects?: readonly Built[]
}
const plain = [anEntry(agent({ env: [{ name: 'A', value: '1' }] }))]

const cases: readonly Case[] = [
  {
    name: 'PATCH-V-22 two entries of one priority set one leaf',
    list: [withLabels({ disk: 'large' }, agent({ image: 'b' })), withLabels({ gpu: 'yes' }, agent({ image: 'c' }))],
    quiet: [withLabels({ disk: 'large' }, agent({ image: 'b' })), withLabels({ disk: 'small' }, agent({ image: 'c' }))],
    path: '[1].patch.spec.containers[agent].image',
    text: 'overrides entry 0 of the same priority',
  },
  {
    name: 'PATCH-V-23a a null in spec.patches',
    list: [anEntry(agent({ env: null }))],
    quiet: plain,
    of: KRUISE_DAEMONSET,
    path: '[0].patch',
    text: 'kubectl apply drops a null here',
  },
  {
    name: 'PATCH-V-23b SMP-TRAP-2 ports of which two have one number',
    list: [anEntry(agent({ ports: [{ containerPort: 53, name: 'dns' }] }))],
    quiet: [anEntry(spec({ containers: [{ name: 'other', ports: [{ containerPort: 53, name: 'dns' }] }] }))],
    path: '[0].patch.spec.containers[].ports',
    text: 'two elements of the template have one key',
  },
  {
    name: 'PATCH-V-23c an image beside in-place updates',
    list: [anEntry(agent({ image: 'b' }))],
    quiet: plain,
    of: KRUISE_DAEMONSET,
    more: TYPED('InPlaceIfPossible'),
    path: '[0].patch.spec',
    text: 'an in-place update sets the image of the template',
  },
  {
    name: 'PATCH-V-23d no current node',
    list: [withLabels({ disk: 'small' })],
    quiet: plain,
    path: '[0].selector',
    text: 'matches no current node',
  },
  {
    name: 'PATCH-V-23e nothing changes',
    list: [anEntry({})],
    quiet: plain,
    path: '[0].patch',
    text: 'changes nothing',
  },
  {
    name: 'PATCH-V-23e what changes is there already',
    list: [anEntry(agent({ image: 'a' }))],
    quiet: plain,
    path: '[0].patch',
    text: 'changes nothing',
  },
  {
    name: 'PATCH-V-23h a node can choose privilege for itself',
    list: [
      anEntry(spec({ hostPID: true, serviceAccountName: 'root', volumes: [{ name: 'v', hostPath: { path: '/' } }] })),
    ],
    quiet: [withLabels({ 'node-restriction.kubernetes.io/disk': 'large' }, spec({ hostPID: true }))],
    path: '[0].patch',
    text: 'grants hostPID, serviceAccountName, hostPath; a node can',
  },
  {
    name: 'PATCH-V-23h a privileged container',
    list: [anEntry(agent({ securityContext: { privileged: true, capabilities: { add: ['SYS_ADMIN'] } } }))],
    quiet: [anEntry(agent({ securityContext: { privileged: false } }))],
    path: '[0].patch',
    text: 'grants privileged, capabilities; a node can label itself',
  },
  {
    name: 'PATCH-V-23i an atomic list of the owner',
    list: [anEntry(spec({ tolerations: [{ operator: 'Exists' }] }))],
    quiet: plain,
    path: '[0].patch.spec.tolerations',
    text: 'replaces the list; those of the owner',
  },
  {
    name: 'PATCH-V-23j more is requested',
    list: [anEntry(requests({ cpu: '1001m' }))],
    quiet: [anEntry(requests({ cpu: '1000m' }))],
    path: '[0].patch.spec.containers[0].resources.requests',
    text: 'raises cpu; auto',
  },
  {
    name: 'PATCH-V-23k PATCH-POD-INV-9 a limit is filled',
    list: [anEntry(requests({ 'nvidia.com/gpu': 1 }))],
    quiet: [anEntry(requests({ 'nvidia.com/gpu': 1 }, { 'nvidia.com/gpu': 1 }))],
    path: '[0].patch.spec.containers[0].resources.requests',
    text: 'the limit of nvidia.com/gpu will',
  },
  {
    name: 'PATCH-V-23l a RuntimeClass that selects nodes',
    list: [anEntry(spec({ runtimeClassName: 'kata' }))],
    quiet: [anEntry(spec({ runtimeClassName: 'other' }))],
    objects: [runtime({ kata: 'yes' })],
    path: '[0].patch.spec.runtimeClassName',
    text: 'pods stay Pending',
  },
]

const ID = /\((PATCH-V-\d+[a-l]?)\)$/
async function warned(list: readonly unknown[], { of = APPS_DAEMONSET, more = {}, objects = [] }: Partial<Case>) {
  const made = aDaemonSet({ template: TEMPLATE, ...(of === KRUISE_DAEMONSET ? { field: list } : { annotation: list }) })
  const next = { ...made, apiVersion: `${of.group}/${of.version}`, spec: { ...made.spec, ...more } }
  const [decision, ...warnings] = await allWordsTo(next, { of, readers: readersOf(NODE, ...objects) })
  expect(decision).toBe('allowed')
  return warnings.map((warning) => warning.replace('warning: ', ''))
}

describe('a warning', () => {
  it.each(cases)('$name', async ({ name, list, quiet, path, text, ...around }) => {
    const [id = ''] = name.split(' ')
    const carrier = around.of === KRUISE_DAEMONSET ? 'spec.patches' : AT
    const own = (await warned(list, around)).filter((warning) => ID.exec(warning)?.[1] === id)
    expect(own).toHaveLength(1)
    const end = `${carrier}${path}`.slice(-50) // a long path loses its beginning
    expect(own[0]).toContain(`${end}: ${text.slice(0, 30)}`)
    expect((await warned(quiet, around)).filter((warning) => ID.exec(warning)?.[1] === id)).toEqual([])
  })

  it('PATCH-V-23a not in an annotation, which is a text', async () => {
    expect((await warned([anEntry(agent({ env: null }))], {})).join()).not.toContain('V-23a')
  })
  it('PATCH-V-23c not beside other updates', async () => {
    const around = { of: KRUISE_DAEMONSET, more: TYPED('Standard') }
    expect((await warned([anEntry(agent({ image: 'b' }))], around)).join()).not.toContain('V-23c')
  })
  it('PATCH-V-23l not of a RuntimeClass for all nodes', async () => {
    const around = { objects: [runtime({})] }
    expect((await warned([anEntry(spec({ runtimeClassName: 'kata' }))], around)).join()).not.toContain('V-23l')
  })

  it('PATCH-V-23f a list that is ignored', async () => {
    const says = async (settings: Tree) => (await allWordsTo(aDaemonSet({ annotation: plain }), { settings })).join()
    expect(await says(OFF)).toContain(`${AT}: the feature gate is off`)
    expect(await says({})).not.toContain('V-23f')
  })

  it.each([
    { name: 'PATCH-V-23g no webhook for pods', objects: [VALIDATOR], says: 'the webhook for pods is not installed' },
    {
      name: 'PATCH-V-23g this namespace is left out',
      objects: [VALIDATOR, mutator(['demo'])],
      says: 'the webhook for pods leaves this',
    },
    {
      name: 'PATCH-V-23g another namespace is left out',
      objects: [VALIDATOR, mutator(['tars-system'])],
      says: undefined,
    },
    {
      name: 'PATCH-V-23g namespaces are chosen by other labels too',
      objects: [VALIDATOR, mutator(['demo'], { matchLabels: { patched: 'yes' } })],
      says: undefined,
    },
    { name: 'PATCH-V-23g a cluster in memory has no configuration', objects: [], says: undefined },
  ])('$name', async ({ objects, says }) => {
    const warnings = (await warned(plain, { objects })).filter((warning) => warning.endsWith('(PATCH-V-23g)'))
    expect(warnings.map((each) => each.slice(`${AT}: `.length, `${AT}: `.length + (says?.length ?? 0)))).toEqual(
      says === undefined ? [] : [says],
    )
  })
})
