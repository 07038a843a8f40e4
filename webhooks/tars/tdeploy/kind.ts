import { defineKind } from '../../kit/admission.ts'
import { MUTATING, VALIDATING } from '../doors.ts'
import { LABELS } from '../names.ts'
import { TSERVER } from '../tserver/schema.ts'
import { TTEMPLATE } from '../ttemplate/schema.ts'
import { mutations, removals } from './mutate.ts'
import { TDEPLOY } from './schema.ts'
import { rules } from './validate.ts'

const APPROVAL = { person: 'review', reason: '', result: true }

export const tdeploy = defineKind({
  resource: TDEPLOY,
  definition: {
    description: 'A request for a server: approved, it becomes a TServer.',
    writers: 'authors',
    shortNames: ['td'],
    columns: [
      { name: 'App', type: 'string', path: '.apply.app' },
      { name: 'Server', type: 'string', path: '.apply.server' },
      { name: 'Approve', type: 'string', path: `.metadata.labels.${LABELS.approve.replaceAll('.', '\\.')}` },
      { name: 'Deployed', type: 'boolean', path: '.deployed' },
    ],
  },
  doors: [MUTATING, VALIDATING],
  reads: [
    { resource: TSERVER, asks: ['get'] },
    { resource: TTEMPLATE, keeps: { fields: ['metadata.deletionTimestamp'] } }, // for the rules of TServers
  ],
  removals,
  mutate: mutations,
  validate: rules,
  decision: {
    says: 'approved',
    patch: ({ approve }, at) =>
      approve === undefined ? { approve: { ...APPROVAL, time: at.toISOString() } } : undefined,
  },
})
