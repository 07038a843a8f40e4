import { type KubeObject, list, object, resource, type Shape, text } from '../kit/schema.ts'

// Kinds of Kubernetes: of each the fields that controllers of this family read.

const condition = object(
  { type: text({ doc: 'What it is about.' }), status: text({ doc: 'True, False or Unknown.' }) },
  { reason: text({ doc: 'Why, in a word.' }), message: text({ doc: 'Why, in a sentence.' }) },
)
const volume = object(
  { name: text({ doc: 'Name within the pod.' }) },
  { persistentVolumeClaim: object({}, { claimName: text({ doc: 'The claim that it is.' }) }) },
)
const pod = object(
  {},
  {
    spec: object({}, { volumes: list(volume, { doc: 'Its volumes.' }) }),
    status: object(
      {},
      {
        phase: text({ doc: 'How far its life is.' }),
        podIP: text({ doc: 'Its address.' }),
        hostIP: text({ doc: 'Address of its node.' }),
        conditions: list(condition, { doc: 'What is known of it.' }),
      },
    ),
  },
)
export type Pod = KubeObject & Shape<typeof pod>
export const POD = resource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' }, pod)

export const PERSISTENT_VOLUME_CLAIM = resource(
  { group: '', version: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', scope: 'Namespaced' },
  object({}),
)
export const NODE = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' }, object({}))
