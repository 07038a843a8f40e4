import { defineKind } from '../../kit/admission.ts'
import { LABELS } from '../names.ts'
import { consequences } from './consequences.ts'
import { mutations } from './mutate.ts'
import { TCONFIG } from './schema.ts'
import { rules } from './validate.ts'

export const tconfig = defineKind({
  resource: TCONFIG,
  definition: {
    description: 'One version of a configuration file: of all its versions for the same pods one is in force.',
    writers: 'authors',
    shortNames: ['tc'],
    columns: [
      { name: 'App', type: 'string', path: '.app' },
      { name: 'Server', type: 'string', path: '.server' },
      { name: 'PodSeq', type: 'string', path: '.podSeq' },
      { name: 'ConfigName', type: 'string', path: '.configName' },
      { name: 'Version', type: 'string', path: '.version' },
      { name: 'Activated', type: 'boolean', path: '.activated' },
    ],
  },
  doors: [
    {
      name: 'mutating-tconfig.tars.io',
      path: '/mutating',
      phase: 'mutate',
      operations: ['CREATE', 'UPDATE'],
      failurePolicy: 'Fail',
      timeoutSeconds: 10,
      sideEffects: 'None',
      exceptOurselves: true, // no reinvocation, since a version is generated only once (W-8)
    },
    {
      name: 'validating-tconfig.tars.io',
      path: '/validating',
      phase: 'validate',
      operations: ['CREATE', 'UPDATE', 'DELETE'],
      failurePolicy: 'Fail',
      timeoutSeconds: 15, // it marks other versions before it answers
      sideEffects: 'NoneOnDryRun',
      exceptOurselves: true,
    },
  ],
  reads: [
    {
      resource: TCONFIG,
      // Each index entry stays small, however large the namespace: a server has each file but once.
      keeps: {
        byLabels: [LABELS.server, LABELS.configName, LABELS.app],
        fields: ['metadata.deletionTimestamp'],
      },
    },
  ],
  writes: [{ resource: TCONFIG, verbs: ['merge'] }],
  mutate: mutations,
  validate: rules,
  consequences,
})
