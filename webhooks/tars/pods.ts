import { type Built, labelled, type Watch } from '../kit/controller.ts'
import {
  type Field,
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
  type Words,
} from '../kit/schema.ts'
import { SERVER_LABELS } from './names.ts'

// Kinds of Kubernetes: of each the fields that controllers of this family read.

const condition = object(
  { type: text({ doc: 'What it is about.' }), status: text({ doc: 'True, False or Unknown.' }) },
  { reason: text({ doc: 'Why, in a word.' }), message: text({ doc: 'Why, in a sentence.' }) },
)
const volume = object(
  { name: text({ doc: 'Name within the pod.' }) },
  { persistentVolumeClaim: object({}, { claimName: text({ doc: 'The claim that it is.' }) }) },
)
type Moment<M> = (words: { readonly doc: string }) => Field<M>

const stateWith = <M>(moment: Moment<M>) =>
  object(
    {},
    {
      running: object({}, { startedAt: moment({ doc: 'Since when.' }) }, 'It runs.'),
      terminated: object(
        {},
        {
          exitCode: integer({ doc: 'What it ended with.' }),
          signal: integer({ doc: 'The signal that ended it.' }),
          reason: text({ doc: 'Why it ended, in a word.' }),
          message: text({ doc: 'Why it ended, in a sentence.' }),
          startedAt: moment({ doc: 'When it began.' }),
          finishedAt: moment({ doc: 'When it ended.' }),
          containerID: text({ doc: 'Which container it was.' }),
        },
        'It ended.',
      ),
      waiting: object(
        {},
        {
          reason: text({ doc: 'What it waits for, in a word.' }),
          message: text({ doc: 'What it waits for, in a sentence.' }),
        },
        'It has not begun.',
      ),
    },
    'One of the three.',
  )

/** The status of a container. Kubernetes writes null for an unknown moment, which a TEndpoint does not take. */
export const containerStatusWith = <M>(moment: Moment<M>) =>
  object(
    {},
    {
      name: text({ doc: 'Name of the container.' }),
      image: text({ doc: 'Image that it runs.' }),
      imageID: text({ doc: 'Digest of that image.' }),
      containerID: text({ doc: 'Which container it is.' }),
      ready: flag({ doc: 'Whether it is ready.' }),
      started: flag({ doc: 'Whether it has started.' }),
      restartCount: integer({ doc: 'How often it was started again.' }),
      state: stateWith(moment),
      lastState: stateWith(moment),
    },
  )
const orNull: Moment<string | null> = (words) => nullable(text(words))

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
        containerStatuses: list(containerStatusWith(orNull), { doc: 'Its containers.' }),
      },
    ),
  },
)
export type Pod = KubeObject & Shape<typeof pod>
export const POD = resource({ group: '', version: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' }, pod)

/** A pod that is no draft of one counts by its metadata. */
export function podFrom(object: Built): Found<Pod> {
  const { metadata } = object
  return POD.isDraft(object) ? object : { metadata }
}

/** The pods of servers. Changes of one server are gathered (WR-10). */
export function podsOfServers(nameIn: (labels: Words) => string | undefined, fields: readonly string[]): Watch {
  return {
    ...labelled(POD, nameIn, { carrying: SERVER_LABELS, byLabels: SERVER_LABELS, fields, asText: true }),
    gather: { quietMs: 100, atMostMs: 1_000 },
  }
}

export const PERSISTENT_VOLUME_CLAIM = resource(
  { group: '', version: 'v1', kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', scope: 'Namespaced' },
  object({}),
)
export const NODE = resource({ group: '', version: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' }, object({}))
