import {
  type Field,
  flag,
  integer,
  integerOrText,
  type KubeObject,
  list,
  object,
  resource,
  type Shape,
  type Tree,
  text,
} from '../kit/schema.ts'

/** A part of which another module knows the fields. */
const part = (doc: string): Field<Tree> => ({ json: { type: 'object', description: doc } })
const anything = (doc: string): Field<unknown> => ({ json: { description: doc } })
const count = (doc: string) => integerOrText({ doc })

const rollingUpdate = object(
  {},
  {
    rollingUpdateType: text({ doc: 'Standard, InPlaceIfPossible, or Surging, an alias of Standard.' }),
    maxUnavailable: count('Nodes without an available pod at any time.'),
    maxSurge: count('Nodes with an old and a new pod at any time.'),
    partition: count('Nodes that keep their old pods.'),
    paused: flag({ doc: 'No pod is replaced.' }),
    selector: part('Nodes that are updated.'),
  },
)

const daemonSet = object(
  {},
  {
    spec: object(
      {},
      {
        selector: part('Pods of the DaemonSet.'),
        template: part('What its pods are made of.'),
        updateStrategy: object({}, { type: text({ doc: 'RollingUpdate or OnDelete.' }), rollingUpdate }),
        scaleStrategy: object({}, { partitionedScaling: flag({ doc: 'Pods are created node by node.' }) }),
        lifecycle: part('Hooks of its pods.'),
        minReadySeconds: integer({ doc: 'How long a pod is ready before it counts as available.' }),
        burstReplicas: count('Pods that are created at once.'),
        revisionHistoryLimit: integer({ doc: 'Old revisions that are kept.' }),
        patches: anything('Patches for the pods of some nodes; their reader judges them.'),
      },
    ),
    status: object(
      {},
      {
        observedGeneration: integer({ doc: 'The generation that the controller has seen.' }),
        desiredNumberScheduled: integer({ doc: 'Nodes that should have a pod.' }),
        currentNumberScheduled: integer({ doc: 'Nodes that should have a pod, and have one.' }),
        updatedNumberScheduled: integer({ doc: 'Nodes with a current pod.' }),
        numberAvailable: integer({ doc: 'Nodes with an available pod.' }),
        collisionCount: integer({ doc: 'Names of revisions that were taken.' }),
        daemonSetHash: text({ doc: 'The current revision, in v1alpha1.' }),
        updateRevision: text({ doc: 'The current revision, in v1beta1.' }),
        conditions: list(part('What is known of it.'), { doc: 'What is known of it.' }),
      },
    ),
  },
)
export type DaemonSet = KubeObject & Shape<typeof daemonSet>

const named = <const G extends string, const V extends string>(group: G, version: V) =>
  resource({ group, version, kind: 'DaemonSet', plural: 'daemonsets', scope: 'Namespaced' }, daemonSet)

export const APPS_DAEMONSET = named('apps', 'v1')
export const KRUISE_DAEMONSET = named('apps.kruise.io', 'v1beta1')
export const KRUISE_DAEMONSET_ALPHA = named('apps.kruise.io', 'v1alpha1')
export const DAEMONSETS = [APPS_DAEMONSET, KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA]
