import { defineKind, type Kind } from '../../kit/admission.ts'
import { MUTATING, VALIDATING } from '../doors.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { TTEMPLATE } from '../ttemplate/schema.ts'
import { mutations } from './mutate.ts'
import { NODE_PATCHES_RULE, PATCH_READS } from './node-patches.ts'
import { TSERVER } from './schema.ts'
import { rules } from './validate.ts'

/** Where family kruise runs, the pods of its DaemonSet are patched. */
export function tserver(running: readonly string[]): Kind {
  const isPatched = running.includes('kruise')
  return defineKind({
    resource: TSERVER,
    definition: {
      description: 'A server: what it is, how its pods run, and which release of it.',
      writers: 'authors',
      shortNames: ['ts'],
      columns: [
        { name: 'App', type: 'string', path: '.spec.app' },
        { name: 'Server', type: 'string', path: '.spec.server' },
        { name: 'SubType', type: 'string', path: '.spec.subType' },
        { name: 'Replicas', type: 'integer', path: '.spec.k8s.replicas' },
        { name: 'Ready', type: 'integer', path: '.status.readyReplicas' },
      ],
      subresources: {
        status: true,
        scale: {
          replicas: '.spec.k8s.replicas',
          statusReplicas: '.status.currentReplicas',
          selector: '.status.selector',
        },
      },
    },
    doors: [MUTATING, VALIDATING],
    reads: [
      { resource: TTEMPLATE, keeps: { fields: ['metadata.deletionTimestamp'] } },
      { resource: TFRAMEWORKCONFIG, keeps: { fields: ['nodeImage'] } },
      ...(isPatched ? PATCH_READS : []),
    ],
    mutate: mutations,
    validate: isPatched ? [...rules, NODE_PATCHES_RULE] : rules,
  })
}
