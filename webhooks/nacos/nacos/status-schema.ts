import { atomic, flag, integer, list, object, text } from '../../kit/schema.ts'

const condition = object(
  {},
  {
    type: text({ doc: 'What it is about.' }),
    status: text({ doc: 'True, False or Unknown.' }),
    reason: text({ doc: 'Why, in one word.' }),
    message: text({ doc: 'Why, in a sentence.' }),
    lastTransitionTime: text({ doc: 'When the status changed last.' }),
    observedGeneration: integer({ doc: 'Generation of the spec that it is about.' }),
    instance: text({ doc: 'Of a member: its address.' }),
    podName: text({ doc: 'Of a member: its pod.' }),
    nodeName: text({ doc: 'Of a member: the node that it runs on.' }),
    hostIP: text({ doc: 'Of a member: the address of its node.' }),
  },
  'One thing that is known of the cluster.',
)

const event = object(
  {},
  {
    status: flag({ doc: 'Whether it went well.' }),
    code: integer({ doc: '200 normal, 301 parameter, 401 cluster, 404 system, -1 unknown.' }),
    message: text({ doc: 'What happened.' }),
    firstAppearTime: text({ doc: 'When it happened first.' }),
    lastTransitionTime: text({ doc: 'When it happened last.' }),
  },
  'Written by earlier operators.',
)

const pg = object(
  {},
  {
    initialized: flag({ doc: 'Whether the schema is there.' }),
    initVersion: integer({ doc: 'Version of the schema.' }),
    lastInitTime: text({ doc: 'When it was written.' }),
    lastResult: text({ doc: 'How that went.' }),
    lastMessage: text({ doc: 'Why it went so.' }),
  },
  'The PostgreSQL schema; written by earlier operators.',
)

const admin = object(
  {},
  {
    lastRotateTime: text({ doc: 'When the password changed.' }),
    lastResult: text({ doc: 'How that went.' }),
    lastMessage: text({ doc: 'Why it went so.' }),
    lastSecretResourceVersion: text({ doc: 'Version of the Secret that was used.' }),
    lastSecretChecksum: text({ doc: 'Checksum of the Secret that was used.' }),
  },
  'The admin password; written by earlier operators.',
)

/** Two kinds of conditions stand in one list, and their types repeat (NC-CRD-10). */
export const status = object(
  {},
  {
    phase: text({ doc: 'Creating, Running, Updating, Scaling or Failed.' }),
    healthy: flag({ doc: 'Whether a majority of the members is ready.' }),
    observedGeneration: integer({ doc: 'Generation of the spec that the status is about.' }),
    replicas: integer({ doc: 'Pods that there are.' }),
    readyReplicas: integer({ doc: 'Pods that are ready.' }),
    updatedReplicas: integer({ doc: 'Pods of the newest template.' }),
    configDigest: text({ doc: 'Digest of the configuration that the pod template has.' }),
    pendingConfigDigest: text({ doc: 'Digest of a configuration that waits while rollouts are paused.' }),
    lastRolledOutConfigDigest: text({ doc: 'Digest of the configuration that all pods have.' }),
    finalConfigName: text({ doc: 'The ConfigMap with the merged configuration.' }),
    conditions: atomic(list(condition, { doc: 'What is known of the cluster, then its members.' })),
    event: atomic(list(event, { doc: 'What happened last; written by earlier operators.' })),
    version: text({ doc: 'Version of the server.' }),
    versionDigest: text({ doc: 'Digest of the spec; written by earlier operators.' }),
    pg,
    admin,
  },
  'What the controller saw and did.',
)
