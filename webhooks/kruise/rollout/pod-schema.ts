import { type KubeObject, list, nullable, object, resource, type Shape, text } from '../../kit/schema.ts'

const condition = object(
  { type: text({ doc: 'What it is about.' }), status: text({ doc: 'True, False or Unknown.' }) },
  { lastTransitionTime: nullable(text({ doc: 'Since when.' })) },
)
const field = object(
  {},
  {
    key: text({ doc: 'A field of the Node.' }),
    operator: text({ doc: 'How it compares.' }),
    values: list(text({ doc: 'Value.' }), { doc: 'What it is compared with.' }),
  },
)
const term = object({}, { matchFields: list(field, { doc: 'All of which match.' }) })

const pod = object(
  {},
  {
    spec: object(
      {},
      {
        nodeName: text({ doc: 'The Node that it is bound to.' }),
        affinity: object(
          {},
          {
            nodeAffinity: object(
              {},
              {
                requiredDuringSchedulingIgnoredDuringExecution: object(
                  {},
                  { nodeSelectorTerms: list(term, { doc: 'One of which matches.' }) },
                ),
              },
            ),
          },
        ),
        readinessGates: list(object({}, { conditionType: text({ doc: 'Type of the condition.' }) }), {
          doc: 'Further conditions of being ready.',
        }),
      },
    ),
    status: object(
      {},
      {
        phase: text({ doc: 'How far its life is.' }),
        conditions: list(condition, { doc: 'What is known of it.' }),
      },
    ),
  },
)
export type StoredPod = KubeObject & Shape<typeof pod>

/** Pods, with what the rollout reads of them. */
export const DAEMON_POD = resource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' }, pod)

/** Of the spec the target node and the readiness gates alone (PATCH-ROLL-1). */
export const POD_FIELDS = [
  'metadata.annotations',
  'metadata.ownerReferences',
  'metadata.creationTimestamp',
  'metadata.deletionTimestamp',
  'spec.nodeName',
  'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.matchFields',
  'spec.readinessGates',
  'status.phase',
  'status.conditions.type',
  'status.conditions.status',
  'status.conditions.lastTransitionTime',
]
