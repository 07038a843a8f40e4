import {
  anyObject,
  type Found,
  flag,
  integer,
  type KubeObject,
  list,
  nullable,
  object,
  resource,
  type Shape,
  text,
} from '../../kit/schema.ts'

// Kinds of Kubernetes: of each the fields that the controller reads.

const taint = object(
  {},
  { key: text({ doc: 'Key.' }), value: text({ doc: 'Value.' }), effect: text({ doc: 'What it does to pods.' }) },
)
const node = object({}, { spec: object({}, { taints: nullable(list(taint, { doc: 'What keeps pods away.' })) }) })
export const NODE = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' }, node)
export type NodeWithTaints = Found<KubeObject & Shape<typeof node>>

const condition = object(
  {},
  {
    type: text({ doc: 'What it is about.' }),
    status: text({ doc: 'True, False or Unknown.' }),
    lastTransitionTime: nullable(text({ doc: 'Since when.' })),
  },
)
const pod = object(
  {},
  {
    spec: anyObject({ doc: 'What it runs, and where.' }),
    status: object(
      {},
      { phase: text({ doc: 'How far its life is.' }), conditions: list(condition, { doc: 'What is known of it.' }) },
    ),
  },
)
export const POD = resource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' }, pod)
export type StoredDaemonPod = Found<KubeObject & Shape<typeof pod>>

const controllerRevision = object(
  {},
  { data: anyObject({ doc: 'The version.' }), revision: integer({ doc: 'Its number.' }) },
)
export const CONTROLLER_REVISION = resource(
  { group: 'apps', version: 'v1', kind: 'ControllerRevision', plural: 'controllerrevisions', scope: 'Namespaced' },
  controllerRevision,
)
export type StoredRevision = Found<KubeObject & Shape<typeof controllerRevision>>

const lease = object(
  {},
  {
    spec: object(
      {},
      {
        holderIdentity: nullable(text({ doc: 'Who leads.' })),
        leaseDurationSeconds: nullable(integer({ doc: 'For how long.' })),
        renewTime: nullable(text({ doc: 'Since when.' })),
      },
    ),
  },
)
export const LEASE = resource(
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases', scope: 'Namespaced' },
  lease,
)
export type StoredLease = Found<KubeObject & Shape<typeof lease>>

const clientConfig = object(
  {},
  { service: object({}, { name: text({ doc: 'Name.' }), namespace: text({ doc: 'Namespace.' }) }) },
)
export const MUTATING_CONFIGURATION = resource(
  {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    scope: 'Cluster',
  },
  object({}, { webhooks: list(object({}, { clientConfig }), { doc: 'Its webhooks.' }) }),
)
const endpoint = object({}, { conditions: object({}, { ready: nullable(flag({ doc: 'Whether it answers.' })) }) })
export const ENDPOINT_SLICE = resource(
  { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', scope: 'Namespaced' },
  object({}, { endpoints: nullable(list(endpoint, { doc: 'Where a Service answers.' })) }),
)
export const CRD = resource(
  {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    scope: 'Cluster',
  },
  object(
    {},
    {
      spec: object(
        {},
        {
          conversion: object({}, { strategy: text({ doc: 'How.' }), webhook: object({}, { clientConfig }) }),
        },
      ),
    },
  ),
)
