import { defineKind } from '../../kit/admission.ts'
import { MUTATING, VALIDATING } from '../doors.ts'
import { mutations, removals } from './mutate.ts'
import { TACCOUNT } from './schema.ts'
import { rules } from './validate.ts'

export const taccount = defineKind({
  resource: TACCOUNT,
  definition: {
    description: 'An account of the web console.',
    writers: 'admins',
    shortNames: ['ta'],
    columns: [{ name: 'Username', type: 'string', path: '.spec.username' }],
  },
  doors: [MUTATING, VALIDATING],
  removals,
  mutate: mutations,
  validate: rules,
})
