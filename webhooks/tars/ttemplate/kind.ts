import { defineKind } from '../../kit/admission.ts'
import { MUTATING, VALIDATING_DELETE } from '../doors.ts'
import { LABELS } from '../names.ts'
import { TSERVER } from '../tserver/schema.ts'
import { mutations } from './mutate.ts'
import { probeNamed } from './probe.ts'
import { TTEMPLATE } from './schema.ts'
import { rules } from './validate.ts'

export const ttemplate = defineKind({
  resource: TTEMPLATE,
  definition: {
    description: 'A configuration template: servers inherit its content, and templates inherit from each other.',
    writers: 'authors',
    shortNames: ['tt'],
    columns: [{ name: 'Parent', type: 'string', path: '.spec.parent' }],
  },
  doors: [MUTATING, VALIDATING_DELETE],
  reads: [
    {
      resource: TTEMPLATE,
      keeps: { byLabels: [LABELS.parent], fields: ['metadata.deletionTimestamp', 'spec.parent'] },
    },
    { resource: TSERVER, asks: ['get', 'list'] }, // on delete alone, as a live read
  ],
  probe: probeNamed,
  mutate: mutations,
  validate: rules,
})
