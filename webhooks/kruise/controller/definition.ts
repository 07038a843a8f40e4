import type { Defined } from '../../kit/controller.ts'
import {
  anyObject,
  choice,
  flag,
  integer,
  integerOrText,
  list,
  moment,
  object,
  resource,
  text,
} from '../../kit/schema.ts'
import { labels, patches, selector } from '../fields.ts'

const count = (doc: string) => integerOrText({ doc, maxLength: 12 })
const hook = object(
  {},
  {
    labelsHandler: labels,
    finalizersHandler: list(text({ doc: 'Finalizer.', maxLength: 317 }), { doc: 'Finalizers that hold the pod.' }),
    markPodNotReady: flag({ doc: 'Whether the pod counts as not ready meanwhile.' }),
  },
  'What holds a pod.',
)
const rollingUpdate = object(
  {},
  {
    rollingUpdateType: choice(['Standard', 'InPlaceIfPossible', 'Surging'], { doc: 'How pods become new.' }),
    maxUnavailable: count('Nodes without an available pod at any time.'),
    maxSurge: count('Nodes with an old and a new pod at any time.'),
    selector: selector('The nodes that are updated.'),
    partition: count('Nodes that keep their old pods.'),
    paused: flag({ doc: 'No pod is replaced.' }),
  },
)
const spec = object(
  { selector: selector('The pods of the DaemonSet.'), template: anyObject({ doc: 'What its pods are made of.' }) },
  {
    updateStrategy: object(
      {},
      { type: choice(['RollingUpdate', 'OnDelete'], { doc: 'When pods become new.' }), rollingUpdate },
    ),
    minReadySeconds: integer({ doc: 'How long a pod is ready before it counts as available.', minimum: 0 }),
    burstReplicas: count('Pods that are created at once.'),
    revisionHistoryLimit: integer({ doc: 'Old revisions that are kept.', minimum: 0 }),
    lifecycle: object({}, { preDelete: hook, inPlaceUpdate: hook, preNormal: hook }, 'What holds its pods at times.'),
    scaleStrategy: object(
      {},
      { partitionedScaling: flag({ doc: 'Pods are created node by node while there is a partition.' }) },
    ),
    patches,
  },
)
const condition = object(
  { type: text({ doc: 'What it is about.' }), status: text({ doc: 'True, False or Unknown.' }) },
  {
    reason: text({ doc: 'Why, in a word.' }),
    message: text({ doc: 'Why, in a sentence.' }),
    lastTransitionTime: moment({ doc: 'Since when.' }),
  },
)
const number = (doc: string) => integer({ doc })
const status = object(
  {},
  {
    currentNumberScheduled: number('Nodes that should have a pod and have one.'),
    numberMisscheduled: number('Nodes that should have no pod and have one.'),
    desiredNumberScheduled: number('Nodes that should have a pod.'),
    numberReady: number('Nodes with a ready pod.'),
    updatedNumberScheduled: number('Nodes with a new pod.'),
    numberAvailable: number('Nodes with an available pod.'),
    numberUnavailable: number('Nodes without an available pod.'),
    observedGeneration: number('The generation that the controller has seen.'),
    collisionCount: number('Names of revisions that were taken.'),
    updateRevision: text({ doc: 'The current revision.', maxLength: 63 }),
    daemonSetHash: text({ doc: 'The current revision, where v1alpha1 has it.', maxLength: 63 }),
    conditions: list(condition, { doc: 'What is known of it.', maxItems: 100 }),
  },
)

const column = (name: string, field: string) => ({ name, type: 'integer', path: `.status.${field}` }) as const
const wide = (name: string, field: string) =>
  ({ name, type: 'string', path: `.spec.template.spec.containers[*].${field}`, isWide: true }) as const

/** The definition of OpenKruise with the fields of both its versions, so that no conversion loses one (PATCH-API-6). */
export const KRUISE_DEFINITION: Defined = {
  resource: resource(
    { group: 'apps.kruise.io', version: 'v1beta1', kind: 'DaemonSet', plural: 'daemonsets', scope: 'Namespaced' },
    object({ spec }, { status }),
  ),
  definition: {
    description: 'A DaemonSet whose template has patches for the nodes that their selectors match.',
    alsoServed: ['v1alpha1'],
    writers: 'authors',
    shortNames: ['daemon', 'ads'],
    subresources: { status: true },
    columns: [
      column('DESIRED', 'desiredNumberScheduled'),
      column('CURRENT', 'currentNumberScheduled'),
      column('READY', 'numberReady'),
      column('UP-TO-DATE', 'updatedNumberScheduled'),
      column('AVAILABLE', 'numberAvailable'),
      wide('CONTAINERS', 'name'),
      wide('IMAGES', 'image'),
    ],
  },
  rules: [],
}
