import { defineKind } from '../../kit/admission.ts'
import { MUTATE_NACOS, VALIDATE_NACOS } from '../doors.ts'
import { NACOS } from './schema.ts'

export const nacosKind = defineKind({
  resource: NACOS,
  definition: {
    description: 'A Nacos server or cluster: its pods, and the ConfigMaps that its configuration is merged from.',
    writers: 'authors',
    shortNames: [],
    columns: [
      { name: 'Replicas', type: 'string', path: '.spec.replicas' },
      { name: 'Ready', type: 'string', path: '.status.phase' },
      { name: 'type', type: 'string', path: '.spec.type' },
      { name: 'dbType', type: 'string', path: '.spec.database.type' },
      { name: 'Version', type: 'string', path: '.status.version' },
      { name: 'Healthy', type: 'boolean', path: '.status.healthy' },
      { name: 'Config', type: 'string', path: '.status.configDigest', isWide: true },
      { name: 'Updated', type: 'integer', path: '.status.updatedReplicas', isWide: true },
    ],
    subresources: { status: true },
  },
  doors: [MUTATE_NACOS, VALIDATE_NACOS],
})
