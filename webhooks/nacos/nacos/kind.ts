import { defineKind } from '../../kit/admission.ts'
import { MUTATE_NACOS, VALIDATE_NACOS } from '../doors.ts'
import { CONFIG_MAP } from '../kubernetes.ts'
import { mutations } from './mutate.ts'
import { NACOS } from './schema.ts'
import { rules } from './validate.ts'

/** The ConfigMaps that a Nacos reads and writes. */
const NAMES = ['spec.userConfigRef', 'spec.internalConfigRef', 'spec.finalConfigName', 'spec.config']

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
  reads: [
    { resource: NACOS, keeps: { fields: NAMES } },
    { resource: CONFIG_MAP, asks: ['get'] },
  ],
  mutate: mutations,
  validate: rules,
})
